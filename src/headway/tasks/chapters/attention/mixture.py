"""Predict: a mixture of three values, worked out by hand."""

import math

import numpy as np

from headway.tasks.chapters.attention.mistakes import (
    ANOTHER_SCALE,
    NO_MIXTURE,
    NO_SCALE,
    NO_SOFTMAX,
    NOT_NORMALIZED,
    OTHER_RESULTS_GIVEN,
    OTHER_SCORES,
    SCALE_MISPLACED,
    ZERO_SCORES_IGNORED,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception, any_of


def mixed(*parts: float, whole: float | None = None) -> list[float]:
    """The values (6, 0), (0, 6) and (12, 0) of the question, mixed in these parts."""
    whole = sum(parts) if whole is None else whole
    a, b, c = (part / whole for part in parts)
    return [6 * a + 12 * c, 6 * b]


def powers(exponent: float) -> list[float]:
    """The values mixed by 1, 2 and 3, each to a power."""
    return mixed(1, 2**exponent, 3**exponent)


def one_row(got, expected, case):
    """Right to half of the second decimal; a single row may stand in a list of rows."""
    row = got[0] if isinstance(got, list | np.ndarray) and len(got) == 1 else got
    return close(atol=5e-3)(row, expected, case)


def parts_of(got) -> np.ndarray:
    """The weights, adding up to 1, with which a row is mixed."""
    first, second = np.asarray(got, dtype=float).ravel()
    b = second / 6
    c = (first - 6 * (1 - b)) / 6
    return np.array([1 - b - c, b, c])


def outside(got, expected, case) -> bool:
    return bool((parts_of(got) < -2e-3).any())


def by_a_power(got, expected, case) -> bool:
    """Whether the weights are powers of the right ones, as by another scale."""
    a, b, c = parts_of(got)
    two, three = math.log(b / a, 2), math.log(c / a, 3)
    return two > 0.05 and abs(two - three) < 0.02


mixture = by_hand(
    "08-attention/mixture",
    "One query, three keys",
    mixed(1, 2, 3),
    NO_SCALE.by(powers(4)),
    SCALE_MISPLACED.by(mixed(1, 16, 81, whole=4 * 98), powers(16), mixed(1, 4, 81 / 4)),
    ANOTHER_SCALE.by(powers(1 / 4), shows=by_a_power),
    Misconception(
        "query-left-out",
        any_of(
            mixed(25**0.25, 144**0.25, 324**0.25),  # the minus is forgotten
            mixed(5**0.25, 48**0.25, 162**0.25),  # only the first numbers count
            mixed(25, 144, 324),
            mixed(5, 48, 162),
        ),
        "You take numbers of the keys that the query doesn't ask for, or with another sign. With "
        "which number of the query is each number of a key multiplied?",
    ),
    ZERO_SCORES_IGNORED.by(mixed(0, 2, 3)),
    NO_SOFTMAX.by(
        mixed(0, math.log(2), math.log(3)),
        mixed(0, math.log(2), math.log(3), whole=1),
        mixed(1, 1, 1),
        mixed(0, 0, 1),
    ),
    NOT_NORMALIZED.by(mixed(1, 2, 3, whole=1)),
    OTHER_RESULTS_GIVEN.by([1 / 6, 2 / 6, 3 / 6]),
    NO_MIXTURE.by(mixed(1, 2, 3, whole=2), shows=outside),
    OTHER_SCORES.by(mixed(3, 2, 1), shows=lambda got, *_: np.isfinite(parts_of(got)).all()),
    minutes=6,
    answer="mixture",
    compare=one_row,
)
