"""Predict: `friends`, `crossing` and `memory`."""

import math

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
from headway.tasks.engine.mistakes import Misconception, any_of

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

friends = by_hand(
    "16-outlook/friends",
    "What friends tell",
    [SUM, MEAN, LARGEST, WEIGHTED, ROUNDS],
    WAY_BACK_FORGOTTEN.by(
        messages({"Kai": 2, "Jo": 1}, 4),  # those who stand in front of Mia
        messages({"Jo": 1, "Lea": 5}, 4),  # those who stand behind her
        messages({"Kai": 2, "Jo": 1}, 3),
        [SUM, MEAN, LARGEST, (9 * 2 + 6 * 1) / 3, ROUNDS],
    ),
    REPEATS_COUNTED.by(
        [23, 23 / 4, 9, (2 * 6 + 18 + 10) / 9, ROUNDS],
        [23, 23 / 4, 9, WEIGHTED, ROUNDS],
        [SUM, 17 / 4, 9, (6 + 18 + 10) / 9, ROUNDS],
        [SUM, MEAN, 9, (2 * 6 + 18 + 10) / 9, ROUNDS],
    ),
    Misconception(
        "own-number-mixed-in",
        any_of(
            [28, 7, 11, WEIGHTED, ROUNDS],
            [28, 7, 11, (11 + 6 + 18 + 10) / 9, ROUNDS],
            [28, 7, 11, 11 + WEIGHTED, ROUNDS],
            [SUM, 17 / 4, LARGEST, WEIGHTED, ROUNDS],
        ),
        "Mia's own number has come into what her friends tell, or she is counted among them. Is "
        "she in the list as a friend of her own?",
    ),
    NOT_SHARED_OUT.by(
        *([SUM, MEAN, LARGEST, 34 / by, ROUNDS] for by in (1, 3, 17, 18, 17 / 3)),
    ),
    Misconception(
        "softmax-of-the-closeness",
        any_of(messages({name: math.exp(close) for name, close in TOLD.items()}, ROUNDS)),
        "You have taken the closeness for scores, and a softmax of them. What are the weights to "
        "be in proportion to?",
    ),
    Misconception(
        "rounds-miscounted",
        any_of(
            *([SUM, MEAN, LARGEST, WEIGHTED, rounds] for rounds in (1, 2, 3, 5, 6)),
        ),
        "Your sums are right, but not the number of rounds. How far has a number come after one "
        "round, and how many friendships lie on the shortest way?",
    ),
    minutes=6,
    answer="friends",
)

# The question: width 512, 8 heads, 2 key/value heads of 64, a gated feed-forward of 1,536.
C, KV, GATED = 512, 2 * 64, 3 * 1_536 // 2
ATTENTION, LAYER = C + KV, C + KV + GATED

crossing = by_hand(
    "16-outlook/crossing",
    "Where the square takes over",
    [ATTENTION, LAYER, 2 * LAYER],
    ONCE_AND_TWICE.by(
        [ATTENTION // 2, LAYER // 2, LAYER],
        [2 * ATTENTION, 2 * LAYER, 4 * LAYER],
    ),
    HEADS_MISCOUNTED.by(
        [2 * C, 2 * C + GATED, 2 * (2 * C + GATED)],  # as many key/value heads as heads
        [C + 2 * KV, C + 2 * KV + GATED, 2 * (C + 2 * KV + GATED)],
        [C + KV // 2, C + KV // 2 + GATED, 2 * (C + KV // 2 + GATED)],
        [ATTENTION * 8, LAYER * 8, LAYER * 16],
        [ATTENTION // 8, LAYER // 8, LAYER // 4],
    ),
    MATRICES_MISCOUNTED.by(
        [C // 2 + KV, C // 2 + KV + GATED, 2 * (C // 2 + KV + GATED)],  # without the output
        [C // 2, C // 2 + GATED, 2 * (C // 2 + GATED)],
        [C, C + GATED, 2 * (C + GATED)],
        [KV, KV + GATED, 2 * (KV + GATED)],
        [ATTENTION, ATTENTION + 1_536, 2 * (ATTENTION + 1_536)],  # two matrices
        [ATTENTION, ATTENTION + 768, 2 * (ATTENTION + 768)],  # one
        [ATTENTION, GATED, 2 * GATED],
        [ATTENTION, ATTENTION + 4 * C, 2 * (ATTENTION + 4 * C)],
        [ATTENTION, 6 * C, 12 * C],
        [ATTENTION, ATTENTION + 3 * 1_536, 2 * (ATTENTION + 3 * 1_536)],
        # six widths, as with two matrices four widths wide and keys and values for each head
        *([2 * C, 6 * C, 12 * C], [2 * C, 6 * C, 2 * LAYER], [2 * C, 6 * C, 3 * C]),
    ),
    PAIRS_HALVED.by(
        [ATTENTION, LAYER, LAYER],
        [ATTENTION, LAYER, LAYER // 2],
        [2 * ATTENTION, 2 * LAYER, 2 * LAYER],
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
        held(ONE / 2),
        held(ONE * 2),
        held(ONE * 8),
        held(ONE * 1e6),
        held(ONE * 1e6 / 2**20),
        held(ONE / 1e3),
    ),
    HEADS_MISCOUNTED.by(
        held(ONE / H),
        held(ONE / B),
        held(ONE / B / H),
        held(ONE / H / H),
    ),
    LENGTH_ONCE.by(
        held(ONE, 4 * T),
        held(ONE, 16 * T),
        held(B * H * T * 2 / 1e6),
        [ONE, LAYERS * ONE, 2 * T, B * H * WINDOW * WINDOW * 2 / 1e6, 0],
        [ONE, LAYERS * ONE, 2 * T, B * H * WINDOW * 2 / 1e6, 0],
        [ONE, LAYERS * ONE, 2 * T, ONE, 0],
    ),
    PAIRS_HALVED.by(
        held(ONE / 2, 2 * T * 2**0.5),
        [ONE, LAYERS * ONE, 2 * T, ONE * WINDOW / T / 2, 0],
        [ONE, LAYERS * ONE, 2 * T, 2 * ONE * WINDOW / T, 0],
    ),
    Misconception(
        "parameters-grow-with-the-length",
        any_of(
            *(
                held(ONE, parameters=more)
                for more in (T, 2 * T, T * T, 3 * T * T, 4 * T * T, 4_000_000, 2, 4)
            ),
        ),
        "Scores are computed from the text and are no parameters. Which matrices of the model "
        "have a side that is as long as the text?",
    ),
    Misconception(
        "layers-share-or-multiply",
        any_of(
            [ONE, ONE, 2 * T, ONE * WINDOW / T, 0],
            [ONE, ONE**2, 2 * T, ONE * WINDOW / T, 0],
            [LAYERS * ONE, LAYERS * ONE, 2 * T, LAYERS * ONE * WINDOW / T, 0],
            [ONE, LAYERS * ONE, 2 * T, LAYERS * ONE * WINDOW / T, 0],
            [ONE, ONE / LAYERS, 2 * T, ONE * WINDOW / T, 0],
        ),
        "You count one layer where all are asked for, or all where it is one. Which of the "
        "questions asks for all ten?",
    ),
    minutes=6,
    answer="memory",
)
