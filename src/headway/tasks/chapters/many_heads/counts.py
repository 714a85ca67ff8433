"""Predict: what eight heads cost, in weights and in scores."""

from headway.tasks.chapters.many_heads.mistakes import (
    HEADS_OF_FULL_WIDTH,
    ONE_MAP_FOR_ALL_HEADS,
    OUTPUT_FORGOTTEN,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception, any_of

counts = by_hand(
    "09-many-heads/counts",
    "What eight heads cost",
    [16_384, 16_384, 800],
    HEADS_OF_FULL_WIDTH.by([16_384, 131_072, 800]),
    Misconception(
        "weights-of-one-head",
        any_of([16_384, 2_048, 800], [2_048, 16_384, 800]),
        "One of your numbers counts the weights of one head among eight. How many heads are there "
        "in that layer, and how wide is a head that is alone?",
    ),
    OUTPUT_FORGOTTEN.by([12_288, 12_288, 800], [12_288, 16_384, 800]),
    ONE_MAP_FOR_ALL_HEADS.by([16_384, 16_384, 100]),
    Misconception(
        "multiplications-for-scores",
        [16_384, 16_384, 6_400],
        "The weights are right. The last number counts the multiplications in making the scores. "
        "How many scores are there?",
    ),
    Misconception(
        "biases-counted",
        [16_640, 16_640, 800],
        "This counts a bias in each projection. Are there any here?",
    ),
    minutes=3,
    answer="counts",
    compare=equal(),
)
