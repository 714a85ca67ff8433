"""Predict: the shapes of queries, scores and output along the way through a layer."""

from headway.tasks.chapters.many_heads.mistakes import (
    AXES_MIXED_UP,
    HEADS_ADDED,
    HEADS_OF_ANOTHER_WIDTH,
    ONE_MAP_FOR_ALL_HEADS,
    QUERY_AND_MEMORY_MIXED_UP,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import equal

shapes = by_hand(
    "09-many-heads/shapes",
    "Shapes along the way",
    [[2, 3, 5, 4], [2, 3, 5, 7], [2, 5, 12]],
    AXES_MIXED_UP.by(
        [[2, 5, 3, 4], [2, 3, 5, 7], [2, 5, 12]],
        [[2, 3, 4, 5], [2, 3, 5, 7], [2, 5, 12]],
        [[2, 3, 5, 4], [2, 3, 5, 7], [2, 3, 5, 4]],
    ),
    HEADS_OF_ANOTHER_WIDTH.by(
        [[2, 4, 5, 3], [2, 4, 5, 7], [2, 5, 12]],
        [[2, 3, 5, 12], [2, 3, 5, 7], [2, 5, 12]],
    ),
    QUERY_AND_MEMORY_MIXED_UP.by(
        [[2, 3, 5, 4], [2, 3, 5, 5], [2, 5, 12]],
        [[2, 3, 5, 4], [2, 3, 7, 5], [2, 5, 12]],
        [[2, 3, 5, 4], [2, 3, 5, 7], [2, 7, 12]],
    ),
    ONE_MAP_FOR_ALL_HEADS.by([[2, 3, 5, 4], [2, 5, 7], [2, 5, 12]]),
    HEADS_ADDED.by([[2, 3, 5, 4], [2, 3, 5, 7], [2, 5, 4]]),
    minutes=4,
    answer="shapes",
    compare=equal(),
)
