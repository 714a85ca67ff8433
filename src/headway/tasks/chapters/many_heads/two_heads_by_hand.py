"""Predict: two heads worked out by hand."""

from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.mistakes import Misconception

two_heads = by_hand(
    "09-many-heads/two-heads-by-hand",
    "Two heads by hand",
    [3, 13],
    Misconception(
        "output-forgotten",
        [3, 5],
        "This is what the two heads bring back, side by side. What does the last matrix make of "
        "it?",
    ),
    Misconception(
        "output-transposed",
        [8, 10],
        "The heads are right. Which of the two indices of the matrix do you sum over?",
    ),
    Misconception(
        "weights-averaged",
        [1.75, 8.25],
        "You give both heads the mean of their weights. May each head look elsewhere?",
    ),
    Misconception(
        "columns-swapped",
        [1.5, 2.5],
        "Each of your heads mixes the values of the other. Which column belongs to the first?",
    ),
    Misconception(
        "weights-swapped",
        [0.5, 3.5],
        "Each of your heads uses the weights of the other. Which head has which column?",
    ),
    Misconception(
        "heads-in-the-other-order",
        [5, 11],
        "What your heads bring back is right. Which of the two stands first in the row?",
    ),
    Misconception(
        "first-head-for-both",
        [3, 6],
        "Both columns are mixed with the weights of the first head. What does the second one have "
        "weights for?",
    ),
    Misconception(
        "heads-added",
        [8, 24],
        "You add the heads to each other first. Where do they stand before the last product?",
    ),
    minutes=4,
    answer="two_heads",
)
