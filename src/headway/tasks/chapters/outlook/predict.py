"""Predict: `friends`, `crossing` and `memory`."""

import math
from collections.abc import Callable

from headway.tasks.chapters.outlook.mistakes import (
    BYTES_OR_BITS,
    HEADS_MISCOUNTED,
    LENGTH_ONCE,
    MATRICES_MISCOUNTED,
    NOT_SHARED_OUT,
    ONCE_AND_TWICE,
    PAIRS_HALVED,
    REPEATS_COUNTED,
    WAY_BACK_FORGOTTEN,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.mistakes import Misconception, seen

# The question: hours of music a week, and the lines of a list of friendships with their closeness.
HOURS = {"Mia": 11, "Jo": 6, "Kai": 9, "Lea": 2, "Tom": 14, "Uma": 5}
LINES = [
    ("Mia", "Jo", 1),
    ("Kai", "Mia", 2),
    ("Lea", "Tom", 4),
    ("Jo", "Mia", 1),
    ("Mia", "Lea", 5),
    ("Uma", "Tom", 3),
    ("Jo", "Kai", 2),
]


def messages(told: dict[str, float], rounds: int) -> list[float]:
    """Sum, mean, largest and weighted mean of what Mia is told, and the rounds.

    Args:
        told: by whom, with their closeness to Mia.
        rounds: until what Uma hears depends on Kai.
    """
    hours = [HOURS[name] for name in told]
    weighted = sum(HOURS[name] * close for name, close in told.items()) / sum(told.values())
    return [sum(hours), sum(hours) / len(hours), max(hours), weighted, rounds]


TOLD = {"Jo": 1, "Kai": 2, "Lea": 5}
SUM, MEAN, LARGEST, WEIGHTED, ROUNDS = messages(TOLD, 4)
SOFT = messages({name: math.exp(close) for name, close in TOLD.items()}, 4)[3]


def near(one: float, other: float) -> bool:
    """Whether two numbers are the same, but for rounding to two digits behind the point."""
    return math.isclose(one, other, rel_tol=2e-3)


def told(tell: Callable[..., bool]):
    """A predicate of the numbers of a list."""
    return lambda got, expected, case: tell(*got)


friends = by_hand(
    "16-outlook/friends",
    "What friends tell",
    [SUM, MEAN, LARGEST, WEIGHTED, ROUNDS],
    WAY_BACK_FORGOTTEN.by(
        messages({"Kai": 2, "Jo": 1}, 4),  # those who stand in front of Mia
        shows=told(
            lambda total, mean, most, weighted, rounds: total in (15, 8) and near(mean, total / 2)
        ),
    ),
    REPEATS_COUNTED.by(
        [SUM, 17 / 4, 9, (6 + 18 + 10) / 9, ROUNDS],
        shows=told(
            lambda total, mean, most, weighted, rounds: total == 23 or near(weighted, 40 / 9)
        ),
    ),
    Misconception(
        "own-number-mixed-in",
        [28, 7, 11, WEIGHTED, ROUNDS],
        "Mia's own number has come into what her friends tell, or she is counted among them. Is "
        "she in the list as a friend of her own?",
        shows=told(lambda total, mean, most, weighted, rounds: most == 11 or total == SUM + 11),
    ),
    seen(
        "other-friends",
        "Your sum isn't that of what Mia's friends tell. Look for Mia in both rows: who is her "
        "friend, and who is not?",
        told(lambda total, mean, most, weighted, rounds: total != SUM),
    ),
    seen(
        "mean-of-other-numbers",
        "Your mean isn't your sum divided by the number of Mia's friends. How many are they?",
        told(lambda total, mean, most, weighted, rounds: not near(mean, total / len(TOLD))),
    ),
    seen(
        "largest-of-other-numbers",
        "Your third number isn't the largest that arrives: is it a number of hours, and of one of "
        "Mia's friends?",
        told(lambda total, mean, most, weighted, rounds: most != LARGEST),
    ),
    Misconception(
        "softmax-of-the-closeness",
        [SUM, MEAN, LARGEST, SOFT, ROUNDS],
        "You have taken the closeness for scores, and a softmax of them. What are the weights to "
        "be in proportion to?",
        shows=told(lambda total, mean, most, weighted, rounds: near(weighted, SOFT)),
    ),
    seen(
        "closeness-unused",
        "Your weighted mean is your mean. Which of Mia's friends counts more than the others?",
        told(lambda total, mean, most, weighted, rounds: near(weighted, mean)),
    ),
    NOT_SHARED_OUT.by(
        [SUM, MEAN, LARGEST, 34, ROUNDS],
        shows=told(lambda total, mean, most, weighted, rounds: not 2 <= weighted <= most),
    ),
    seen(
        "other-weighted-mean",
        "Your weighted mean isn't the one asked for. Which share of all closeness to Mia has each "
        "friend, and what do the shares add up to?",
        told(lambda total, mean, most, weighted, rounds: not near(weighted, WEIGHTED)),
    ),
    seen(
        "rounds-miscounted",
        "Your sums are right, but not the number of rounds. How far has a number come after one "
        "round, and how many friendships lie on the shortest way?",
        told(lambda total, mean, most, weighted, rounds: rounds != ROUNDS),
    ),
    minutes=6,
    answer="friends",
)

# The question: width 512, 8 heads, 2 key/value heads of 64, a gated feed-forward of 1,536.
C, KV, GATED = 512, 2 * 64, 3 * 1_536 // 2
ATTENTION, LAYER = C + KV, C + KV + GATED
# With another number of matrices that are as wide as the queries or as the keys.
SOME_PROJECTIONS = {(C * q + KV * k) // 2 for q in range(5) for k in range(5)}
SOME_PROJECTIONS -= {ATTENTION // 2, ATTENTION, 2 * ATTENTION}  # another factor does the same
WITH_SOME_MATRICES = {ATTENTION + GATED * some // 3 for some in (1, 2, 4, 5, 6)} | {GATED}

crossing = by_hand(
    "16-outlook/crossing",
    "Where the square takes over",
    [ATTENTION, LAYER, 2 * LAYER],
    PAIRS_HALVED.by(
        [ATTENTION, LAYER, LAYER],
        shows=told(lambda four, layer, half: near(half, layer)),
    ),
    ONCE_AND_TWICE.by(
        [ATTENTION // 2, LAYER // 2, LAYER],
        shows=told(
            lambda four, layer, half: (
                near(four / ATTENTION, layer / LAYER) and layer / LAYER in (0.25, 0.5, 2)
            )
        ),
    ),
    HEADS_MISCOUNTED.by(
        [2 * C, 2 * C + GATED, 2 * (2 * C + GATED)],  # as many key/value heads as heads
        shows=told(
            lambda four, layer, half: (
                four == 2 * C
                or (near(four / ATTENTION, layer / LAYER) and layer / LAYER in (1 / 8, 8))
            )
        ),
    ),
    MATRICES_MISCOUNTED.by(
        [C // 2 + KV, C // 2 + KV + GATED, 2 * (C // 2 + KV + GATED)],  # without the output
        shows=told(
            lambda four, layer, half: (
                (four in SOME_PROJECTIONS and near(layer, four + GATED))
                or (four == ATTENTION and layer in WITH_SOME_MATRICES)
            )
        ),
    ),
    seen(
        "crossing-miscounted",
        "At your first or second number of tokens the two do not cost the same. What do the "
        "matrices cost for one token, and what do scores and mixing cost for one pair, over all "
        "heads?",
        told(lambda four, layer, half: four != ATTENTION or layer != LAYER),
    ),
    seen(
        "half-of-the-pairs",
        "Your third number doesn't go with your second. With half of the pairs, what do scores and "
        "mixing cost for one token, and what do the projections and the feed-forward?",
        told(lambda four, layer, half: not near(half, 2 * layer)),
    ),
    minutes=8,
    answer="crossing",
)

# The question: batch 3, 12 heads, 4,000 tokens, 2 bytes a number, 10 layers, a window of 250.
B, H, T, LAYERS, WINDOW = 3, 12, 4_000, 10, 250
ONE = B * H * T * T * 2 / 1e6


def held(one: float, longer: float = 2 * T, parameters: float = 0) -> list[float]:
    """Megabytes of a layer, of all layers, the longer text, of a window, and new parameters."""
    return [one, LAYERS * one, longer, one * WINDOW / T, parameters]


memory = by_hand(
    "16-outlook/memory",
    "What the scores take",
    held(ONE),
    BYTES_OR_BITS.by(
        held(ONE * 1e6 / 2**20),
        shows=told(
            lambda one, *_: any(
                near(one / ONE, unit * by)
                for unit in (1, 1e6, 1e3, 1e-3, 1e6 / 2**20, 1e3 / 2**20, 1e6 / 2**10)
                for by in (0.5, 1, 2, 4, 8)
                if unit != 1 or by == 8
            )
        ),
    ),
    HEADS_MISCOUNTED.by(
        held(ONE / H),
        shows=told(lambda one, *_: any(near(one * by, ONE) for by in (H, B * H, 1 / H))),
    ),
    LENGTH_ONCE.by(
        held(ONE, 4 * T),
        shows=told(
            lambda one, layers, longer, window, more: (
                near(one * T, ONE) or longer in (4 * T, 16 * T)
            )
        ),
    ),
    PAIRS_HALVED.by(
        held(ONE / 2, 2 * T * 2**0.5),
        shows=told(lambda one, layers, longer, window, more: near(window, one * WINDOW / T / 2)),
    ),
    Misconception(
        "layers-share-or-multiply",
        [ONE, ONE, 2 * T, ONE * WINDOW / T, 0],
        "You count all layers where it is one, or your first two numbers do not go together. How "
        "many layers does each of the questions ask for?",
        shows=told(
            lambda one, layers, longer, window, more: (
                near(one, LAYERS * ONE)
                or not near(layers, LAYERS * one)
                or near(window, LAYERS * one * WINDOW / T)
            )
        ),
    ),
    seen(
        "scores-of-a-layer",
        "Your first number isn't what the scores of one layer take. How many tables of scores has "
        "it, how large are they, and how many bytes has a score?",
        told(lambda one, *_: not near(one, ONE)),
    ),
    seen(
        "length-for-the-memory",
        "With texts of your length the scores don't take as much as allowed. What becomes of the "
        "table of scores when a text grows?",
        told(lambda one, layers, longer, *_: longer != 2 * T),
    ),
    seen(
        "scores-of-a-window",
        "Your fourth number doesn't go with your first. How many tokens have scores now, and how "
        "many has each of them?",
        told(lambda one, layers, longer, window, more: not near(window, one * WINDOW / T)),
    ),
    Misconception(
        "parameters-grow-with-the-length",
        held(ONE, parameters=T),
        "Scores are computed from the text and are no parameters. Which matrices of the model "
        "have a side that is as long as the text?",
        shows=told(lambda *numbers: numbers[4] != 0),
    ),
    minutes=6,
    answer="memory",
)
