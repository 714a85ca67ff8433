"""Predict how the tables grow with the order."""

from headway.tasks.chapters.markov.mistakes import (
    BOUNDARY_MISSING,
    COLUMNS_FOR_ROWS,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception, any_of

sizes = by_hand(
    "02-markov/sizes",
    "How tables grow with the order",
    [[10, 10], [1000, 10]],
    BOUNDARY_MISSING.by([[9, 9], [729, 9]], [[10, 9], [1000, 9]], [[9, 10], [729, 10]]),
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
        "Your table does not have a row for each context and a column for each next symbol. How "
        "many contexts can three symbols make, if there are ten symbols?",
    ),
    minutes=3,
    answer="sizes",
    compare=equal(),
)
