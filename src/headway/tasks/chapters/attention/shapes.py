"""Predict: the shapes of a cross-attention, worked out by hand."""

from headway.tasks.chapters.attention.mistakes import (
    KEYS_FOR_VALUES,
    NOT_PROJECTED,
    OTHER_RESULTS_GIVEN,
    QUERIES_AND_KEYS_SWAPPED,
    WRONG_SIDE,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception, any_of


def _scores(got) -> list[int]:
    return list(got[0])


def _result(got) -> list[int]:
    return list(got[1])


shapes = by_hand(
    "08-attention/shapes",
    "Shapes of a cross-attention",
    [[2, 5, 7], [2, 5, 6]],
    OTHER_RESULTS_GIVEN.by(
        [[2, 5, 6], [2, 5, 7]],
        [[2, 5, 7], [2, 5, 7], [2, 5, 6]],
        [2, 5, 7, 2, 5, 6],
    ),
    Misconception(
        "batch-lost",
        [[5, 7], [5, 6]],
        "Two pairs of sentences came in, and one of your shapes is that of a single one, or of all "
        "sentences laid end to end. Which axis keeps them apart?",
        shows=lambda got, expected, case: _scores(got)[0] != 2 or _result(got)[0] != 2,
    ),
    QUERIES_AND_KEYS_SWAPPED.by(
        [[2, 7, 5], [2, 5, 6]], shows=lambda got, expected, case: _scores(got) == [2, 7, 5]
    ),
    WRONG_SIDE.by(
        [[2, 7, 5], [2, 7, 6]],
        shows=lambda got, expected, case: (
            _scores(got) in ([2, 5, 5], [2, 7, 7]) or _result(got)[:2] == [2, 7]
        ),
    ),
    NOT_PROJECTED.by(
        [[2, 5, 7], [2, 5, 12]], shows=lambda got, expected, case: _result(got)[-1] == 12
    ),
    KEYS_FOR_VALUES.by(
        [[2, 5, 7], [2, 5, 4]], shows=lambda got, expected, case: _result(got)[-1] != 6
    ),
    Misconception(
        "width-left-in-the-scores",
        any_of([[2, 5, 4], [2, 7, 4]], [[2, 5, 12], [2, 7, 12]]),
        "Your shapes have other axes than they need, such as the width of a query or a token. How "
        "many numbers does one query get from one key, and how many in the end?",
        shows=lambda got, expected, case: _scores(got) != expected[0] or len(_result(got)) != 3,
    ),
    minutes=3,
    answer="shapes",
    compare=equal(),
)
