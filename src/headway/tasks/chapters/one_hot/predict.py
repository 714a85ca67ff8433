"""Predict, worked out by hand: the tasks `dot`, `shapes` and `mixture`."""

import numpy as np

from headway.tasks.chapters.one_hot.mistakes import (
    BATCH_FLATTENED,
    COSINE_FOR_DOT_PRODUCT,
    PRODUCTS_NOT_ADDED,
    SIZED_BY_TEXT,
    VOCABULARY_FIRST,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception, any_of

dot = by_hand(
    "01-one-hot/dot",
    "A dot product by hand",
    2 * 3 + -1 * 5 + 4 * -2,
    Misconception(
        "signs-lost",
        any_of(6, 19),
        "Two of the three products are below 0. In yours they count as 0, or without their signs. "
        "What is −1 times 5?",
    ),
    Misconception(
        "sums-multiplied",
        30,
        "This is the sum of one vector times the sum of the other. Which numbers meet in a "
        "dot product: each with each, or those at the same place?",
    ),
    PRODUCTS_NOT_ADDED.by([6, -5, -8]),
    COSINE_FOR_DOT_PRODUCT.by(round(-7 / np.sqrt(21 * 38), 3)),
    minutes=2,
    answer="dot",
)

shapes = by_hand(
    "01-one-hot/shapes",
    "Shapes through one-hot and matrix",
    [[4, 7, 50], [4, 7, 16]],
    Misconception(
        "axis-lost",
        any_of([[7, 50], [7, 16]], [[4, 50], [4, 16]]),
        "These are the shapes for a single sentence, or for sentences of a single word. How many "
        "sentences come in, and how many words has each?",
    ),
    BATCH_FLATTENED.by([[28, 50], [28, 16]]),
    SIZED_BY_TEXT.by([[4, 7, 7], [4, 7, 16]]),
    VOCABULARY_FIRST.by([[50, 4, 7], [16, 4, 7]]),
    PRODUCTS_NOT_ADDED.by([[4, 7, 50], [4, 7, 50, 16]]),
    Misconception(
        "results-in-another-order",
        [[4, 7, 16], [4, 7, 50]],
        "Both shapes are right, in the other order. Which one is asked for first?",
    ),
    Misconception(
        "ids-for-vectors",
        [[4, 7], [4, 7, 16]],
        "You give the shape of the ids, (4, 7). What does each single id turn into?",
    ),
    minutes=3,
    answer="shapes",
    compare=equal(),
)

mixture = by_hand(
    "01-one-hot/mixture",
    "A mixture times a matrix",
    [1.0, 1.5],
    Misconception(
        "row-of-the-mean-id",
        [2.0, 6.0],
        "This is the row whose id lies halfway between the two ids. Does the mean of two ids "
        "mean anything?",
    ),
    Misconception(
        "rows-misweighted",
        any_of([2.0, 3.0], [4 / 3, 3.0], [4.0, 0.0]),
        "Your rows do not count as the vector says: one or several count in full, or all of them "
        "count alike. How much of each row is asked for, and what does the 0 do to its row?",
    ),
    minutes=3,
    answer="mixture",
)
