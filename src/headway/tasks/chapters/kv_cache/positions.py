"""Predict how many positions are read, without a cache and with one."""

from headway.tasks.chapters.kv_cache.mistakes import (
    EVERYTHING_READ_AGAIN,
    LAST_CHOICE_READ_TOO,
    RESULTS_IN_ANOTHER_ORDER,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception, any_of

positions = by_hand(
    "15-kv-cache/positions",
    "Positions read, without a cache and with one",
    [30, 9],
    LAST_CHOICE_READ_TOO.by([30, 10], [40, 10], [34, 10], [34, 9], [40, 9]),
    Misconception(
        "prompt-not-counted",
        any_of([30, 3], [30, 4]),
        "With the cache you count at most one position for each choice. Who reads the prompt into "
        "the cache?",
    ),
    Misconception(
        "lengths-before-choices-mistaken",
        any_of([24, 9], [36, 9], [45, 9], [55, 10], [24, 4], [24, 10], [10, 10], [10, 9], [9, 9]),
        "Without the cache you do not add up how long the text is before each choice. How many "
        "choices are there, and how long is the text before the first and before the last of them?",
    ),
    Misconception(
        "pairs-instead-of-positions",
        [36 + 49 + 64 + 81, 36 + 7 + 8 + 9],
        "You count pairs of a query and a key. How many rows go through the model?",
    ),
    EVERYTHING_READ_AGAIN.by([30, 40]),
    RESULTS_IN_ANOTHER_ORDER.by([9, 30]),
    minutes=4,
    answer="positions",
    compare=equal(),
)
