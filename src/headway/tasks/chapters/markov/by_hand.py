"""Predict a perplexity."""

import math

from headway.tasks.chapters.markov.mistakes import (
    bases_mixed,
    end_missing,
    end_not_in_the_total,
    mean_left_out,
    mean_of_probabilities,
    sign_mistaken,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception, any_of

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
    bases_mixed(math.exp(2)),
    mean_left_out(any_of(256.0, 1 / 256)),
    mean_of_probabilities(any_of(3.2, 5.0)),
    end_missing(2 ** (5 / 3)),
    end_not_in_the_total(2 ** (8 / 3)),
    sign_mistaken(1 / 4),
    minutes=4,
    answer="by_hand",
    compare=close(atol=2e-2),
)
