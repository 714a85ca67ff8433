"""Predict the shapes of one step: the query, its scores here and for the source, and the cache."""

from headway.tasks.chapters.kv_cache.mistakes import (
    CACHE_NOT_HANDED_ON,
    CROSS_CACHE_GROWS,
    EVERYTHING_READ_AGAIN,
    OWN_TOKEN_UNSEEN,
    RESULTS_IN_ANOTHER_ORDER,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception

shapes = by_hand(
    "15-kv-cache/shapes",
    "Shapes of one step",
    [[3, 4, 1, 8], [3, 4, 1, 11], [3, 4, 1, 7], [3, 4, 11, 8]],
    OWN_TOKEN_UNSEEN.by([[3, 4, 1, 8], [3, 4, 1, 10], [3, 4, 1, 7], [3, 4, 11, 8]]),
    CACHE_NOT_HANDED_ON.by(
        [[3, 4, 1, 8], [3, 4, 1, 10], [3, 4, 1, 7], [3, 4, 10, 8]],
        [[3, 4, 1, 8], [3, 4, 1, 11], [3, 4, 1, 7], [3, 4, 10, 8]],
        [[3, 4, 1, 8], [3, 4, 1, 11], [3, 4, 1, 7], [3, 4, 1, 8]],
    ),
    EVERYTHING_READ_AGAIN.by([[3, 4, 11, 8], [3, 4, 11, 11], [3, 4, 11, 7], [3, 4, 11, 8]]),
    CROSS_CACHE_GROWS.by([[3, 4, 1, 8], [3, 4, 1, 11], [3, 4, 1, 8], [3, 4, 11, 8]]),
    Misconception(
        "one-source-token-only",
        [[3, 4, 1, 8], [3, 4, 1, 11], [3, 4, 1, 1], [3, 4, 11, 8]],
        "Your new token looks at one source token. How many are there?",
    ),
    RESULTS_IN_ANOTHER_ORDER.by([[3, 1, 4, 8], [3, 4, 1, 11], [3, 4, 1, 7], [3, 11, 4, 8]]),
    minutes=4,
    answer="shapes",
    compare=equal(),
)
