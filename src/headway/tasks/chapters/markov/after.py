"""Predict two probabilities from five sentences."""

from headway.tasks.chapters.markov.mistakes import (
    BOUNDARY_MISSING,
    COLUMNS_FOR_ROWS,
    CONTEXT_IGNORED,
    NOT_NORMALIZED,
    RESULTS_IN_ANOTHER_ORDER,
)
from headway.tasks.engine.by_hand import by_hand

after = by_hand(
    "02-markov/after",
    "Two probabilities from five sentences",
    [3 / 4, 1 / 4],
    BOUNDARY_MISSING.by([1.0, 0.0], [3 / 4]),
    COLUMNS_FOR_ROWS.by([1.0, 1 / 5]),
    NOT_NORMALIZED.by([3, 1], [3 / 20, 1 / 20], [3 / 5, 1 / 5], [3 / 4, 1 / 5]),
    CONTEXT_IGNORED.by([3 / 20, 5 / 20]),
    RESULTS_IN_ANOTHER_ORDER.by([1 / 4, 3 / 4]),
    minutes=4,
    answer="after_files",
)
