"""Predict a perplexity."""

import math

from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception

perplexity_by_hand = by_hand(
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
