"""Predict two probabilities from five sentences."""

from headway.tasks.chapters.markov.mistakes import (
    another_total,
    context_ignored,
    counts_for_probabilities,
    end_missing,
    pair_swapped,
    rows_for_columns,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.mistakes import any_of

after = by_hand(
    "02-markov/after",
    "Two probabilities from five sentences",
    [3 / 4, 1 / 4],
    end_missing(any_of([1.0, 0.0], [3 / 4])),
    rows_for_columns([1.0, 1 / 5]),
    counts_for_probabilities([3, 1]),
    another_total(any_of([3 / 20, 1 / 20], [3 / 5, 1 / 5])),
    context_ignored([3 / 20, 5 / 20]),
    pair_swapped([1 / 4, 3 / 4]),
    minutes=4,
    answer="after_files",
)
