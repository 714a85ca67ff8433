"""Values to work out by hand: a TF-IDF weight, a cosine, the sizes of two models."""

import math

from headway.tasks.chapters.embeddings.mistakes import (
    ANOTHER_LOGARITHM,
    ANOTHER_RECIPE,
    NO_LOGARITHM,
    ONE_FACTOR_ALONE,
    QUOTIENT_INVERTED,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception, any_of

COUNT, GIVEN = 3, 5.0  # how often both words stand in the document; the weight of the first

# Half as many documents have the other word: ln(N / (df / 2)) = ln(N / df) + ln 2.
weight = by_hand(
    "06-embeddings/weight",
    "The weight of a word",
    GIVEN + COUNT * math.log(2),
    NO_LOGARITHM.by(2 * GIVEN, GIVEN + 2 * COUNT, GIVEN + 2),
    QUOTIENT_INVERTED.by(GIVEN - COUNT * math.log(2), GIVEN / 2),
    ANOTHER_LOGARITHM.by(GIVEN + COUNT * math.log2(2), GIVEN + COUNT * math.log10(2)),
    ONE_FACTOR_ALONE.by(GIVEN + math.log(2), COUNT * (GIVEN + math.log(2))),
    ANOTHER_RECIPE.by(
        GIVEN + (1 + math.log(COUNT)) * math.log(2), GIVEN + math.log(1 + COUNT) * math.log(2)
    ),
    minutes=3,
    answer="weight",
)

# Dot product 4 · 16 = 64; lengths 20 and 5.
similarity = by_hand(
    "06-embeddings/similarity",
    "How alike two words are",
    0.64,
    Misconception(
        "lengths-miscounted",
        any_of(64.0, 64 / 20, 64 / 5, 64 / 3, 64 / 400, 64 / 25, 64 / (400 * 25), 64 / (28 * 7)),
        "This is the dot product, as it is or divided by something else than both lengths. What is "
        "the length of a row?",
    ),
    Misconception(
        "distance-for-cosine",
        any_of(
            math.sqrt(297),
            297.0,
            -math.sqrt(297),
            1 / (1 + math.sqrt(297)),
            12 + 3 + 12,
            0.36,
            math.acos(0.64),
            math.degrees(math.acos(0.64)),
        ),
        "This tells how far apart the two rows are. Which measure tells how alike they are, "
        "however long the texts?",
    ),
    minutes=2,
    answer="similarity",
)

V, C = 6_000, 50

parameters = by_hand(
    "06-embeddings/parameters",
    "What a model has to learn",
    [2 * V * C, 2 * C - 1],
    Misconception(
        "bias-miscounted",
        any_of(
            [2 * V * C, 2 * C],
            [2 * V * C, 2 * C + 1],
            [2 * V * C, 2 * C - 2],
            [2 * V * C + V, 2 * C],
            [2 * V * C + V, 2 * C - 1],
        ),
        "The tables are counted right, the biases are not. Which of the two models has any, and "
        "for what is there one each?",
    ),
    Misconception(
        "ends-miscounted",
        any_of(
            [V * C, C - 1],
            [V * C, C],
            [V * C, 2 * C - 1],
            [2 * V * C, C - 1],
            [2 * V * C, C],
            [2 * V * C, 4 * C - 1],
            [2 * V * C, 4 * C],
            [V * V, 2 * C - 1],
            [2 * V * V, 2 * C - 1],
            [2 * (V + C), 2 * C - 1],
        ),
        "You count too many tables or too few, or tables of another size. How many does each model "
        "keep for its two ends, and how many numbers has one?",
    ),
    Misconception(
        "other-order",
        [2 * C - 1, 2 * V * C],
        "Both numbers are right, in the other order. Which is asked for first?",
    ),
    minutes=2,
    answer="parameters",
    compare=close(atol=0.5, rtol=0),
)
