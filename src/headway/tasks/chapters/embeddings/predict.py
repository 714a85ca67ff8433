"""Values to work out by hand: a TF-IDF weight, a cosine, the sizes of two models."""

import math

from headway.tasks.chapters.embeddings.mistakes import (
    ANOTHER_LOGARITHM,
    COUNT_DAMPED,
    DIVIDED_BY_THE_LENGTH,
    NO_LOGARITHM,
    OCCURRENCES_FOR_DOCUMENTS,
    ONE_FACTOR_ALONE,
    QUOTIENT_INVERTED,
    SMOOTHED_QUOTIENT,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception, any_of

COUNT, LENGTH, DOCUMENTS, HAVING, OCCURRENCES = 3, 12, 40, 5, 16

weight = by_hand(
    "06-embeddings/weight",
    "The weight of a word",
    COUNT * math.log(DOCUMENTS / HAVING),
    NO_LOGARITHM.by(COUNT * DOCUMENTS / HAVING, COUNT * HAVING / DOCUMENTS),
    OCCURRENCES_FOR_DOCUMENTS.by(
        COUNT * math.log(DOCUMENTS / OCCURRENCES), COUNT * DOCUMENTS / OCCURRENCES
    ),
    ANOTHER_LOGARITHM.by(COUNT * math.log2(8), COUNT * math.log10(8)),
    QUOTIENT_INVERTED.by(-COUNT * math.log(8)),
    DIVIDED_BY_THE_LENGTH.by(COUNT / LENGTH * math.log(8), COUNT / LENGTH * 8),
    SMOOTHED_QUOTIENT.by(
        COUNT * math.log(41 / 6),
        COUNT * (math.log(41 / 6) + 1),
        COUNT * (math.log(8) + 1),
        COUNT * math.log(DOCUMENTS / 6),
    ),
    ONE_FACTOR_ALONE.by(math.log(8), 8.0),
    COUNT_DAMPED.by((1 + math.log(COUNT)) * math.log(8), math.log(1 + COUNT) * math.log(8)),
    minutes=2,
    answer="weight",
)

# Dot product 7; lengths 2 and 5; width 4.
similarity = by_hand(
    "06-embeddings/similarity",
    "How alike two words are",
    0.7,
    Misconception(
        "lengths-miscounted",
        any_of(7.0, 7 / 4, 7 / 7, 7 / 2, 7 / 5, 7 / 100, 7 / (4 * 5), 7 / (2 * 25)),
        "This is the dot product, as it is or divided by something else than both lengths. What "
        "happens to your number when one of the vectors is made twice as long, and what is the "
        "length of a vector?",
    ),
    Misconception(
        "signs-dropped",
        any_of(0.9, 9.0),
        "Your terms are all added, as if no number were below zero. What does a product with one "
        "negative factor do to the sum?",
    ),
    Misconception(
        "distance-for-cosine",
        any_of(math.sqrt(24), 24.0, 0.3, math.acos(0.7), math.degrees(math.acos(0.7))),
        "This tells how far apart the two are, as a distance, an angle or what is missing to 1. "
        "Which number is 1 for vectors that point the same way?",
    ),
    minutes=2,
    answer="similarity",
)

V, C = 6_000, 50

parameters = by_hand(
    "06-embeddings/parameters",
    "What a model has to learn",
    [2 * V * C, V * C + V],
    Misconception(
        "bias-miscounted",
        any_of(
            [2 * V * C, V * C],
            [2 * V * C, V * C + C],
            [2 * V * C, V * C + 1],
            [2 * V * C, V * C + 2 * V],
            [2 * V * C + V, V * C + V],
            [2 * V * C + V, V * C],
        ),
        "The matrices are counted right, and the biases are not: they are left out, or there are "
        "too many or too few, or they are in the wrong model. For what is there one each?",
    ),
    Misconception(
        "ends-miscounted",
        any_of(
            [2 * V * C, 2 * V * C + V],
            [2 * V * C, 2 * V * C],
            [V * C, V * C + V],
            [V * C, V],
            [V * C, V * C // 2 + V],
        ),
        "A model has two ends. How many matrices does each of the two models keep for them?",
    ),
    Misconception(
        "size-of-a-table",
        any_of(
            [V * V, V * V + V],
            [2 * V * V, V * V + V],
            [V * V, V * V // 2],
            [2 * V, 2 * V],
            [2 * (V + C), V + C + V],
            [2 * V + C, V + C],
        ),
        "You count a table for all pairs of words, or add the sizes of one. How many numbers does "
        "one word have in an embedding, and how many words are there?",
    ),
    Misconception(
        "other-order",
        [V * C + V, 2 * V * C],
        "Both numbers are right, and they stand in the other order. Which model comes first?",
    ),
    minutes=2,
    answer="parameters",
    compare=close(atol=0.5, rtol=0),
)
