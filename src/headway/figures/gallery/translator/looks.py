"""One sentence in a translator, in numbers: what looks where."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

MOST_WORDS = 9


@dataclass(frozen=True)
class Crossing:
    """One sentence in a translator.

    Attributes:
        source: S tokens that the encoder reads.
        own: (S, S) the weights with which they look at each other, in the encoder.
        asking: places in the source whose strongest look at another word is drawn.
        memory: (S, C) what the encoder returns.
        start: what the decoder reads first.
        target: T tokens that it writes.
        weights: (T, S) where it looks while it writes each.
        sure: (T,) the probability of each.
    """

    source: Sequence[str]
    own: np.ndarray
    asking: Sequence[int]
    memory: np.ndarray
    start: str
    target: Sequence[str]
    weights: np.ndarray
    sure: Sequence[float]


def check(made: Crossing) -> None:
    """Raise ValueError as `crossing` says."""
    S, T = len(made.source), len(made.target)
    wanted = ((S, S), (S,), (T, S), (T,))
    given = (
        np.shape(made.own),
        np.shape(made.memory)[:1],
        np.shape(made.weights),
        np.shape(made.sure),
    )
    if given != wanted:
        raise ValueError(
            f"{S} words read and {T} written need shapes of own, memory, weights and sure "
            f"{wanted}, got {given}"
        )
    if max(S, T) > MOST_WORDS:
        raise ValueError(f"one can read up to {MOST_WORDS} words, got {S} and {T}")
    for rows in (made.own, made.weights):
        if not (np.min(rows) >= 0 and np.allclose(np.sum(rows, axis=1), 1, atol=1e-3)):
            raise ValueError("each row must hold weights that sum to one")


def most_other(own: np.ndarray, place: int) -> int:
    """The other word at which the word at a place looks most."""
    row = np.array(own[place], dtype=float)
    row[place] = -1
    return int(row.argmax())
