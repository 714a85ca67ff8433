"""Predict: the shapes of a cross-attention, worked out by hand."""

from headway.tasks.chapters.attention.mistakes import (
    KEYS_FOR_VALUES,
    NOT_PROJECTED,
    OTHER_RESULTS_GIVEN,
    QUERIES_AND_KEYS_SWAPPED,
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
        "width-left-in-the-scores",
        any_of(
            [[2, 5, 4], [2, 7, 4]],
            [[2, 5, 12], [2, 7, 12]],
            [[2, 4, 4], [2, 5, 6]],
            [[2, 5, 7, 4], [2, 5, 7, 6]],
        ),
        "Your shapes still have the width of a query or a token in them. How many numbers does one "
        "query get from one key?",
    ),
    Misconception(
        "batch-lost",
        any_of([[5, 7], [5, 6]], [[10, 14], [10, 6]]),
        "Two pairs of sentences came in, and you give shapes of a single one, or of all sentences "
        "laid end to end. Which axis keeps them apart?",
    ),
    OTHER_RESULTS_GIVEN.by(
        [[2, 5, 6], [2, 5, 7]],
        [[2, 5, 7], [2, 5, 7], [2, 5, 6]],
        [2, 5, 7, 2, 5, 6],
    ),
    minutes=3,
    answer="shapes",
    compare=equal(),
)
