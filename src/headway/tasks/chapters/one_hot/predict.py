"""Predict, worked out by hand: the tasks `dot`, `shapes` and `mixture`."""

from headway.tasks.chapters.one_hot.mistakes import (
    AXIS_LOST,
    IDS_NOT_SORTED,
    PRODUCTS_NOT_ADDED,
    SIZED_BY_TEXT,
    TRANSPOSED,
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
        "With your x, a product below 0 counts as if it were above, or the other way around. What "
        "is −3 times x, and what is 4 times −1?",
    ),
    Misconception(
        "sums-multiplied",
        -4,
        "With your x, the sum of one vector times the sum of the other is 0. Which numbers does a "
        "dot product multiply with each other?",
    ),
    PRODUCTS_NOT_ADDED.by([10, -6, -4], [10, 0, -4]),
    Misconception(
        "right-angle-mistaken",
        any_of(0, 0.5, 6, -7.5, 7.5, 5 / 3, 7 / 3),
        "With your x, the dot product is not 0. What does a right angle demand, and what must the "
        "middle product be then?",
    ),
    minutes=3,
    answer="dot",
)

shapes = by_hand(
    "01-one-hot/shapes",
    "Shapes through one-hot and two matrices",
    [[4, 7, 50], [16, 30], [4, 7, 30]],
    AXIS_LOST.by(
        [[7, 50], [16, 30], [7, 30]],
        [[4, 50], [16, 30], [4, 30]],
        [[4, 7, 50], [16, 30], [4, 30]],
        [[4, 7, 50], [16, 30], [7, 30]],
        [[4, 7], [16, 30], [4, 7, 30]],
        [[4, 7], [16, 30], [4, 30]],
        [[28, 50], [16, 30], [28, 30]],
        [[4, 7, 50], [16, 30], [28, 30]],
    ),
    SIZED_BY_TEXT.by([[4, 7, 7], [16, 30], [4, 7, 30]]),
    TRANSPOSED.by([[50, 4, 7], [16, 30], [30, 4, 7]], [[50, 4, 7], [16, 30], [4, 7, 30]]),
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
        "Your U doesn't fit behind X W, or doesn't set your last shape. How many numbers does "
        "each word have in X W, and how many after U?",
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
        "This comes from the mean of two ids: a row with that number, or numbers between two "
        "rows. Does the mean of two ids mean anything?",
    ),
    Misconception(
        "rows-misweighted",
        any_of(
            [2.5, 0.75], [2.0, 3.0], [1.0, 1.5], [4 / 3, 3.0], [4.0, 0.0], [-2.0, 3.0], [-2.0, 9.0]
        ),
        "Your rows don't count as the mixture says. Which row belongs to which word, and how much "
        "of each row is asked for?",
    ),
    minutes=4,
    answer="mixture",
)
