"""Predict: rows of weights under two masks, worked out by hand."""

import numpy as np

from headway.tasks.chapters.attention.mistakes import (
    EDGE_OFF_BY_ONE,
    FUTURE_VISIBLE,
    HIDDEN_SCORE_TOO_HIGH,
    MASK_AFTER_SOFTMAX,
    MASK_INVERTED,
    NO_SOFTMAX,
    NOT_NORMALIZED,
    NOTHING_VISIBLE,
    OTHER_SCORES,
    QUERIES_AND_KEYS_SWAPPED,
    SEEN_WITHOUT_WEIGHT,
    ZERO_SCORES_IGNORED,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.mistakes import Misconception


def shares(*parts: float) -> list[float]:
    """Parts of a whole."""
    return [part / sum(parts) for part in parts]


def rows(got) -> np.ndarray:
    """Three rows of three numbers.

    Raises:
        ValueError: if they are no such.
    """
    found = np.asarray(got, dtype=float)
    if found.shape != (3, 3):
        raise ValueError("no three rows")
    return found


def _only_padding_wrong(got, expected, case) -> bool:
    """Whether the row of the padding alone is wrong."""
    return np.allclose(rows(got)[1:], expected[1:], atol=5e-3)


def _zero_without_weight(got, expected, case) -> bool:
    """Whether a visible key whose score is 0 has no weight."""
    return not rows(got)[[1, 2], 1].all()


masked_rows = by_hand(
    "08-attention/masked-rows",
    "Causal, with padding in front",
    [[0, 0, 0], [0, 1, 0], [0, 1 / 3, 2 / 3]],
    NOTHING_VISIBLE.by(
        [shares(1, 1, 1), [0, 1, 0], [0, 1 / 3, 2 / 3]],
        shows=lambda got, expected, case: (
            _only_padding_wrong(got, expected, case) and rows(got)[0, 0] not in (0, 1)
        ),
    ),
    MASK_INVERTED.by([shares(0, 4, 2), shares(0, 1, 9), [0, 0, 1]]),
    MASK_AFTER_SOFTMAX.by(
        [[0, 0, 0], [0, 1 / 13, 0], [0, 1 / 4, 1 / 2]],
        [[0, 0, 0], [0, 1 / 4, 0], [0, 1 / 4, 1 / 2]],  # where the future is hidden in time
    ),
    HIDDEN_SCORE_TOO_HIGH.by([shares(1, 1, 1), shares(1, 1, 1), shares(1, 1, 2)]),
    Misconception(
        "padding-visible",
        [[1, 0, 0], shares(3, 1, 0), shares(1, 1, 2)],
        "Somebody still sees the padding: a word, or the padding itself. Two masks hide something "
        "here: what does the other one hide, a row or a column?",
        shows=lambda got, expected, case: bool(rows(got)[:, 0].any()),
    ),
    QUERIES_AND_KEYS_SWAPPED.by([[0, 0, 0], [0, 1, 1 / 3], [0, 0, 2 / 3]]),
    FUTURE_VISIBLE.by(
        [shares(0, 4, 2), shares(0, 1, 9), shares(0, 1, 2)],
        shows=lambda got, expected, case: bool(np.triu(rows(got), 1).any()),
    ),
    ZERO_SCORES_IGNORED.by(
        [[0, 0, 0], [0, 0, 0], [0, 0, 1]],
        shows=_zero_without_weight,
    ),
    EDGE_OFF_BY_ONE.by([[0, 0, 0], [0, 0, 0], [0, 1, 0]]),
    SEEN_WITHOUT_WEIGHT.by(
        [[0, 0, 0], [0, 1, 0], [0, 1, 0]],
        shows=lambda got, expected, case: not rows(got)[[1, 2], [1, 2]].all(),
    ),
    NOT_NORMALIZED.by(
        [[0, 0, 0], [0, 1, 0], [0, 1, 2]],
        shows=lambda got, expected, case: not np.allclose(rows(got)[1:].sum(1), 1, atol=2e-2),
    ),
    NO_SOFTMAX.by([[0, 0, 0], [0, 1, 0], [0, 1 / 2, 1 / 2]]),
    OTHER_SCORES.by(
        [[0, 0, 0], [0, 1, 0], [0, 1 / 5, 4 / 5]],
        shows=lambda got, expected, case: np.isfinite(rows(got)).all(),
    ),
    minutes=5,
    answer="masked_rows",
)
