"""Predict: a mixture of three values, worked out by hand."""

import math

from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.mistakes import Misconception


def shares(*parts: float) -> list[float]:
    """Parts of a whole; zeros of nothing."""
    return [part / sum(parts) if part else 0.0 for part in parts]


def mixed(*parts: float, whole: float | None = None) -> list[float]:
    """The values (6, 0), (0, 6) and (12, 0) of the question, mixed in these parts."""
    whole = sum(parts) if whole is None else whole
    a, b, c = (part / whole for part in parts)
    return [6 * a + 12 * c, 6 * b]


mixture = by_hand(
    "08-attention/mixture",
    "One query, three keys",
    mixed(1, 2, 3),
    Misconception(
        "no-scale",
        mixed(1, 4, 9),
        "This is right for dot products that are taken as they are. What are they divided by "
        "before the softmax?",
    ),
    Misconception(
        "scaled-by-width",
        mixed(1, math.sqrt(2), math.sqrt(3)),
        "You divided the dot products by 4, the width of the query. That is one square root too "
        "much or too little: which?",
    ),
    Misconception(
        "zero-ignored",
        mixed(0, 2, 3),
        "The first key gets nothing here, since its dot product is 0. What does the exponential "
        "make of 0?",
    ),
    Misconception(
        "scores-as-weights",
        mixed(0, math.log(2), math.log(3)),
        "You divided the scores by their sum. Which function stands between scores and weights?",
    ),
    Misconception(
        "scores-as-they-are",
        mixed(0, math.log(2), math.log(3), whole=1),
        "You mixed the values by the scores as they are. What do these add up to, and which "
        "function makes weights of scores?",
    ),
    Misconception(
        "scaled-by-number-of-keys",
        mixed(1, 2 ** (2 / math.sqrt(3)), 3 ** (2 / math.sqrt(3))),
        "You divided by the root of 3, the number of keys. How many numbers are added up in one "
        "dot product?",
    ),
    Misconception(
        "equal-weights",
        mixed(1, 1, 1),
        "This is the mean of the three values. Do all three keys match the query equally well?",
    ),
    Misconception(
        "best-alone",
        mixed(0, 0, 1),
        "This is the value of the best key alone. How much do the other two still weigh?",
    ),
    Misconception(
        "weights-not-divided",
        mixed(1, 2, 3, whole=1),
        "Your weights are in the right proportion. What should they add up to?",
    ),
    Misconception(
        "scale-after-softmax",
        mixed(1, 4, 9, whole=28),
        "You divided by the square root of the width after the softmax: your weights add up to "
        "one half. Where in the formula does the square root stand?",
    ),
    Misconception(
        "weights-for-mixture",
        shares(1, 2, 3),
        "These are the weights, and they are right. What are they the weights of?",
    ),
    minutes=4,
    answer="mixture",
)
