"""A model of a drawn language that repeats itself, as texts do that stay with their subject.

    P(w | …ab) ∝ ((1 − r) · chain(w | a, b) + r · [w came after b the last time])^(1/T)

So a chain alone does not say what it says: a text's own past counts, however far back it is. Where
b has not come before, the chain speaks alone.
"""

import numpy as np

SIZE, KINDS, CHOICES = 24, 6, 3  # words in all, those that may follow one word, and two words
LOOSE = 0.08  # the share of a chain's row that any word may have


class EchoingModel:
    """Such a model, its chain drawn at random.

    Args:
        rng: draws the chain.
        repeats: r, from 0 to 1.
        size: V, the number of words.
    """

    def __init__(self, rng: np.random.Generator, repeats: float = 0.45, size: int = SIZE):
        self.size, self._repeats = size, repeats
        self._chain = rng.uniform(0.5, 1.5, (size, size, size))
        self._chain *= LOOSE / self._chain.sum(-1, keepdims=True)
        for b in range(size):
            may = rng.choice(size, KINDS, replace=False)
            for a in range(size):
                likely = rng.choice(may, CHOICES, replace=False)
                self._chain[a, b, likely] += (1 - LOOSE) * rng.dirichlet(np.full(CHOICES, 2.0))

    def write(
        self, rng: np.random.Generator, count: int, length: int, temperature: float = 1.0
    ) -> np.ndarray:
        """Texts, int64 (count, length), each of which begins with two words at random."""
        ids = np.empty((count, length), dtype=np.int64)
        ids[:, :2] = rng.integers(0, self.size, (count, 2))
        for t in range(2, length):
            heights = self.predict(ids[:, :t], temperature).cumsum(axis=1)
            ids[:, t] = (heights <= rng.random((count, 1)) * heights[:, -1:]).sum(axis=1)
        return ids

    def predict(self, ids: np.ndarray, temperature: float = 1.0) -> np.ndarray:
        """P of the word after each of the texts (B, T), T at least 2: float64 (B, V)."""
        P = self._chain[ids[:, -2], ids[:, -1]].copy()
        came = ids[:, :-1] == ids[:, -1:]
        rows = np.flatnonzero(came.any(axis=1))
        places = came.shape[1] - 1 - came[rows, ::-1].argmax(axis=1)  # the last time
        P[rows] *= 1 - self._repeats
        P[rows, ids[rows, places + 1]] += self._repeats
        P **= 1 / temperature
        return P / P.sum(axis=1, keepdims=True)
