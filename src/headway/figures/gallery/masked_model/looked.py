"""A sentence with a blank, and what two models make of it, in numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

MOST_WORDS = 14

Likely = Sequence[tuple[str, float]]


@dataclass(frozen=True)
class Looked:
    """A sentence with a blank, and what two models make of it.

    Attributes:
        words: T tokens, as they are shown.
        blank: the place of the blank, 1 or more.
        left: (blank,) the weights with which the word before the blank looks at the words up to
            itself, in a decoder.
        both: (T,) the weights with which the blank looks at all of them, in an encoder.
        guesses: what the decoder says, words and probabilities, the likeliest first.
        answers: what the encoder says.
    """

    words: Sequence[str]
    blank: int
    left: np.ndarray
    both: np.ndarray
    guesses: Likely
    answers: Likely


def check(looked: Looked) -> None:
    """Raise ValueError as `both_sides` says."""
    T = len(looked.words)
    wanted, given = ((looked.blank,), (T,)), (np.shape(looked.left), np.shape(looked.both))
    if not 1 <= looked.blank < T or given != wanted:
        raise ValueError(
            f"a blank at place {looked.blank} of {T} needs weights {wanted}, got {given}"
        )
    if T > MOST_WORDS:
        raise ValueError(f"one can read up to {MOST_WORDS} words, got {T}")


def percent(p: float) -> str:
    """A probability as one says it; what is nearly certain is not yet certain."""
    return "over 99%" if 0.995 <= p < 1 else f"{p:.0%}"
