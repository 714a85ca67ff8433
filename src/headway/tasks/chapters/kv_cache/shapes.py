"""Predict the shapes of a piece: the query, its scores here and for the source, and the cache."""

from headway.tasks.chapters.kv_cache.mistakes import (
    CACHE_NOT_HANDED_ON,
    EVERYTHING_READ_AGAIN,
    HELD_TOKENS_UNSEEN,
    OWN_TOKEN_UNSEEN,
    OWN_WORDS_IN_THE_SOURCE,
    RESULTS_IN_ANOTHER_ORDER,
    SHARED_HEADS_MISCOUNTED,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception, any_of

RIGHT = [[5, 6, 3, 8], [5, 6, 3, 13], [5, 6, 3, 7], [5, 2, 13, 8]]


def but(place, shape):
    """The right shapes, with another one in one place."""
    return [[*RIGHT[:place], shape, *RIGHT[place + 1 :]]]


shapes = by_hand(
    "15-kv-cache/shapes",
    "Shapes of one piece",
    RIGHT,
    SHARED_HEADS_MISCOUNTED.by(
        [[5, 6, 3, 8], [5, 6, 3, 13], [5, 6, 3, 7], [5, 6, 13, 8]],
        [[5, 6, 3, 8], [5, 6, 3, 13], [5, 6, 3, 7], [5, 2, 13, 24]],
        [[5, 6, 3, 8], [5, 2, 3, 13], [5, 2, 3, 7], [5, 2, 13, 8]],
        [[5, 2, 3, 8], [5, 2, 3, 13], [5, 2, 3, 7], [5, 2, 13, 8]],
        *but(0, [5, 2, 3, 8]),
        *but(1, [5, 2, 3, 13]),
        *but(2, [5, 2, 3, 7]),
    ),
    OWN_TOKEN_UNSEEN.by([[5, 6, 3, 8], [5, 6, 3, 10], [5, 6, 3, 7], [5, 2, 13, 8]]),
    CACHE_NOT_HANDED_ON.by(
        [[5, 6, 3, 8], [5, 6, 3, 10], [5, 6, 3, 7], [5, 2, 10, 8]],
        [[5, 6, 3, 8], [5, 6, 3, 13], [5, 6, 3, 7], [5, 2, 10, 8]],
        [[5, 6, 3, 8], [5, 6, 3, 13], [5, 6, 3, 7], [5, 2, 3, 8]],
    ),
    HELD_TOKENS_UNSEEN.by(*but(1, [5, 6, 3, 3])),
    EVERYTHING_READ_AGAIN.by(
        [[5, 6, 13, 8], [5, 6, 13, 13], [5, 6, 13, 7], [5, 2, 13, 8]],
        *but(0, [5, 6, 13, 8]),
        *but(1, [5, 6, 13, 13]),
        *but(2, [5, 6, 13, 7]),
    ),
    OWN_WORDS_IN_THE_SOURCE.by(
        *([[5, 6, 3, 8], [5, 6, 3, 13], [5, 6, 3, S], [5, 2, 13, 8]] for S in (10, 13, 17, 20))
    ),
    Misconception(
        "tokens-miscounted",
        any_of(
            [[5, 6, 3, 8], [5, 6, 3, 13], [5, 6, 3, 1], [5, 2, 13, 8]],
            [[5, 6, 3, 8], [5, 6, 3, 13], [5, 6, 3, 3], [5, 2, 13, 8]],
            [[5, 6, 1, 8], [5, 6, 1, 11], [5, 6, 1, 7], [5, 2, 11, 8]],
        ),
        "One token goes through your block, or the source has one, or as many as the piece. How "
        "many go through at once here, and how many are there to look at?",
    ),
    RESULTS_IN_ANOTHER_ORDER.by(
        [[5, 3, 6, 8], [5, 6, 3, 13], [5, 6, 3, 7], [5, 13, 2, 8]],
        *but(0, [5, 3, 6, 8]),
        *but(1, [5, 6, 13, 3]),
        *but(2, [5, 6, 7, 3]),
        *but(3, [5, 13, 2, 8]),
    ),
    minutes=6,
    answer="shapes",
    compare=equal(),
)
