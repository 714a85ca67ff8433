"""Predict: the shapes along the way through two layers of heads."""

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
