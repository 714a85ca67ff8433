"""Predict: the shapes of queries, scores and output along the way through a layer."""

from headway.tasks.chapters.many_heads.mistakes import (
    heads_added,
    heads_after_time,
    heads_of_full_width,
    memory_asks,
    memory_ignored,
    not_merged,
    one_map_for_all_heads,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import equal

shapes = by_hand(
    "09-many-heads/shapes",
    "Shapes along the way",
    [[2, 3, 5, 4], [2, 3, 5, 7], [2, 5, 12]],
    heads_after_time([[2, 5, 3, 4], [2, 3, 5, 7], [2, 5, 12]]),
    memory_ignored([[2, 3, 5, 4], [2, 3, 5, 5], [2, 5, 12]]),
    memory_asks(
        [[2, 3, 5, 4], [2, 3, 7, 5], [2, 5, 12]],
        [[2, 3, 5, 4], [2, 3, 5, 7], [2, 7, 12]],
    ),
    one_map_for_all_heads([[2, 3, 5, 4], [2, 5, 7], [2, 5, 12]]),
    heads_of_full_width([[2, 3, 5, 12], [2, 3, 5, 7], [2, 5, 12]]),
    heads_added([[2, 3, 5, 4], [2, 3, 5, 7], [2, 5, 4]]),
    not_merged([[2, 3, 5, 4], [2, 3, 5, 7], [2, 3, 5, 4]]),
    minutes=4,
    answer="shapes",
    compare=equal(),
)
