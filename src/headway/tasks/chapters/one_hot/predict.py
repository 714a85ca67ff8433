"""Predict, worked out by hand: the tasks `dot`, `shapes` and `mixture`."""

import numpy as np

from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception

dot = by_hand(
    "01-one-hot/dot",
    "A dot product by hand",
    2 * 3 + -1 * 5 + 4 * -2,
    Misconception(
        "opposite-signs-vanish",
        6,
        "You kept only the place where both numbers are positive. What is −1 times 5?",
    ),
    Misconception(
        "signs-lost",
        19,
        "This is the sum of the products without their signs. Two of the products are below 0.",
    ),
    Misconception(
        "sums-multiplied",
        30,
        "This is the sum of one vector times the sum of the other. Which numbers meet in a "
        "dot product: each with each, or those at the same place?",
    ),
    Misconception(
        "products-not-added",
        [6, -5, -8],
        "These are the three products. A dot product is one number: what is done with them?",
    ),
    Misconception(
        "cosine-for-dot",
        round(-7 / np.sqrt(21 * 38), 3),
        "This is the cosine of the angle. The dot product also knows how long the vectors are.",
    ),
    minutes=2,
    answer="dot",
)

shapes = by_hand(
    "01-one-hot/shapes",
    "Shapes through one-hot and matrix",
    [[4, 7, 50], [4, 7, 16]],
    Misconception(
        "no-batch",
        [[7, 50], [7, 16]],
        "These are the shapes for one sentence. How many sentences come in?",
    ),
    Misconception(
        "batch-flattened",
        [[28, 50], [28, 16]],
        "The numbers are all there, but which sentence a word came from can no longer be seen.",
    ),
    Misconception(
        "sized-by-sentence",
        [[4, 7, 7], [4, 7, 16]],
        "Your vectors have one place for each word of the sentence. Each place of a one-hot "
        "vector stands for a word; which words?",
    ),
    Misconception(
        "vocabulary-first",
        [[50, 4, 7], [16, 4, 7]],
        "The new axis is there, at the other end. Where does it stand in (..., V)?",
    ),
    Misconception(
        "product-keeps-both",
        [[4, 7, 50], [4, 7, 50, 16]],
        "Each of the 50 places was multiplied with a row of the matrix. What happens to those "
        "50 products before the result is done?",
    ),
    Misconception(
        "words-lost",
        [[4, 50], [4, 16]],
        "These are the shapes for sentences of a single word. Where are the other six?",
    ),
    Misconception(
        "pair-swapped",
        [[4, 7, 16], [4, 7, 50]],
        "Both shapes are right, in the other order. Which one is asked for first?",
    ),
    Misconception(
        "size-lost",
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
        "label-mean",
        [2.0, 6.0],
        "This is the row whose id lies halfway between the two ids. Does the mean of two ids "
        "mean anything?",
    ),
    Misconception(
        "rows-added",
        [2.0, 3.0],
        "This is the two rows added up, each counted whole. How much of each row is asked for?",
    ),
    Misconception(
        "mean-of-all-rows",
        [4 / 3, 3.0],
        "This is the mean of all three rows. What does the 0 in the vector do to its row?",
    ),
    Misconception(
        "first-row-wins",
        [4.0, 0.0],
        "This is one whole row, as if the vector were one-hot. Where is the other half?",
    ),
    minutes=3,
    answer="mixture",
)
