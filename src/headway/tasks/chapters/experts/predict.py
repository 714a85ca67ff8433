"""Predict: weights of the chosen, parameters kept and used, and bytes of two caches."""

import math

from headway.tasks.chapters.experts.mistakes import (
    EXPERTS_MISCOUNTED,
    NOT_RENORMALIZED,
    OTHER_EXPERTS_CHOSEN,
    RESULTS_IN_ANOTHER_ORDER,
    SCORES_FOR_WEIGHTS,
    SOFTMAX_TWICE,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.mistakes import Misconception, any_of

# Powers of e of the scores ln 2, ln 6, 0 and ln 3; the two largest are 6 and 3.
POWERS = [2, 6, 1, 3]
SCORES = [math.log(power) for power in POWERS]


def shared(*numbers: float) -> list[float]:
    return [number / sum(numbers) for number in numbers]


ALL = [6 / 12, 3 / 12]
weights = by_hand(
    "18-experts/weights",
    "What the two count",
    [*shared(6, 3), *ALL],
    NOT_RENORMALIZED.by([*ALL, *ALL]),
    RESULTS_IN_ANOTHER_ORDER.by(
        [*ALL, *shared(6, 3)], [*shared(3, 6), 3 / 12, 6 / 12], [*shared(3, 6), *ALL]
    ),
    Misconception(
        "renormalized-unasked",
        [*shared(6, 3), *shared(6, 3)],
        "Your weights add up to one where they should be shares of a whole that all experts "
        "divide. With one expert, what could the router still learn from them?",
    ),
    SCORES_FOR_WEIGHTS.by(
        [*shared(SCORES[1], SCORES[3]), *(s / sum(SCORES) for s in (SCORES[1], SCORES[3]))],
        [*shared(SCORES[1], SCORES[3]), *ALL],
        [6, 3, 6, 3],
    ),
    SOFTMAX_TWICE.by([*shared(math.exp(6 / 12), math.exp(3 / 12)), *ALL]),
    OTHER_EXPERTS_CHOSEN.by(
        [*shared(2, 1), 2 / 12, 1 / 12],
        [*shared(6, 2), 6 / 12, 2 / 12],
        [*shared(1, 2), 1 / 12, 2 / 12],
        [*shared(2, 6), 2 / 12, 6 / 12],
    ),
    minutes=5,
    answer="weights",
)

# The question: width 512, 16 experts with three matrices and 256 hidden numbers, two of each token.
C, M, E, K, N = 512, 256, 16, 2, 3
EXPERT, ROUTER = 3 * C * M, C * E
MET = E * (1 - (1 - K / E) ** N)


def counted(expert: int = EXPERT, router: int = ROUTER, met: float = MET) -> list[float]:
    return [E * expert + router, K * expert + router, met]


parameters = by_hand(
    "18-experts/parameters",
    "Kept, used and read",
    counted(),
    Misconception(
        "router-miscounted",
        any_of(
            counted(router=0),
            [E * EXPERT + ROUTER, K * EXPERT, MET],
            [E * EXPERT + ROUTER, K * EXPERT + K * C, MET],
            [E * EXPERT, K * EXPERT + ROUTER, MET],
            counted(router=C),
        ),
        "Your router is missing in one of the numbers, or is of another size. Which scores does a "
        "token need before it can choose?",
    ),
    Misconception(
        "matrices-miscounted",
        any_of(counted(2 * C * M), counted(C * M), counted(3 * C * M + 2 * M + C)),
        "Your experts have another number of matrices, or biases. What are the parts of a gated "
        "feed-forward?",
    ),
    EXPERTS_MISCOUNTED.by(
        [E * EXPERT + ROUTER, EXPERT + ROUTER, MET],
        [E * EXPERT + ROUTER, E * EXPERT + ROUTER, MET],
        [K * EXPERT + ROUTER, K * EXPERT + ROUTER, MET],
        [EXPERT + ROUTER, EXPERT + ROUTER, MET],
        [E * EXPERT + ROUTER, N * K * EXPERT + ROUTER, MET],
    ),
    RESULTS_IN_ANOTHER_ORDER.by([K * EXPERT + ROUTER, E * EXPERT + ROUTER, MET]),
    Misconception(
        "meetings-miscounted",
        any_of(
            *(
                counted(met=met)
                for met in (
                    N * K,
                    K,
                    E,
                    E * (1 - (1 - 1 / E) ** N),
                    E * (1 - (1 - 1 / E) ** (N * K)),
                    E * (1 - K / E) ** N,
                    E * (K / E) ** N,
                    1 - (1 - K / E) ** N,
                )
            )
        ),
        "Your third number isn't how many different experts three tokens meet. How likely is it "
        "that one expert is left out by all three?",
    ),
    minutes=8,
    answer="parameters",
)

# The question: 32 layers, 16 query heads of width 128, 4 of keys and values, 2 bytes a number; a
# latent of 384 and a key of width 64 for positions.
L, H, G, D, R, P, BYTES = 32, 16, 4, 128, 384, 64, 2
GROUPED, LATENT = 2 * L * G * D * BYTES / 1024, L * (R + P) * BYTES / 1024

cache = by_hand(
    "18-experts/cache",
    "What a token leaves behind",
    [GROUPED, LATENT],
    Misconception(
        "latent-cache-miscounted",
        any_of(
            *(
                [GROUPED, L * numbers * BYTES / 1024]
                for numbers in (
                    *(R, R + H * P, R + G * P, R + 2 * P),  # other keys for positions
                    *(2 * R + P, 2 * (R + P)),  # once for keys and once for values
                    *(H * R + P, H * (R + P), G * (R + P)),  # once for each head
                    *(2 * H * D, 2 * H * D + P, 2 * H * (D + P)),  # made before they are needed
                )
            )
        ),
        "Your latent cache keeps more or less than it has to. How many latents and how many keys "
        "for positions does a token have in a layer, and what can be made again?",
    ),
    Misconception(
        "grouped-heads-miscounted",
        any_of(
            [2 * L * H * D * BYTES / 1024, LATENT],
            [2 * L * D * BYTES / 1024, LATENT],
            [L * G * D * BYTES / 1024, LATENT],
        ),
        "Your first number isn't all keys and values of the grouped heads. How many heads are "
        "asked, and what does each of them keep?",
    ),
    Misconception(
        "layers-or-bytes-miscounted",
        any_of(
            [GROUPED / L, LATENT / L],
            [GROUPED / BYTES, LATENT / BYTES],
            [1024 * GROUPED, 1024 * LATENT],
            [8 * GROUPED, 8 * LATENT],
            [1.024 * GROUPED, 1.024 * LATENT],
        ),
        "Both numbers are off by the same factor. How many layers keep something, how many bytes "
        "does a number take, and how many a KiB?",
    ),
    RESULTS_IN_ANOTHER_ORDER.by([LATENT, GROUPED]),
    minutes=5,
    answer="cache",
)
