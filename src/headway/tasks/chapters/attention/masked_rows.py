"""Predict: rows of weights under two masks, worked out by hand."""

from headway.tasks.chapters.attention.mistakes import (
    EDGE_OFF_BY_ONE,
    FUTURE_VISIBLE,
    HIDDEN_SCORE_TOO_HIGH,
    MASK_AFTER_SOFTMAX,
    MASK_INVERTED,
    NO_SOFTMAX,
    NOT_NORMALIZED,
    NOTHING_VISIBLE,
    QUERIES_AND_KEYS_SWAPPED,
    ZERO_SCORES_IGNORED,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.mistakes import Misconception, any_of

nan = float("nan")


def shares(*parts: float) -> list[float]:
    """Parts of a whole."""
    return [part / sum(parts) for part in parts]


masked_rows = by_hand(
    "08-attention/masked-rows",
    "Causal, with padding in front",
    [[0, 0, 0], [0, 1, 0], [0, 1 / 3, 2 / 3]],
    Misconception(
        "padding-visible",
        any_of(
            [[1, 0, 0], shares(3, 1, 0), shares(1, 1, 2)],
            [[1, 0, 0], [0, 1, 0], [0, 1 / 3, 2 / 3]],
            [[0, 0, 0], shares(3, 1, 0), shares(1, 1, 2)],
            # Where the last position is padding.
            [[1, 0, 0], shares(3, 1, 0), shares(1, 1, 0)],
            [[1, 0, 0], shares(3, 1, 0), [0, 0, 0]],
        ),
        "Somebody still sees the padding: a word, or the padding itself. Two masks hide something "
        "here: what does the other one hide, a row or a column?",
    ),
    FUTURE_VISIBLE.by(
        [shares(0, 4, 2), shares(0, 1, 9), shares(0, 1, 2)],
        [[0, 0, 0], shares(0, 1, 9), shares(0, 1, 2)],
    ),
    MASK_INVERTED.by([shares(0, 4, 2), shares(0, 1, 9), [0, 0, 1]]),
    ZERO_SCORES_IGNORED.by(
        [[0, 0, 0], [0, 0, 0], [0, 0, 1]],
        [[0, 0, 0], [0, 1, 0], [0, 0, 1]],  # where there is another
    ),
    NOT_NORMALIZED.by([[0, 0, 0], [0, 1, 0], [0, 1, 2]]),
    EDGE_OFF_BY_ONE.by([[0, 0, 0], [0, 0, 0], [0, 1, 0]]),
    NO_SOFTMAX.by([[0, 0, 0], [0, 1, 0], [0, 1 / 2, 1 / 2]]),
    MASK_AFTER_SOFTMAX.by(
        [[0, 0, 0], [0, 1 / 13, 0], [0, 1 / 4, 1 / 2]],
        [[0, 0, 0], [0, 1 / 4, 0], [0, 1 / 4, 1 / 2]],  # where the future is hidden in time
    ),
    HIDDEN_SCORE_TOO_HIGH.by([shares(1, 1, 1), shares(1, 1, 1), shares(1, 1, 2)]),
    NOTHING_VISIBLE.by(
        [shares(1, 1, 1), [0, 1, 0], [0, 1 / 3, 2 / 3]],
        [[nan, nan, nan], [0, 1, 0], [0, 1 / 3, 2 / 3]],
    ),
    QUERIES_AND_KEYS_SWAPPED.by([[0, 0, 0], [0, 1, 1 / 3], [0, 0, 2 / 3]]),
    minutes=5,
    answer="masked_rows",
)
