"""Predict: what is kept of a draft, what weights take, and what a round gives."""

import math
from collections.abc import Callable

from headway.tasks.chapters.cheaper.mistakes import (
    KEPT_BY_ANOTHER_RULE,
    MODELS_OWN_WORD,
    REDRAWN_FROM_ANOTHER_REST,
    RESULTS_IN_ANOTHER_ORDER,
    WORDS_BEHIND_A_REJECTION,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.mistakes import Misconception


def near(one: float, *others: float) -> bool:
    """Whether a number is one of some others, but for rounding to two digits behind the point."""
    return any(math.isclose(one, other, rel_tol=2e-3) for other in others)


def told(tell: Callable[[float, float], bool]):
    """A predicate on the two numbers of an answer."""
    return lambda got, expected, case: tell(*got)


KEPT, OWN = 0.6, 0.75

kept = by_hand(
    "19-cheaper/kept",
    "What is kept of a draft",
    [KEPT, OWN],
    RESULTS_IN_ANOTHER_ORDER.by([OWN, KEPT]),
    KEPT_BY_ANOTHER_RULE.by([0.2075, OWN], shows=told(lambda kept, own: not near(kept, KEPT))),
    REDRAWN_FROM_ANOTHER_REST.by([KEPT, 0.4], shows=told(lambda kept, own: near(kept, KEPT))),
    minutes=6,
    answer="kept",
)

BITS, GIGABYTES = 5 + 16 / 64, 6 * (5 + 16 / 64) / 8
UNITS = 1, 8, 64, 1 / 8, 1e9, 1e9 / 2**30, 1000 / 1024

size = by_hand(
    "19-cheaper/size",
    "What weights take",
    [BITS, GIGABYTES],
    RESULTS_IN_ANOTHER_ORDER.by([GIGABYTES, BITS]),
    Misconception(
        "bits-and-bytes-mixed-up",
        [BITS, 6 * BITS],
        "Your count is right but for its unit. How many bits has a byte, and which of the two is "
        "asked for?",
        told(lambda bits, size: near(bits / BITS, *UNITS) and near(size / GIGABYTES, *UNITS)),
    ),
    Misconception(
        "bits-miscounted",
        [5, 6 * 5 / 8],
        "In one of your numbers a weight takes too many bits, or too few. What is kept for each "
        "weight, what once for a block, and how many weights share that?",
        told(lambda bits, size: True),
    ),
    minutes=4,
    answer="size",
)

TOKENS = 1 + 0.6 + 0.36 + 0.216  # 2.176

expected = by_hand(
    "19-cheaper/expected",
    "What a round gives",
    [TOKENS, TOKENS / 1.3],
    RESULTS_IN_ANOTHER_ORDER.by([TOKENS / 1.3, TOKENS]),
    MODELS_OWN_WORD.by(
        [TOKENS - 1, (TOKENS - 1) / 1.3],
        shows=told(lambda words, _: near(words, TOKENS - 1, TOKENS - 0.216, TOKENS + 1)),
    ),
    WORDS_BEHIND_A_REJECTION.by(
        [2.8, 2.8 / 1.3],
        # n·α, and 1 more; (n + 1)·α; 1 and n·αⁿ, or αⁿ
        shows=told(lambda words, _: near(words, 1.8, 2.8, 2.4, 1.648, 1.216)),
    ),
    Misconception(
        "price-of-a-round-mistaken",
        [TOKENS, TOKENS / 1.1],
        "Your words are right, but not how much faster they come. How many steps of each model "
        "does a round take, whatever is kept?",
        told(lambda words, _: near(words, TOKENS)),
    ),
    minutes=5,
    answer="expected",
)
