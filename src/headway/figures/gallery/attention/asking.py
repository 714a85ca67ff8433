"""One word's attention in numbers that are small enough to be read."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Asking:
    """One word's attention, in numbers.

    Attributes:
        words: T words.
        asks: the place of the word that asks.
        query: (D,) its query.
        keys: (T, D).
        values: (T, E).
        says: what the mixture leads to, the likeliest first: names and probabilities.
    """

    words: Sequence[str]
    asks: int
    query: np.ndarray
    keys: np.ndarray
    values: np.ndarray
    says: Sequence[tuple[str, float]]

    @property
    def products(self) -> np.ndarray:
        """(T,) query times key."""
        return self.keys @ self.query

    @property
    def scores(self) -> np.ndarray:
        """(T,) the products, divided by √D."""
        return self.products / math.sqrt(len(self.query))

    @property
    def weights(self) -> np.ndarray:
        """(T,) their softmax."""
        e = np.exp(self.scores - self.scores.max())
        return e / e.sum()

    @property
    def mixed(self) -> np.ndarray:
        """(E,) the mean of the values."""
        return self.weights @ self.values

    def digits(self, numbers: np.ndarray) -> int:
        """How many digits are printed behind the point: none where all numbers are whole."""
        return 0 if np.allclose(numbers, np.round(numbers)) else 1


def check(asking: Asking) -> None:
    """Raise ValueError as `six_words` says."""
    T, D = np.shape(asking.keys)
    if (len(asking.words), len(asking.query), len(asking.values)) != (T, D, T):
        raise ValueError(
            f"{len(asking.words)} words need a key and a value each, and a query as wide as the "
            f"keys; got keys {np.shape(asking.keys)}, values {np.shape(asking.values)} and a query "
            f"of {len(asking.query)}"
        )
    if T > 8 or D > 2 or np.shape(asking.values)[1] > 2 or not 0 <= asking.asks < T:
        raise ValueError(
            f"one can read up to 8 words, 2 numbers in a key and in a value; got {T}, {D} and "
            f"{np.shape(asking.values)[1]}, and word {asking.asks} asks"
        )
