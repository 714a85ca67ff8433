"""Predict, worked out by hand: the tasks `dot`, `shapes` and `mixture`."""

from headway.tasks.chapters.one_hot.mistakes import (
    BATCH_FLATTENED,
    COSINE_FOR_DOT_PRODUCT,
    IDS_NOT_SORTED,
    PRODUCTS_NOT_ADDED,
    SIZED_BY_TEXT,
    VOCABULARY_FIRST,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception, any_of

dot = by_hand(
    "01-one-hot/dot",
    "A right angle by hand",
    2,
    Misconception(
        "signs-lost",
        any_of(-2, 14 / 3, -14 / 3),
        "With your x a product that is below 0 counts as if it were above, or the other way round. "
        "What is −3 times x, and what is 4 times −1?",
    ),
    Misconception(
        "sums-multiplied",
        -4,
        "With your x the sum of one vector times the sum of the other is 0. Which numbers meet in "
        "a dot product: each with each, or those at the same place?",
    ),
    PRODUCTS_NOT_ADDED.by(0, [10, -6, -4], [10, 0, -4]),
    COSINE_FOR_DOT_PRODUCT.by(0.5),
    Misconception(
        "right-angle-mistaken",
        any_of(6, -7.5, 7.5, 5 / 3, 7 / 3),
        "With your x the dot product is not 0. What does a right angle ask of it, and what must "
        "the middle product be then?",
    ),
    minutes=3,
    answer="dot",
)

shapes = by_hand(
    "01-one-hot/shapes",
    "Shapes through one-hot and two matrices",
    [[4, 7, 50], [16, 30], [4, 7, 30]],
    Misconception(
        "axis-lost",
        any_of(
            [[7, 50], [16, 30], [7, 30]],
            [[4, 50], [16, 30], [4, 30]],
            [[4, 7, 50], [16, 30], [4, 30]],
            [[4, 7, 50], [16, 30], [7, 30]],
            [[4, 7], [16, 30], [4, 7, 30]],
            [[4, 7], [16, 30], [4, 30]],
        ),
        "An axis is gone: that of the sentences, that of their words, or the one that each id gets "
        "when it turns into a vector. How many sentences come in, of how many words, and how long "
        "is a vector?",
    ),
    BATCH_FLATTENED.by([[28, 50], [16, 30], [28, 30]], [[4, 7, 50], [16, 30], [28, 30]]),
    SIZED_BY_TEXT.by([[4, 7, 7], [16, 30], [4, 7, 30]]),
    VOCABULARY_FIRST.by([[50, 4, 7], [16, 30], [30, 4, 7]], [[50, 4, 7], [16, 30], [4, 7, 30]]),
    PRODUCTS_NOT_ADDED.by(
        [[4, 7, 50], [16, 30], [4, 7, 50, 16, 30]], [[4, 7, 50], [16, 30], [4, 7, 16, 30]]
    ),
    Misconception(
        "sizes-that-do-not-meet",
        any_of(
            [[4, 7, 50], [30, 16], [4, 7, 30]],
            [[4, 7, 50], [50, 30], [4, 7, 30]],
            [[4, 7, 50], [7, 30], [4, 7, 30]],
            [[4, 7, 50], [50, 16], [4, 7, 30]],
            [[4, 7, 50], [4, 7, 30], [4, 7, 30]],
            [[4, 7, 50], [16, 30], [4, 7, 16]],
        ),
        "Your U does not fit behind X W, or is not in your last shape. How many numbers has each "
        "word in X W, how many rows does U need to meet them, and what comes out?",
    ),
    minutes=4,
    answer="shapes",
    compare=equal(),
)

mixture = by_hand(
    "01-one-hot/mixture",
    "A mixture times a matrix",
    [-0.5, 2.25],
    IDS_NOT_SORTED.by([3.5, 1.5], [2.5, 4.5]),
    Misconception(
        "row-of-the-mean-id",
        any_of([2.0, 6.0], [0.0, 4.5], [3.0, 3.0]),
        "This is the row of the mean of two ids, or what lies between two rows there. Does the "
        "mean of two ids mean anything?",
    ),
    Misconception(
        "rows-misweighted",
        any_of(
            [2.5, 0.75], [2.0, 3.0], [1.0, 1.5], [4 / 3, 3.0], [4.0, 0.0], [-2.0, 3.0], [-2.0, 9.0]
        ),
        "Your rows do not count as the mixture says: in full, more than once, all alike, or each "
        "as much as the other should. Which row belongs to which word, how much of it is asked "
        "for, and what does a 0 do to its row?",
    ),
    minutes=4,
    answer="mixture",
)
