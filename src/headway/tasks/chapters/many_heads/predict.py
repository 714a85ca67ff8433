"""Predict: shapes, counts, and two heads worked out by hand."""

from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception

shapes = by_hand(
    "09-many-heads/shapes",
    "Shapes along the way",
    [[2, 3, 5, 4], [2, 3, 5, 7], [2, 5, 12]],
    Misconception(
        "heads-after-time",
        [[2, 5, 3, 4], [2, 3, 5, 7], [2, 5, 12]],
        "The scores have the heads before the time. What must change places before a product over "
        "the last two axes can work inside each head?",
    ),
    Misconception(
        "memory-forgotten",
        [[2, 3, 5, 4], [2, 3, 5, 5], [2, 5, 12]],
        "These are the scores of tokens that look at each other. How many tokens are looked at "
        "here?",
    ),
    Misconception(
        "scores-transposed",
        [[2, 3, 5, 4], [2, 3, 7, 5], [2, 5, 12]],
        "A row of scores belongs to one token that asks. How many of them are there?",
    ),
    Misconception(
        "one-map-for-all",
        [[2, 3, 5, 4], [2, 5, 7], [2, 5, 12]],
        "These scores are the same for all heads. Does each head look in its own way?",
    ),
    Misconception(
        "heads-of-full-width",
        [[2, 3, 5, 12], [2, 3, 5, 7], [2, 5, 12]],
        "Here every head has all columns of the queries. How many are there for each, if all heads "
        "share them?",
    ),
    Misconception(
        "output-of-one-head",
        [[2, 3, 5, 4], [2, 3, 5, 7], [2, 5, 4]],
        "This is as wide as one head. What happens to what the heads bring back?",
    ),
    Misconception(
        "output-not-merged",
        [[2, 3, 5, 4], [2, 3, 5, 7], [2, 3, 5, 4]],
        "This is what the heads bring back. What happens to it before it leaves the layer?",
    ),
    Misconception(
        "output-for-the-memory",
        [[2, 3, 5, 4], [2, 3, 5, 7], [2, 7, 12]],
        "This output has a row for each token that is looked at. Which tokens asked?",
    ),
    minutes=4,
    answer="shapes",
    compare=equal(),
)

counts = by_hand(
    "09-many-heads/counts",
    "What eight heads cost",
    [16_384, 16_384, 800],
    Misconception(
        "weights-grow-with-heads",
        [16_384, 131_072, 800],
        "You give every head matrices of full width. How wide is the projection of one head, if "
        "eight share the 64 columns?",
    ),
    Misconception(
        "weights-of-one-head",
        [16_384, 2_048, 800],
        "This counts the weights of one head. How many are there in all?",
    ),
    Misconception(
        "one-of-the-eight",
        [2_048, 16_384, 800],
        "Your first number counts the weights of one of the eight heads. How wide is a head that "
        "is alone?",
    ),
    Misconception(
        "output-with-many-heads-only",
        [12_288, 16_384, 800],
        "With one head, you leave the output projection out. Does the layer?",
    ),
    Misconception(
        "one-map-for-all",
        [16_384, 16_384, 100],
        "The weights are right. These are the scores of one head: what do the other seven do?",
    ),
    Misconception(
        "output-forgotten",
        [12_288, 12_288, 800],
        "This counts queries, keys and values. What mixes the heads at the end?",
    ),
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
