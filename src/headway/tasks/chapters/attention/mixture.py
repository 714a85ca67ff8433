"""Predict: a mixture of three values, worked out by hand."""

import math

from headway.tasks.chapters.attention.mistakes import (
    DIVIDED_BY_THE_NUMBER_OF_KEYS,
    INTERMEDIATE_RESULT,
    NO_SCALE,
    NOT_NORMALIZED,
    SCALE_MISPLACED,
    SCALED_BY_ANOTHER_SIZE,
    SCALED_BY_WIDTH,
    SCORES_FOR_WEIGHTS,
    WINNER_TAKES_ALL,
    ZERO_SCORES_IGNORED,
)
from headway.tasks.engine.by_hand import by_hand


def mixed(*parts: float, whole: float | None = None) -> list[float]:
    """The values (6, 0), (0, 6) and (12, 0) of the question, mixed in these parts."""
    whole = sum(parts) if whole is None else whole
    a, b, c = (part / whole for part in parts)
    return [6 * a + 12 * c, 6 * b]


mixture = by_hand(
    "08-attention/mixture",
    "One query, three keys",
    mixed(1, 2, 3),
    NO_SCALE.by(mixed(1, 4, 9)),
    SCALED_BY_WIDTH.by(mixed(1, math.sqrt(2), math.sqrt(3))),
    SCALED_BY_ANOTHER_SIZE.by(mixed(1, 2 ** (2 / math.sqrt(3)), 3 ** (2 / math.sqrt(3)))),
    SCALE_MISPLACED.by(mixed(1, 4, 9, whole=28)),
    ZERO_SCORES_IGNORED.by(mixed(0, 2, 3)),
    SCORES_FOR_WEIGHTS.by(
        mixed(0, math.log(2), math.log(3)),
        mixed(0, math.log(2), math.log(3), whole=1),
    ),
    DIVIDED_BY_THE_NUMBER_OF_KEYS.by(mixed(1, 1, 1)),
    WINNER_TAKES_ALL.by(mixed(0, 0, 1)),
    NOT_NORMALIZED.by(mixed(1, 2, 3, whole=1)),
    INTERMEDIATE_RESULT.by([1 / 6, 2 / 6, 3 / 6]),
    minutes=4,
    answer="mixture",
)
