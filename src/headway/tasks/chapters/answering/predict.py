"""Predict: how many targets count, how many numbers an adapter trains, what a preference costs."""

import math

from headway.tasks.chapters.answering.mistakes import (
    ANSWERS_NOT_COUNTED,
    BETA_MISPLACED,
    END_NOT_COUNTED,
    GIVEN_COUNTED,
    NO_LOG_SIGMOID,
    PADDING_COUNTED,
    REFERENCE_IGNORED,
    SIDES_SWAPPED,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception, any_of

# A question of six words, an answer of three, a question of five, an answer of four; the batch is
# filled up to 29 inputs.
counted = by_hand(
    "17-answering/counted",
    "What is read, and what counts",
    [23, 9],
    END_NOT_COUNTED.by(*([inputs, ends] for inputs in (23, 24, 29) for ends in (7, 8))),
    ANSWERS_NOT_COUNTED.by([23, 5], [23, 4], [23, 3]),
    PADDING_COUNTED.by([29, 9], [29, 29], [23, 15], [29, 15]),
    GIVEN_COUNTED.by(
        *([23, 10], [23, 11], [23, 12], [23, 13], [29, 11], [23, 23], [23, 24], [24, 24]),
        *([24, 23], [23, 20], [23, 14], [23, 16], [29, 23]),
    ),
    Misconception(
        "tokens-miscounted",
        any_of([24, 9], [18, 9], [17, 9], [20, 9], [22, 9], [25, 9], [19, 9], [21, 9]),
        "What counts is right, and what is read isn't. Which special tokens does each turn bring "
        "along, and which token of the row is only predicted?",
    ),
    minutes=6,
    answer="counted",
    compare=equal(),
)

# Five blocks, rank 3, "qkv" (48 → 144) and "expand" (48 → 128).
SIZE = 5 * 3 * (48 + 144 + 48 + 128)
adapter_size = by_hand(
    "17-answering/adapter-size",
    "What an adapter trains",
    SIZE,
    Misconception(
        "factors-miscounted",
        any_of(
            5 * 3 * (3 * 96 + 48 + 128),  # three pairs for queries, keys and values
            5 * 3 * (48 + 144 + 128),  # one A for both
            *(5 * 3 * (144 + 128), 5 * 3 * (48 + 48)),  # one of the two factors alone
            *(5 * 48 * (144 + 128), 5 * 48 * (144 + 128) + SIZE),  # the matrices themselves
            # layers, blocks or the rank left out or counted twice
            *(5 * 3 * 192, 5 * 3 * 176, SIZE // 5, SIZE // 3, 2 * SIZE, 3 * SIZE, 368, 576, 528),
            # biases or scales as well
            *(SIZE + 5 * (144 + 128), SIZE + 5 * 2, SIZE + 5 * 2 * 3, SIZE + 5 * (272 + 6)),
        ),
        "You count other numbers than those of the thin matrices. Which two are put beside each "
        "matrix, how many rows and columns has each of them, and in how many blocks?",
    ),
    minutes=6,
    answer="adapter_size",
    compare=equal(),
)


def cost(margin: float) -> float:
    """−ln σ(margin)."""
    return math.log1p(math.exp(-margin))


# ln π: −9.0 and −9.5; ln π_ref: −8.4 and −7.9; β = 0.3. So the margin is 0.3.
preference = by_hand(
    "17-answering/preference",
    "What a preference costs",
    cost(0.3),
    SIDES_SWAPPED.by(cost(-0.3)),
    BETA_MISPLACED.by(cost(1.0), cost(1.0 / 0.3), 0.3 * cost(1.0), cost(0.09)),
    REFERENCE_IGNORED.by(cost(0.15), cost(-0.15), cost(0.5), cost(-0.5), cost(-0.6 * 0.3)),
    NO_LOG_SIGMOID.by(
        *(1 / (1 + math.exp(-0.3)), 1 / (1 + math.exp(0.3))),
        *(-cost(0.3), -0.3, 0.3, 1.0, -1.0, cost(0.3) / math.log(2)),
        cost(0.3) / math.log(10),
    ),
    minutes=6,
    answer="preference",
)
