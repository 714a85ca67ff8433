"""Predict: a softmax worked out by hand."""

import math

from headway.tasks.chapters.soft_lookup.mistakes import (
    NOT_NORMALIZED,
    SCORES_FOR_WEIGHTS,
    TEMPERATURE_MULTIPLIED,
    TEMPERATURE_NOT_ON_THE_SCORES,
    WINNER_TAKES_ALL,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.mistakes import Misconception


def shares(*parts: float) -> list[float]:
    """Parts of a whole."""
    return [part / sum(parts) for part in parts]


sharing = by_hand(
    "04-soft-lookup/sharing",
    "A softmax by hand",
    shares(1, 4, 9),
    TEMPERATURE_NOT_ON_THE_SCORES.by(shares(1, 2, 3)),
    TEMPERATURE_MULTIPLIED.by(shares(1, math.sqrt(2), math.sqrt(3))),
    SCORES_FOR_WEIGHTS.by(shares(0, math.log(2), math.log(3))),
    NOT_NORMALIZED.by([1, 4, 9]),
    WINNER_TAKES_ALL.by([0, 0, 1]),
    Misconception(
        "exponential-doubled",
        shares(1, 4, 6),
        "Two of your three exponentials are right. What happens to a number whose logarithm is "
        "doubled?",
    ),
    minutes=4,
    answer="sharing",
)
