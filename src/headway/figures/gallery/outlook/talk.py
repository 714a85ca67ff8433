"""One word's attention, as messages on the graph of its sentence, in numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

LISTED = 3  # messages that are shown
MOST_WORDS, MOST_NUMBERS = 12, 8


@dataclass(frozen=True)
class Talk:
    """One word's attention, as messages on the graph of its sentence.

    Attributes:
        words: T words, in their order.
        asks: the place of the word that listens.
        weights: (T,) how much it listens to each word; they sum to one.
        values: (T, D) what each word sends.
        mixed: (D,) what arrives: weights @ values.
        answer: what the model says, and with which probability.
        reach: how many words on each side a word hears in the second graph.
    """

    words: Sequence[str]
    asks: int
    weights: np.ndarray
    values: np.ndarray
    mixed: np.ndarray
    answer: tuple[str, float]
    reach: int

    @property
    def window(self) -> list[tuple[int, int]]:
        """The edges (from, to) of the second graph, those from a word to itself included."""
        places = range(len(self.words))
        return [(s, t) for t in places for s in places if abs(s - t) <= self.reach]


def check(talk: Talk) -> None:
    """Raise ValueError as `everybody_talks` says."""
    T, D = len(talk.words), np.shape(talk.mixed)[-1]
    given = np.shape(talk.weights), np.shape(talk.values), np.shape(talk.mixed)
    if given != ((T,), (T, D), (D,)) or not 0 <= talk.asks < T:
        raise ValueError(
            f"{T} words need weights ({T},), values ({T}, D), a mixed row (D,), and a word that "
            f"asks; got {given}, and word {talk.asks} asks"
        )
    if not np.isclose(np.sum(talk.weights), 1, atol=1e-3):
        raise ValueError(f"weights must sum to one, got {np.sum(talk.weights):.3f}")
    if not np.allclose(np.asarray(talk.weights) @ talk.values, talk.mixed, atol=1e-3):
        raise ValueError("what arrives must be the weighted mean of the values")
    if not LISTED <= T <= MOST_WORDS or D > MOST_NUMBERS or not 1 <= talk.reach < T:
        raise ValueError(
            f"one can read {LISTED} to {MOST_WORDS} words, up to {MOST_NUMBERS} numbers each, and "
            f"a reach from 1 to {T - 1}; got {T}, {D} and {talk.reach}"
        )
