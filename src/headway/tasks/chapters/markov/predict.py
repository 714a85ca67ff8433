"""Predict: probabilities, sizes and a perplexity worked out by hand."""

import math

from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import close, equal
from headway.tasks.engine.mistakes import Misconception

# The sentences of `after`, as the notebook prints them.
COMMANDS = (
    "show files please",
    "show my files please",
    "find files",
    "my files please",
    "show my photos",
)

after = by_hand(
    "02-markov/after",
    "Two probabilities from five sentences",
    [3 / 4, 1 / 4],
    Misconception(
        "tail-lost",
        [1.0, 0.0],
        "You count only words that follow other words. What follows the last word of a sentence?",
    ),
    Misconception(
        "columns-normalized",
        [1.0, 1 / 5],
        "These are shares of what comes next: of all places where please stands, and of all "
        "ends. Of which places should they be shares?",
    ),
    Misconception(
        "counts-for-probabilities",
        [3, 1],
        "These are counts. How often does the word files occur altogether?",
    ),
    Misconception(
        "divided-by-everything",
        [3 / 20, 1 / 20],
        "You divide by all 20 places where something is predicted. At how many of them has "
        "the word files just been said?",
    ),
    Misconception(
        "share-of-sentences",
        [3 / 5, 1 / 5],
        "You divide by the number of sentences. Does the word files stand in each of them?",
    ),
    Misconception(
        "order-zero",
        [3 / 20, 5 / 20],
        "This is how often the two come anywhere in the text. What does it matter that the "
        "last word was files?",
    ),
    Misconception(
        "pair-swapped",
        [1 / 4, 3 / 4],
        "Both numbers are right, in the other order. Which one is asked for first?",
    ),
    Misconception(
        "end-left-out",
        [3 / 4],
        "This is one number, and it is right. How probable is it that nothing comes any more?",
    ),
    minutes=4,
    answer="after_files",
)

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

by_hand = by_hand(
    "02-markov/by-hand",
    "A perplexity by hand",
    4.0,
    Misconception(
        "bits-for-perplexity",
        2.0,
        "This is the mean number of bits. Among how many equally likely symbols does one "
        "choose with so many bits?",
    ),
    Misconception(
        "exp-of-bits",
        math.exp(2),
        "You take logarithms to the base 2 and undo them with the exponential function. To "
        "which base is that?",
    ),
    Misconception(
        "mean-left-out",
        256.0,
        "This is one over the probability of the whole sentence. It grows with every word; "
        "how many predictions was it made of?",
    ),
    Misconception(
        "mean-of-probabilities",
        3.2,
        "This is one over the mean of the four probabilities. A perplexity takes the mean of "
        "something else: what is added up when probabilities are multiplied?",
    ),
    Misconception(
        "mean-of-inverses",
        5.0,
        "You average 2, 8, 2 and 8 themselves. What would you have to average so that a "
        "product of probabilities becomes a sum?",
    ),
    Misconception(
        "end-not-counted",
        2 ** (5 / 3),
        "You leave the end of the sentence out. Is that not predicted as well?",
    ),
    Misconception(
        "end-not-in-the-mean",
        2 ** (8 / 3),
        "The end is in your sum, and not in the number that you divide by. How many "
        "predictions are there?",
    ),
    Misconception(
        "probability-for-perplexity",
        1 / 256,
        "This is the probability of the whole sentence. A perplexity is never below 1.",
    ),
    Misconception(
        "minus-lost",
        1 / 4,
        "You have found the right mean, and this is the probability that belongs to it. Among how "
        "many equally likely symbols does each have this probability?",
    ),
    minutes=4,
    answer="by_hand",
    compare=close(atol=2e-2),
)
