"""Predict: the output of two heads, worked out by hand."""

from headway.tasks.chapters.many_heads.mistakes import (
    heads_added,
    heads_swapped,
    matrix_transposed,
    one_map_for_all_heads,
    output_forgotten,
)
from headway.tasks.engine.by_hand import by_hand

two_heads = by_hand(
    "09-many-heads/two-heads-by-hand",
    "Two heads by hand",
    [3, 13],
    output_forgotten([3, 5]),
    matrix_transposed([8, 10]),
    one_map_for_all_heads([1.75, 8.25], [3, 6]),
    # The other's columns of values, the other's weights, the other's place in the row.
    heads_swapped([1.5, 2.5], [0.5, 3.5], [5, 11]),
    heads_added([8, 24]),
    minutes=4,
    answer="two_heads",
)
