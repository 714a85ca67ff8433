"""How often each outcome followed each context: a table of counts that stores no zeros.

A dense table of pairs of words has V² cells and nearly all are zero. This one keeps the cells
that were seen, sorted by context and then by outcome. One sort builds it, a binary search finds
a row in it, and to draw from a row is to pick one of its observations.
"""

from functools import cached_property

import numpy as np


class CountTable:
    """Counts of (context, outcome), K contexts that were seen by W possible outcomes.

    Args:
        contexts: int64 (N,), any non-negative numbers, one for each observation.
        outcomes: int64 (N,), each in 0 … W−1.
        size: W.

    Attributes:
        contexts: int64 (K,), the distinct contexts in ascending order.
        starts: int64 (K+1,); the cells of row k are starts[k] … starts[k+1]−1.
        outcomes, counts: int64, one entry for each cell that is not zero.
        totals: int64 (K,), the sums of the rows.
    """

    def __init__(self, contexts: np.ndarray, outcomes: np.ndarray, size: int):
        self.size = size
        cells, self.counts = tally(contexts * size + outcomes)
        rows, self.outcomes = np.divmod(cells, size)
        firsts = np.flatnonzero(np.diff(rows, prepend=-1))
        self.contexts = rows[firsts]
        self.starts = np.append(firsts, len(cells))
        self._running = np.append(0, np.cumsum(self.counts))
        self._cells = cells
        self.totals = np.diff(self._running[self.starts])

    def __len__(self) -> int:
        """K, the number of contexts that were seen."""
        return len(self.contexts)

    @property
    def nbytes(self) -> int:
        """Memory of all arrays of the table, in bytes."""
        return sum(value.nbytes for value in vars(self).values() if isinstance(value, np.ndarray))

    def find(self, contexts: np.ndarray) -> np.ndarray:
        """Row numbers of contexts of shape (N,); −1 where a context was never seen."""
        return position(self.contexts, contexts)

    def count(self, contexts: np.ndarray, outcomes: np.ndarray) -> np.ndarray:
        """How often each outcome (N,) followed its context (N,)."""
        return take(self.counts, position(self._cells, contexts * self.size + outcomes))

    def total(self, rows: np.ndarray) -> np.ndarray:
        """Sums of the rows (N,); zero for row −1."""
        return take(self.totals, rows)

    def dense(self, rows: np.ndarray) -> np.ndarray:
        """Rows as a float64 array (N, W); row −1 is all zeros."""
        counts = np.zeros((len(rows), self.size))
        where, cells = self.cells_of(rows)
        counts[where, self.outcomes[cells]] = self.counts[cells]
        return counts

    def cells_of(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """All cells of the rows (N,): for each, its place in `rows` and the number of the cell."""
        rows, known = np.maximum(rows, 0), rows >= 0
        lengths = take(np.diff(self.starts), np.where(known, rows, -1))
        where = np.repeat(np.arange(len(rows)), lengths)
        # The cells of a row follow each other: count on from the start of each row.
        within = np.arange(len(where)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        return where, self.starts[rows][where] + within

    def draw(self, rng: np.random.Generator, rows: np.ndarray) -> np.ndarray:
        """One outcome for each row (N,), with probability count ÷ total; rows must be ≥ 0."""
        ticket = (rng.random(len(rows)) * self.totals[rows]).astype(np.int64)
        return self._tickets[self._running[self.starts[rows]] + ticket]

    @cached_property
    def _tickets(self) -> np.ndarray:
        """Each outcome as often as it was counted, row after row: an urn for each context."""
        return np.repeat(self.outcomes, self.counts)


def tally(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distinct values of a non-negative int64 array (N,) in ascending order, and their counts."""
    if len(values) and values.max() < 4 * len(values):  # few possible values: no need to sort
        counts = np.bincount(values)
        distinct = np.flatnonzero(counts)
        return distinct, counts[distinct]
    return np.unique(values, return_counts=True)


def position(ascending: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Where each value stands in a sorted array of distinct values; −1 where it does not."""
    if not len(ascending):
        return np.full(len(values), -1)
    place = np.minimum(np.searchsorted(ascending, values), len(ascending) - 1)
    return np.where(ascending[place] == values, place, -1)


def take(values: np.ndarray, places: np.ndarray) -> np.ndarray:
    """values[places], with zero where the place is −1."""
    return np.append(values, values.dtype.type(0))[places]
