"""Build the filter that keeps the k most likely tokens of each row."""

import numpy as np

from headway.tasks.chapters.decoding.draw import draw_weights, softmax
from headway.tasks.chapters.decoding.kept import (
    HOW_TOKENS_ARE_KEPT,
    NO_TOKEN_LEFT,
    a_softmax_of_weights,
    in_the_sorted_row,
    in_wrong_rows,
    one_more_or_less,
    rows_share,
    the_least_likely,
    without_their_share,
)
from headway.tasks.chapters.decoding.mistakes import (
    AT_AN_EDGE,
    EXCLUDED_MISTAKEN,
    LEAST_LIKELY_KEPT,
    NOT_RENORMALIZED,
    ONE_TOKEN_OFF,
    ORDER_NOT_UNDONE,
    ROWS_MIXED,
    SECOND_SOFTMAX,
    TIES_BROKEN_OTHERWISE,
)
from headway.tasks.engine.draw import draw_telling
from headway.tasks.engine.mistakes import changed, either, seen
from headway.tasks.engine.task import Case, Task

TIES = "tokens that are equally likely"


def top_k(weights, k):
    """Probabilities (B, V) of the k most likely tokens; of equals those with lower ids."""
    order = np.argsort(-weights, axis=1, kind="stable")
    kept = np.zeros(weights.shape, dtype=bool)
    np.put_along_axis(kept, order[:, :k], True, axis=1)
    left = np.where(kept, weights, 0.0)
    return left / left.sum(axis=1, keepdims=True)


def top_k_cases(rng: np.random.Generator) -> list[Case]:
    even = np.repeat(rng.integers(1, 9, (3, 1)) * 1.0, 40, axis=1)  # too long for a simple sort
    some = draw_weights(rng, 2, 6)
    for row, value in zip(some, (50.0, 0.5), strict=True):
        row[rng.permutation(6)[:3]] = value
    gone = draw_weights(rng, 2, 6)
    for row in gone:
        row[rng.permutation(6)[:4]] = 0.0
    close = softmax(draw_weights(rng, 3, 8) / 9)
    for row in close:  # the last to stay is hardly likelier than the first to go, and comes later
        one, other = sorted(np.argsort(-row)[3:5])
        row[one] = row[other] * (1 - 1e-6)
    return [
        draw_telling(
            top_k_task,
            lambda: Case("three of seven", draw_weights(rng, 4, 7), 3, core=True),
            "rows-mixed",
        ),
        Case("one of five", draw_weights(rng, 3, 5), 1),
        Case("all but one", draw_weights(rng, 5, 4), 3),
        Case("as many as there are", draw_weights(rng, 3, 6), 6, path="k of V or more"),
        Case("more than there are", draw_weights(rng, 3, 4), 9, path="k of V or more"),
        Case("all equally likely", even, 7, path=TIES),
        Case("some equally likely", some, 2, path=TIES),
        Case("tokens that are excluded already", gone, 3),
        Case("probabilities", close, 4),
    ]


ORDER = 'np.argsort(-weights, axis=1, kind="stable")'
FIRST = "order[:, :k]"
LEFT = "np.where(kept, weights, 0.0)"
SHARED = "left / left.sum(axis=1, keepdims=True)"


def of_the_whole_batch(weights, k, times=1):
    """The k most likely tokens of all rows together, or so many times k."""
    left = np.zeros(weights.size)
    order = np.argsort(-weights, axis=None, kind="stable")[: times * k]
    left[order] = weights.ravel()[order]
    left = left.reshape(weights.shape)
    return left / left.sum(axis=1, keepdims=True)


def above_one_limit(got, expected, case) -> bool:
    """All rows keep what is above one limit, and so not the same number of tokens."""
    weights, kept = case.inputs[0], np.asarray(got) != 0
    limit = weights[kept].min() > weights[~kept].max()
    return bool(limit and np.ptp(kept.sum(axis=1)))


top_k_task = Task(
    id="14-decoding/top-k",
    title="The k most likely",
    kind="build",
    points=2,
    minutes=12,
    answer="top_k",
    cases=top_k_cases,
    reference=top_k,
    misconceptions=(
        TIES_BROKEN_OTHERWISE.by(
            changed(top_k, ORDER, 'np.argsort(weights, axis=1, kind="stable")[:, ::-1]'),
            only_at=("all equally likely", "some equally likely"),
        ),
        AT_AN_EDGE.by(
            changed(top_k, FIRST, "order[:, np.arange(k)]"),
            only_at=("as many as there are", "more than there are", "one of five", "all but one"),
        ),
        EXCLUDED_MISTAKEN.by(only_at=("tokens that are excluded already",)),
        seen(
            "fractions-mistaken",
            "It goes wrong for probabilities, and not for weights like 12.5. What happens to "
            "numbers less than 1 in your code, and to small differences between them?",
            only_at=("probabilities",),
        ),
        NO_TOKEN_LEFT,
        LEAST_LIKELY_KEPT.by(
            changed(top_k, ORDER, 'np.argsort(weights, axis=1, kind="stable")'),
            shows=in_wrong_rows(the_least_likely),
        ),
        SECOND_SOFTMAX.by(
            changed(top_k, SHARED, "softmax(left)"), shows=in_wrong_rows(a_softmax_of_weights)
        ),
        ROWS_MIXED.by(
            changed(top_k, SHARED, "left / left.sum()"),
            changed(
                top_k,
                ORDER,
                "np.broadcast_to(np.argsort(-weights.sum(0), kind='stable'), weights.shape)",
                "np.broadcast_to(np.argsort(-weights[0], kind='stable'), weights.shape)",
            ),
            changed(
                top_k,
                LEFT,
                "np.where(weights >= np.sort(weights, None)[-min(k, weights.size)], weights, 0.0)",
            ),
            of_the_whole_batch,
            lambda weights, k: of_the_whole_batch(weights, k, len(weights)),
            shows=either(rows_share, above_one_limit),
        ),
        ORDER_NOT_UNDONE.by(
            changed(
                top_k,
                LEFT,
                "np.where(np.arange(weights.shape[1]) < k, weights, 0.0)",
                "np.where(order < k, weights, 0.0)",
            ),
            shows=in_wrong_rows(in_the_sorted_row),
        ),
        ONE_TOKEN_OFF.by(
            changed(top_k, FIRST, "order[:, : k - 1]"), shows=in_wrong_rows(one_more_or_less)
        ),
        NOT_RENORMALIZED.by(
            changed(top_k, SHARED, "left"), shows=in_wrong_rows(without_their_share)
        ),
        *HOW_TOKENS_ARE_KEPT,
    ),
)
