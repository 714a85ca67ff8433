"""Predict the shapes of one step: the query, its scores here and for the source, and the cache."""

from headway.tasks.chapters.kv_cache.mistakes import (
    cache_not_handed_on,
    cross_cache_grows,
    everything_read_again,
    order_swapped,
    own_token_unseen,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception, any_of

shapes = by_hand(
    "15-kv-cache/shapes",
    "Shapes of one step",
    [[3, 4, 1, 8], [3, 4, 1, 11], [3, 4, 1, 7], [3, 4, 11, 8]],
    own_token_unseen([[3, 4, 1, 8], [3, 4, 1, 10], [3, 4, 1, 7], [3, 4, 11, 8]]),
    cache_not_handed_on(
        any_of(
            [[3, 4, 1, 8], [3, 4, 1, 10], [3, 4, 1, 7], [3, 4, 10, 8]],
            [[3, 4, 1, 8], [3, 4, 1, 11], [3, 4, 1, 7], [3, 4, 10, 8]],
            [[3, 4, 1, 8], [3, 4, 1, 11], [3, 4, 1, 7], [3, 4, 1, 8]],
        )
    ),
    everything_read_again([[3, 4, 11, 8], [3, 4, 11, 11], [3, 4, 11, 7], [3, 4, 11, 8]]),
    cross_cache_grows([[3, 4, 1, 8], [3, 4, 1, 11], [3, 4, 1, 8], [3, 4, 11, 8]]),
    Misconception(
        "one-score-for-cross",
        [[3, 4, 1, 8], [3, 4, 1, 11], [3, 4, 1, 1], [3, 4, 11, 8]],
        "Your new token looks at one source token. How many are there?",
    ),
    order_swapped([[3, 1, 4, 8], [3, 4, 1, 11], [3, 4, 1, 7], [3, 11, 4, 8]]),
    minutes=4,
    answer="shapes",
    compare=equal(),
)
