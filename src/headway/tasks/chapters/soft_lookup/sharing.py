"""Predict: a softmax worked out by hand."""

import math

from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.mistakes import Misconception


def shares(*parts: float) -> list[float]:
    """Parts of a whole."""
    return [part / sum(parts) for part in parts]


sharing = by_hand(
    "04-soft-lookup/sharing",
    "A softmax by hand",
    shares(1, 4, 9),
    Misconception(
        "temperature-ignored",
        shares(1, 2, 3),
        "These are the weights at temperature 1. What happens to a score when you divide it "
        "by one half?",
    ),
    Misconception(
        "temperature-multiplied",
        shares(1, math.sqrt(2), math.sqrt(3)),
        "These are the weights at temperature 2: the best score has lost. Does a low "
        "temperature sharpen the weights or level them?",
    ),
    Misconception(
        "scores-rescaled",
        shares(0, math.log(2), math.log(3)),
        "This divides the scores by their sum, and a score of 0 gets nothing. Which function "
        "makes positive numbers of all scores first?",
    ),
    Misconception(
        "not-divided",
        [1, 4, 9],
        "These three are in the right proportion. What should they add up to?",
    ),
    Misconception(
        "largest-takes-all",
        [0, 0, 1],
        "This is the limit at temperature 0. Is one half low enough for that?",
    ),
    Misconception(
        "exponential-doubled",
        shares(1, 4, 6),
        "Two of your three exponentials are right. What is e to the power 2 ln 3: twice 3, or "
        "3 times 3?",
    ),
    minutes=4,
    answer="sharing",
)
