"""Predict how the tables grow with the order."""

from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception

sizes = by_hand(
    "02-markov/sizes",
    "How tables grow with the order",
    [[10, 10], [1000, 10]],
    Misconception(
        "boundary-forgotten",
        [[9, 9], [729, 9]],
        "You count the nine words. Which tenth symbol can stand before the first word, and "
        "come after the last?",
    ),
    Misconception(
        "boundary-in-rows-only",
        [[10, 9], [1000, 9]],
        "A sentence can also end. In which column is the probability of that?",
    ),
    Misconception(
        "rows-times-order",
        [[10, 10], [30, 10]],
        "You multiply by the order. How many different pairs can be made of ten symbols, and "
        "how many triples?",
    ),
    Misconception(
        "columns-grow-too",
        [[10, 10], [1000, 1000]],
        "Your second table predicts three symbols at once. How many symbols come next?",
    ),
    Misconception(
        "table-on-its-side",
        [[10, 10], [10, 1000]],
        "All the numbers are there, with the contexts as columns. Where do they stand in the "
        "chapter?",
    ),
    Misconception(
        "square-for-cube",
        [[10, 10], [100, 10]],
        "That many rows hold all pairs of symbols. How many symbols back does order 3 look?",
    ),
    Misconception(
        "one-order-too-many",
        [[100, 10], [10000, 10]],
        "You count the next symbol among those that are looked back at. Is it in the row or "
        "in the column?",
    ),
    minutes=3,
    answer="sizes",
    compare=equal(),
)
