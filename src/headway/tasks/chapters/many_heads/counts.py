"""Predict: what eight heads cost, in weights and in scores."""

from headway.tasks.chapters.many_heads.mistakes import (
    HEADS_OF_ANOTHER_WIDTH,
    OUTPUT_FORGOTTEN,
    QUERY_AND_MEMORY_MIXED_UP,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception, any_of

counts = by_hand(
    "09-many-heads/counts",
    "What eight heads cost",
    [16_384, 24_576, 960],
    HEADS_OF_ANOTHER_WIDTH.by(
        [131_072, 24_576, 960],
        [131_072, 131_072, 960],
        [131_072, 196_608, 960],
        [16_384, 131_072, 960],
        [16_384, 196_608, 960],
    ),
    Misconception(
        "one-head-counted",
        any_of(
            [2_048, 24_576, 960],
            [16_384, 3_072, 960],
            [2_048, 3_072, 960],
            [5_632, 9_728, 960],  # W_O whole, the others of one head
            [16_384, 24_576, 120],
        ),
        "One of your numbers counts the weights or the scores of one head alone. How many heads "
        "does that layer have, and what has each of them for itself?",
    ),
    OUTPUT_FORGOTTEN.by(
        [12_288, 16_384, 960], [12_288, 24_576, 960], [16_384, 16_384, 960], [12_288, 20_480, 960]
    ),
    Misconception(
        "one-matrix-widened-alone",
        any_of([16_384, 20_480, 960], [16_384, 28_672, 960], [16_384, 32_768, 960]),
        "With wider values, you count too few or too many matrices as larger. Which matrices make "
        "the values or meet them, and which never do?",
    ),
    QUERY_AND_MEMORY_MIXED_UP.by(
        [16_384, 24_576, 800],
        [16_384, 24_576, 100],
        [16_384, 24_576, 1_152],
        [16_384, 24_576, 144],
    ),
    Misconception(
        "too-much-counted",
        any_of(
            [16_384, 24_576, 7_680],
            [16_384, 24_576, 61_440],
            [16_640, 24_896, 960],
            [16_640, 24_832, 960],
        ),
        "You count what is not asked for. How many scores are there, whatever it takes to compute "
        "them, and how many biases?",
    ),
    minutes=6,
    answer="counts",
    compare=equal(),
)
