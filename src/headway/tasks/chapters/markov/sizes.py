"""Predict how the tables grow with the order."""

from headway.tasks.chapters.markov.mistakes import (
    BOUNDARIES_LEFT_OUT,
    COLUMNS_FOR_ROWS,
    END_MISSING,
    START_MISSING,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception, any_of

sizes = by_hand(
    "02-markov/sizes",
    "How tables grow with the order",
    [[10, 10], [1000, 10]],
    BOUNDARIES_LEFT_OUT.by([[9, 9], [729, 9]]),
    END_MISSING.by([[10, 9], [1000, 9]]),
    START_MISSING.by([[9, 10], [729, 10]]),
    COLUMNS_FOR_ROWS.by([[10, 10], [10, 1000]]),
    Misconception(
        "table-miscounted",
        any_of(
            [[10, 10], [30, 10]],
            [[10, 10], [100, 10]],
            [[100, 10], [10000, 10]],
            [[10, 10], [10, 10, 10, 10]],
            [[10, 10], [1000, 1000]],
        ),
        "A table has a row for each context and a column for each symbol that may come next; yours "
        "does not. How many symbols back does order 3 look, how many triples can be made of ten "
        "symbols, and how many symbols come next at once?",
    ),
    minutes=3,
    answer="sizes",
    compare=equal(),
)
