"""Predict: the output of two heads, worked out by hand."""

import numpy as np

from headway.tasks.chapters.many_heads.mistakes import (
    HEADS_ADDED,
    HEADS_SWAPPED,
    MATRIX_TRANSPOSED,
    ONE_MAP_FOR_ALL_HEADS,
    OUTPUT_FORGOTTEN,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import close


def one_row(got, expected, case):
    """Right to half of the second decimal; a single row may stand in a list of rows."""
    row = got[0] if isinstance(got, list | np.ndarray) and len(got) == 1 else got
    return close(atol=5e-3)(row, expected, case)


two_heads = by_hand(
    "09-many-heads/two-heads-by-hand",
    "Two heads by hand",
    [3, 13],
    OUTPUT_FORGOTTEN.by([3, 5]),
    MATRIX_TRANSPOSED.by([8, 10]),
    ONE_MAP_FOR_ALL_HEADS.by([1.75, 8.25], [3, 6]),
    # The other's columns of values, the other's weights, the other's place in the row.
    HEADS_SWAPPED.by([1.5, 2.5], [0.5, 3.5], [5, 11]),
    HEADS_ADDED.by([8, 24]),
    minutes=4,
    answer="two_heads",
    compare=one_row,
)
