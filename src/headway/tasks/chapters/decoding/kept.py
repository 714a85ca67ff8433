"""What a wrong result of a filter shows: which tokens it keeps, and what they have then.

The predicates see the rows of a result that are wrong: weights, mine and right, each (N, V).
"""

from collections.abc import Callable

import numpy as np

from headway.tasks.chapters.decoding.mistakes import (
    ANOTHER_NUMBER_KEPT,
    FILTER_IGNORED,
    LIKELIER_TOKEN_DROPPED,
    RESULTS_IN_ANOTHER_FORM,
)
from headway.tasks.engine.mistakes import Shows, seen


def in_wrong_rows(shows: Callable[..., bool]) -> Shows:
    """A predicate on a result's wrong rows, for results of the right shape without NaN."""

    def predicate(got, expected, case) -> bool:
        weights, got = case.inputs[0], np.asarray(got, dtype=float)
        if got.shape != weights.shape or not np.isfinite(got).all():
            return False
        off = ~np.isclose(got, expected, atol=1e-8).all(axis=1)
        return bool(shows(weights[off], got[off], expected[off]))

    return predicate


def likeliest(weights, count):
    """Which tokens are among the `count` (N,) likeliest of their rows."""
    ranks = np.argsort(np.argsort(-weights, axis=1, kind="stable"), axis=1)
    return ranks < count[:, None]


def _is_proportional(mine, weights):
    """For each row whether the tokens that are left have multiples of their weights."""
    ratio = np.where(mine > 0, mine, np.nan) / np.where(weights > 0, weights, np.nan)
    least, most = np.nanmin(ratio, axis=1), np.nanmax(ratio, axis=1)
    return np.isclose(least, most) & ((mine > 0) <= (weights > 0)).all(axis=1)


def _are_alike(mine):
    """For each row whether several tokens are left, all with the same probability."""
    alike = ((mine == 0) | np.isclose(mine, mine.max(axis=1, keepdims=True))).all(axis=1)
    return alike & ((mine != 0).sum(axis=1) > 1)


def _all_right(mine, right):
    return np.array_equal(mine != 0, right != 0)


def _in_order(weights, mine):
    return np.array_equal(mine != 0, likeliest(weights, (mine != 0).sum(axis=1)))


def _more(mine, right):
    """How many tokens more than it should each row keeps."""
    return (mine != 0).sum(axis=1) - (right != 0).sum(axis=1)


def a_softmax_of_weights(weights, mine, right):
    on = right > 0

    def fits(scores):
        gaps = np.where(on, np.log(mine) - scores, np.nan)
        return (
            np.ptp(scores[on]) > 0.01
            and (np.nanmax(gaps, axis=1) - np.nanmin(gaps, axis=1) < 1e-6).all()
        )

    shares = weights / weights.sum(axis=1, keepdims=True)
    return (on.sum(axis=1) > 1).any() and any(map(fits, (weights, shares, right)))


def the_least_likely(weights, mine, right):
    highest = np.where(mine != 0, weights, -np.inf).max(axis=1)
    dropped = np.where(mine == 0, weights, np.inf).min(axis=1)
    return (highest <= dropped).all() and (highest < weights.max(axis=1)).all()


def in_the_sorted_row(weights, mine, right):
    """The right numbers as a sorted row has them, or what is left in the first places."""
    first = np.arange(mine.shape[1]) < (right != 0).sum(axis=1, keepdims=True)
    orders = [np.argsort(sign * weights, axis=1, kind="stable") for sign in (-1, 1)]
    places = [*orders, *(np.argsort(order, axis=1) for order in orders)]
    rows = [np.take_along_axis(right, order, axis=1) for order in orders]
    found = [*rows, *(np.take_along_axis(row, at, axis=1) for row in rows for at in places)]
    return np.array_equal(mine != 0, first) or any(np.allclose(mine, row) for row in found)


def without_their_share(weights, mine, right):
    return _all_right(mine, right) and _is_proportional(mine, right).all()


def one_more_or_less(weights, mine, right):
    return _in_order(weights, mine) and (abs(_more(mine, right)) == 1).all()


def rows_share(got, expected, case) -> bool:
    """All numbers together add up to one, or all rows keep the likeliest of one, or of all."""
    got = np.asarray(got, dtype=float)
    kept = got != 0
    if got.shape != np.shape(expected) or len(got) < 2:
        return False
    weights = np.vstack([case.inputs[0], case.inputs[0].sum(axis=0)])
    of_one = likeliest(weights, np.full(len(weights), kept[0].sum()))
    first = kept[0, : kept[0].sum()].all()  # which needs no other row
    same = (kept == kept[0]).all() and (of_one == kept[0]).all(axis=1).any() and not first
    return bool(np.isclose(got.sum(), 1) or (same and (kept != (expected != 0)).any()))


def rows_without_tokens(got, expected, case) -> bool:
    got = np.asarray(got, dtype=float)
    left = np.isfinite(got) & (got != 0)
    return got.shape == np.shape(expected) and not left.any(axis=1).all()


NO_TOKEN_LEFT = seen(
    "no-token-left",
    "In some rows no token is left. Which one should be there, however small a share it has?",
    rows_without_tokens,
)
HOW_TOKENS_ARE_KEPT = (
    RESULTS_IN_ANOTHER_FORM.by(
        shows=in_wrong_rows(
            lambda weights, mine, right: (
                _all_right(mine, right)
                and (np.isin(mine, (0, 1)).all() or np.allclose(np.exp(mine), right))
            )
        )
    ),
    FILTER_IGNORED.by(
        shows=in_wrong_rows(lambda weights, mine, right: np.array_equal(mine != 0, weights != 0))
    ),
    seen(
        "proportions-changed",
        "The tokens that are left don't have the proportions of their weights. What becomes of a "
        "weight on the way?",
        in_wrong_rows(
            lambda weights, mine, right: (
                _are_alike(mine).all()
                or (_all_right(mine, right) and not _is_proportional(mine, right).any())
            )
        ),
    ),
    LIKELIER_TOKEN_DROPPED.by(
        shows=in_wrong_rows(
            lambda weights, mine, right: (
                np.where(mine != 0, weights, np.inf).min(axis=1)
                < np.where(mine == 0, weights, -np.inf).max(axis=1)
            ).any()
        )
    ),
    ANOTHER_NUMBER_KEPT.by(
        shows=in_wrong_rows(
            lambda weights, mine, right: _in_order(weights, mine) and _more(mine, right).any()
        )
    ),
)
