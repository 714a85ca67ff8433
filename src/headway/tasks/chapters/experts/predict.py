"""Predict: weights of the chosen, parameters kept and used, and bytes of two caches."""

import math

import numpy as np

from headway.tasks.chapters.experts.mistakes import (
    NOT_RENORMALIZED,
    RESULTS_IN_ANOTHER_ORDER,
    SCORES_FOR_WEIGHTS,
    WHOLE_TOO_SMALL,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.mistakes import Misconception, any_of, seen

# Powers of e of the scores ln 2, ln 6, 0 and ln 3; the two largest are 6 and 3.
POWERS = [2, 6, 1, 3]
SCORES = [math.log(power) for power in POWERS]


def near(mine: float | list[float], right: float | list[float]) -> bool:
    """Whether numbers are right, as the check sees it."""
    return bool(np.allclose(mine, right, atol=5e-3))


def shared(*numbers: float) -> list[float]:
    return [number / sum(numbers) for number in numbers]


ALL = [6 / 12, 3 / 12]
weights = by_hand(
    "18-experts/weights",
    "How much each of the two counts",
    [*shared(6, 3), *ALL],
    NOT_RENORMALIZED.by([*ALL, *ALL]),
    RESULTS_IN_ANOTHER_ORDER.by(
        [*ALL, *shared(6, 3)], [*shared(3, 6), 3 / 12, 6 / 12], [*shared(3, 6), *ALL]
    ),
    WHOLE_TOO_SMALL.by(
        shows=lambda got, expected, case: (
            near(got[:2], expected[:2]) and near(got[2], 2 * got[3]) and got[2] > expected[2]
        ),
    ),
    SCORES_FOR_WEIGHTS.by(
        [*shared(SCORES[1], SCORES[3]), *(s / sum(SCORES) for s in (SCORES[1], SCORES[3]))],
        [*shared(SCORES[1], SCORES[3]), *ALL],
        [6, 3, 6, 3],
    ),
    minutes=5,
    answer="weights",
)

# The question: width 512, 16 experts with three matrices and 256 hidden numbers, two of each token.
C, M, E, K, N = 512, 256, 16, 2, 3
EXPERT, ROUTER = 3 * C * M, C * E
MET = E * (1 - (1 - K / E) ** N)


def counted(expert: int) -> list[float]:
    return [E * expert + ROUTER, K * expert + ROUTER, MET]


def experts_and_rest(got: list[float]) -> tuple[list[float], list[float]]:
    """How many whole experts the first two numbers hold, and what is over."""
    return [n // EXPERT for n in got[:2]], [n % EXPERT for n in got[:2]]


parameters = by_hand(
    "18-experts/parameters",
    "Kept, used and read",
    counted(EXPERT),
    Misconception(
        "matrices-miscounted",
        any_of(counted(2 * C * M), counted(C * M), counted(3 * C * M + 2 * M + C)),
        "Your experts have another number of matrices, or biases. What are the parts of a gated "
        "feed-forward?",
    ),
    RESULTS_IN_ANOTHER_ORDER.by([K * EXPERT + ROUTER, E * EXPERT + ROUTER, MET]),
    seen(
        "router-miscounted",
        "Your router is missing in one of the numbers, or is of another size. Which scores does a "
        "token need before it can choose?",
        lambda got, expected, case: (
            experts_and_rest(got)[0] == [E, K] and experts_and_rest(got)[1] != [ROUTER, ROUTER]
        ),
    ),
    seen(
        "experts-miscounted",
        "You count another number of experts than are kept, or than one token uses. Which of the "
        "two numbers is about all experts, and which about the chosen ones?",
        lambda got, expected, case: (
            experts_and_rest(got)[0] != [E, K] and experts_and_rest(got)[1] == [ROUTER, ROUTER]
        ),
    ),
    seen(
        "meetings-miscounted",
        "Your third number isn't how many different experts three tokens meet. How likely is it "
        "that one expert is left out by all three?",
        lambda got, expected, case: near(got[:2], expected[:2]),
    ),
    minutes=8,
    answer="parameters",
)

# The question: 32 layers, 16 query heads of width 128, 4 of keys and values, 2 bytes a number; a
# latent of 384 and a key of width 64 for positions.
L, G, D, R, P, BYTES = 32, 4, 128, 384, 64, 2
GROUPED, LATENT = 2 * L * G * D * BYTES / 1024, L * (R + P) * BYTES / 1024

cache = by_hand(
    "18-experts/cache",
    "What a token leaves behind",
    [GROUPED, LATENT],
    seen(
        "latent-cache-miscounted",
        "Your latent cache keeps more or less than it has to. How many latents and how many keys "
        "for positions does a token have in a layer, and what can be made again?",
        lambda got, expected, case: near(got[0], expected[0]),
    ),
    seen(
        "grouped-heads-miscounted",
        "Your first number isn't all keys and values of the grouped heads. How many heads are "
        "asked, and what does each of them keep?",
        lambda got, expected, case: near(got[1], expected[1]),
    ),
    seen(
        "layers-or-bytes-miscounted",
        "Both numbers are off by the same factor. How many layers keep something, how many bytes "
        "does a number take, and how many a KiB?",
        lambda got, expected, case: near(got[0] / got[1], expected[0] / expected[1]),
    ),
    RESULTS_IN_ANOTHER_ORDER.by([LATENT, GROUPED]),
    minutes=5,
    answer="cache",
)
