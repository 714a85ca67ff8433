"""Predict how many positions are read, without a cache and with one."""

from headway.tasks.chapters.kv_cache.mistakes import (
    EVERYTHING_READ_AGAIN,
    READ_FOR_NO_CHOICE,
    RESULTS_IN_ANOTHER_ORDER,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception, any_of

positions = by_hand(
    "15-kv-cache/positions",
    "Positions read, without a cache and with one",
    [30, 9],
    READ_FOR_NO_CHOICE.by([30, 10], [40, 10], [34, 10], [34, 9], [40, 9]),
    Misconception(
        "positions-miscounted",
        any_of(
            *([30, 3], [30, 4]),  # the prompt is missing
            *([24, 9], [36, 9], [45, 9], [55, 10], [24, 4], [24, 10], [10, 10], [10, 9], [9, 9]),
            [36 + 49 + 64 + 81, 36 + 7 + 8 + 9],  # pairs of a query and a key
        ),
        "You count something else than the tokens that go through the model. How many go through "
        "before each choice, the first one included?",
    ),
    EVERYTHING_READ_AGAIN.by([30, 40]),
    RESULTS_IN_ANOTHER_ORDER.by([9, 30]),
    minutes=4,
    answer="positions",
    compare=equal(),
)
