"""A model that goes on with a conversation, and whose weights nobody gets: it is asked."""

from typing import Any

import numpy as np

MEMORY = 0.9  # what a token weighs, for each place that it lies further back


class Talker:
    """Scores for the next token, which depend on every token before it.

    Args:
        tables: (N, V, V), what token a, n places back, adds to the score of token b.
    """

    def __init__(self, tables: np.ndarray):
        self._tables = tables

    def __repr__(self) -> str:
        return f"<a model of {self._tables.shape[1]} tokens>"

    def __call__(self, ids: Any) -> np.ndarray:
        """Scores (V,) of the token that follows ids (T,).

        Raises:
            TypeError: if ids are no row of whole numbers.
            IndexError: if there is no such token.
        """
        row = np.asarray(ids)
        if row.ndim != 1 or row.dtype.kind not in "iu" or not row.size:
            raise TypeError(f"ids are whole numbers (T,); got {row.dtype} of shape {row.shape}")
        N, V, _ = self._tables.shape
        if row.min() < 0 or row.max() >= V:
            raise IndexError(f"there is no token {row.max()} among {V}")
        back = np.arange(len(row))[::-1]
        weights = MEMORY**back
        return (weights[:, None] * self._tables[back % N, row]).sum(0)
