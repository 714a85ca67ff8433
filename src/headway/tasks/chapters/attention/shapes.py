"""Predict: the shapes of a cross-attention, worked out by hand."""

from headway.tasks.chapters.attention.mistakes import (
    KEYS_FOR_VALUES,
    NOT_PROJECTED,
    QUERIES_AND_KEYS_SWAPPED,
    RESULTS_IN_ANOTHER_ORDER,
    WEIGHTS_MISSING_OR_EXTRA,
    WRONG_SIDE,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception, any_of

shapes = by_hand(
    "08-attention/shapes",
    "Shapes of a cross-attention",
    [[2, 5, 7], [2, 5, 6]],
    QUERIES_AND_KEYS_SWAPPED.by([[2, 7, 5], [2, 5, 6]]),
    WRONG_SIDE.by(
        [[2, 7, 5], [2, 7, 6]],
        [[2, 5, 7], [2, 7, 6]],
        [[2, 5, 5], [2, 5, 6]],
        [[2, 7, 7], [2, 7, 6]],
    ),
    KEYS_FOR_VALUES.by([[2, 5, 7], [2, 5, 4]]),
    NOT_PROJECTED.by([[2, 5, 7], [2, 5, 12]]),
    Misconception(
        "inputs-for-outputs",
        any_of([[2, 5, 4], [2, 7, 4]], [[2, 5, 12], [2, 7, 12]]),
        "These are the shapes of what meets, the one that asks and the one that is asked. How many "
        "numbers come out where one query meets one key, and what is mixed with them?",
    ),
    Misconception(
        "products-not-added",
        any_of([[2, 4, 4], [2, 5, 6]], [[2, 5, 7, 4], [2, 5, 7, 6]]),
        "Your scores keep an axis for the numbers in a query. How many numbers does one query get "
        "from one key?",
    ),
    Misconception(
        "batch-lost",
        any_of([[5, 7], [5, 6]], [[10, 14], [10, 6]]),
        "Two pairs of sentences came in, and you give shapes of a single one, or of all sentences "
        "laid end to end. Which axis keeps them apart?",
    ),
    RESULTS_IN_ANOTHER_ORDER.by([[2, 5, 6], [2, 5, 7]]),
    WEIGHTS_MISSING_OR_EXTRA.by([[2, 5, 7], [2, 5, 7], [2, 5, 6]]),
    Misconception(
        "one-flat-list",
        [2, 5, 7, 2, 5, 6],
        "The six numbers are right, and they stand in one list. How many shapes are asked for, "
        "and where does the second begin?",
    ),
    minutes=3,
    answer="shapes",
    compare=equal(),
)
