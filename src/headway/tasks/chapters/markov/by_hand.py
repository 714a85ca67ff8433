"""Predict a perplexity."""

import math

from headway.tasks.chapters.markov.mistakes import (
    BASES_MIXED,
    BOUNDARY_MISSING,
    EXPONENTIAL_MISPLACED,
    MEAN_FORGOTTEN,
    MEAN_OF_PROBABILITIES,
    PREDICTIONS_MISCOUNTED,
    WRONG_SIGN,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import close

perplexity_by_hand = by_hand(
    "02-markov/by-hand",
    "A perplexity by hand",
    8.0,
    EXPONENTIAL_MISPLACED.by(3.0),
    BASES_MIXED.by(math.exp(3), 2 ** (3 * math.log(2))),
    MEAN_FORGOTTEN.by(4096.0, 1 / 4096, 12.0),
    MEAN_OF_PROBABILITIES.by(16 / 3, 10.5),
    BOUNDARY_MISSING.by(2 ** (8 / 3)),
    PREDICTIONS_MISCOUNTED.by(16.0),
    WRONG_SIGN.by(1 / 8, -8.0),
    minutes=4,
    answer="by_hand",
    compare=close(atol=2e-2),
)
