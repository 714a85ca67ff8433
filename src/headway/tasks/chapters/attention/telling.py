"""What weights and mixtures tell of the mistake behind them, whatever the code.

A `Look` is one result of attention with all that it should have been made of. A predicate on a
`Look` says what shows in it, and `by` makes of it what a known mistake takes.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from headway.tasks.engine.mistakes import Shows

CLOSE = {"rtol": 2e-3, "atol": 2e-4}
LEAST = 1e-5  # weights above it tell their scores
EXTREME = 1_000.0  # scores that only corner cases have


class Look(NamedTuple):
    """One result of attention, and what it should have been made of.

    Attributes:
        mixed, weights: what the answer gave, (..., T, E) and (..., T, S).
        right_mixed, right_weights: the right ones, of the same shapes.
        scores: the right scores, (..., T, S), hidden ones included.
        visible: (..., T, S), True where a query may look.
        query, key, value: (..., T, D), (..., S, D) and (..., S, E).
    """

    mixed: np.ndarray
    weights: np.ndarray
    right_mixed: np.ndarray
    right_weights: np.ndarray
    scores: np.ndarray
    visible: np.ndarray
    query: np.ndarray
    key: np.ndarray
    value: np.ndarray


Looks = Callable[[Any, Any, Any], Iterable[Look]]  # of an answer's value, the right one, the case
Predicate = Callable[[Look], bool]


def look(mixed, weights, query, key, value, visible=None, scores=None) -> Look:
    """A `Look` at what an answer gave; without `scores`, those of scaled dot products are right.

    Raises:
        ValueError: if it has another shape than the right result.
    """
    arrays = (np.asarray(x, dtype=float) for x in (mixed, weights, query, key, value))
    mixed, weights, query, key, value = arrays
    if scores is None:
        scores = query @ key.mT / np.sqrt(query.shape[-1])
    visible = np.broadcast_to(True if visible is None else visible, scores.shape)
    right = softmax(scores, visible)
    if weights.shape != right.shape or mixed.shape != (right @ value).shape:
        raise ValueError("another shape than the right one")
    return Look(mixed, weights, right @ value, right, scores, visible, query, key, value)


def look_at_mixture(mixed, query, key, value, visible=None) -> Look:
    """A `Look` at a mixture alone; its weights follow from it if values are wider than many.

    Raises:
        ValueError: if it has another shape, or is no sum of these values.
    """
    mixed, value = np.asarray(mixed, dtype=float), np.asarray(value, dtype=float)
    weights = mixed @ np.linalg.pinv(value)
    if value.shape[-2] > value.shape[-1] or not same(weights @ value, mixed):
        raise ValueError("no weights follow from it")
    weights[abs(weights) < 5e-5] = 0.0
    return look(mixed, weights, query, key, value, visible)


def right_and_more(got, expected, case) -> bool:
    """Whether a right mixture is among several results."""
    return isinstance(got, list) and any(same(np.asarray(part), expected) for part in got)


def no_mixture(mixed, right, value: np.ndarray) -> bool:
    """Whether a result of the right shape is no sum of multiples of the values, (..., S, E)."""
    mixed = np.asarray(mixed, dtype=float)
    fits = mixed.shape == right.shape and np.isfinite(mixed).all()
    return bool(fits) and not same(mixed @ np.linalg.pinv(value) @ value, mixed)


def by(looks: Looks, predicate: Predicate) -> Shows:
    """Tell a mistake by what shows in all wrong looks of a value."""

    def shows(got, expected, case) -> bool:
        wrong = [each for each in looks(got, expected, case) if not is_right(each)]
        return bool(wrong) and all(map(predicate, wrong))

    return shows


def same(a, b) -> bool:
    return a.shape == b.shape and np.allclose(a, b, **CLOSE)


def is_right(it: Look) -> bool:
    return same(it.weights, it.right_weights) and same(it.mixed, it.right_mixed)


def softmax(scores: np.ndarray, visible: Any = True, axis: Any = -1) -> np.ndarray:
    """Weights along an axis or several; zeros where nothing is visible."""
    scores = np.where(visible, scores, -np.inf)
    top = scores.max(axis=axis, keepdims=True)
    parts = np.exp(scores - np.where(np.isfinite(top), top, 0.0))
    total = parts.sum(axis=axis, keepdims=True)
    return parts / np.where(total > 0, total, 1.0)


# The form of the weights


def rows_whole(it: Look) -> bool:
    """Whether the weights of each query that may look somewhere sum to one."""
    return np.allclose(it.weights.sum(-1)[it.visible.any(-1)], 1.0, **CLOSE)


def rows_not_whole(it: Look) -> bool:
    return finite(it) and not rows_whole(it)


def whole_along_another_axis(it: Look) -> bool:
    if rows_whole(it):
        return False
    axes = {-2, *range(-it.weights.ndim, -2), (-2, -1), tuple(range(it.weights.ndim))}
    sums = [it.weights.sum(axis=axis) for axis in axes]
    return any(
        same(total * (abs(total) > 1e-6), 1.0 * (abs(total) > 1e-6)) and total.any()
        for total in sums
    )


def in_proportion(it: Look) -> bool:
    """Whether each row is the right one times a number, not the same as the right one."""
    total = it.weights.sum(-1, keepdims=True)
    shares = it.weights / np.where(abs(total) > 1e-12, total, 1.0)
    return not rows_whole(it) and (total > 0).any() and same(shares, it.right_weights)


def same_for_all_queries(it: Look) -> bool:
    first = np.broadcast_to(it.weights[..., :1, :], it.weights.shape)
    return it.weights.shape[-2] > 1 and same(it.weights, first)


# Scores and their scale


def factor(it: Look, scores: np.ndarray) -> float | None:
    """The number c > 0 for which a softmax of c times some scores has these weights, if any.

    Two keys of one query fit some c anyway, so there it has to come from a size.
    """
    shown = it.visible & (it.right_weights > LEAST) & (it.weights > LEAST)
    ours, theirs = (_centered(x, shown) for x in (np.log(np.where(shown, it.weights, 1)), scores))
    pairs = (shown.sum(-1) - 1).clip(0).sum()
    if not pairs or not theirs.any():
        return None
    c = float((ours * theirs).sum() / (theirs * theirs).sum())
    fits = np.allclose(ours, c * theirs, atol=1e-2 * abs(ours).max())
    if not fits or c <= 0 or (pairs == 1 and not _from_a_size(it, c)):
        return None
    return c if same(it.weights, softmax(c * scores, it.visible)) else None


def _from_a_size(it: Look, c: float) -> bool:
    width = it.query.shape[-1]
    sizes = np.array([width, *it.scores.shape, it.value.shape[-1], 1])
    divisors = np.concatenate([sizes, np.sqrt(sizes), sizes / 2, 1 / np.sqrt(sizes)])
    return bool(np.isclose(np.sqrt(width) / c, divisors, rtol=1e-2).any())


def _centered(x: np.ndarray, shown: np.ndarray) -> np.ndarray:
    x = np.where(shown, x, 0.0)
    mean = x.sum(-1, keepdims=True) / np.maximum(shown.sum(-1, keepdims=True), 1)
    return np.where(shown, x - mean, 0.0)


def unscaled(it: Look) -> bool:
    c = factor(it, it.scores)
    return c is not None and np.isclose(c, np.sqrt(it.query.shape[-1]), rtol=1e-2)


def scaled_up(it: Look) -> bool:
    """Whether the dot products were multiplied by the root that should divide them."""
    c = factor(it, it.scores)
    return c is not None and np.isclose(c, it.query.shape[-1], rtol=1e-2)


def scaled_otherwise(it: Look) -> bool:
    return not np.isclose(factor(it, it.scores) or 1.0, 1.0, rtol=1e-3)


def by_angles(it: Look) -> bool:
    """Whether dot products were divided by the lengths of queries, keys or both."""
    query, key = (np.linalg.norm(x, axis=-1, keepdims=True) for x in (it.query, it.key))
    return any(factor(it, it.scores / by) for by in (query * key.mT, query + 0 * key.mT, key.mT))


def queries_for_keys(it: Look) -> bool:
    """Whether rows and columns of the scores have changed places, where there are as many."""
    return it.scores.shape[-1] == it.scores.shape[-2] and bool(factor(it, it.scores.mT))


def by_no_softmax(it: Look) -> bool:
    """Whether weights grow with the scores, but as another function of them makes them."""
    s, visible = it.scores, it.visible
    if extreme(it):
        return False
    best = np.where(visible, s, -np.inf)
    best = best == best.max(-1, keepdims=True)
    made = [s, np.maximum(s, 0), abs(s), s * s, 1 / (1 + np.exp(-s)), np.log1p(np.exp(s))]
    made += [1.0 * best, np.ones_like(s)]
    ours = _shared_out(it.weights)
    return any(same(ours, _shared_out(each * visible)) for each in made)


def _shared_out(parts: np.ndarray) -> np.ndarray:
    size = np.sqrt((parts * parts).sum(-1, keepdims=True))
    return parts / np.where(size > 0, size, 1.0)


def finite(it: Look) -> bool:
    """Whether neither the result nor what it was made of is out of range."""
    arrays = it.weights, it.mixed
    return not extreme(it) and bool(all(np.isfinite(array).all() for array in arrays))


def extreme(it: Look) -> bool:
    return abs(it.scores).max() > EXTREME


# Masks


def only_blind_rows(it: Look) -> bool:
    """Whether only queries that may look nowhere go wrong."""
    sees = it.visible.any(-1)
    return not sees.all() and all(
        same(a[sees], b[sees])
        for a, b in ((it.weights, it.right_weights), (it.mixed, it.right_mixed))
    )


def nothing_hidden(it: Look) -> bool:
    """Whether hidden keys count like all others."""
    sees = it.visible.any(-1)
    return not it.visible.all() and same(it.weights[sees], softmax(it.scores)[sees])


def hidden_leads(it: Look) -> bool:
    """Whether exactly the hidden keys are looked at."""
    both = it.visible.any(-1) & ~it.visible.all(-1)
    visible = (it.weights * it.visible).sum(-1)
    return (
        bool(both.any())
        and not extreme(it)
        and bool(
            (visible[both] < 1e-6).all() and ((it.weights.sum(-1) - visible)[both] > 0.5).all()
        )
    )


def hidden_late(it: Look) -> bool:
    """Whether hidden keys get nothing, but have taken their share from the others before."""
    if it.visible.all() or hidden_weigh(it):
        return False
    if same(it.weights, softmax(softmax(it.scores), it.visible)):
        return True
    total = (it.weights.sum(-1) * ~it.visible.all(-1)).max()
    rows = it.visible.all(-1) & ~np.isclose(it.weights.sum(-1), 1.0, **CLOSE)
    return bool(total < 1 and not rows.any()) and in_proportion(it)


def hidden_shares(it: Look) -> bool:
    """Whether hidden keys take some of the whole, and the others share the rest as they should."""
    hidden, total = it.weights * ~it.visible, (it.weights * it.visible).sum(-1, keepdims=True)
    if not (rows_whole(it) and hidden_weigh(it)):
        return False
    if extreme(it):
        return True
    kept = it.weights * it.visible / np.where(total > 0, total, 1.0)
    seen = (total[..., 0] > 1e-3) & it.visible.any(-1)
    return (
        not nothing_hidden(it)
        and bool(hidden.any())
        and bool(seen.any())
        and same(kept[seen], it.right_weights[seen])
    )


def hidden_weigh(it: Look) -> bool:
    return bool((it.weights * ~it.visible > 1e-6).any())


def seen_without_weight(it: Look) -> bool:
    """Whether a key gets exactly nothing, other than by weights that are too sharp.

    Then a key that should weigh less gets some, or the others share the whole as they should.
    """
    kept = it.visible & (it.weights > 0)
    left_out = (it.weights == 0) & (it.right_weights > 1e-3)
    least = np.where(kept, it.right_weights, np.inf).min(-1, keepdims=True)
    shares = np.isclose(it.weights, softmax(it.scores, kept), **CLOSE).all(-1) & (kept.sum(-1) > 1)
    told = (it.right_weights > least) | shares[..., None]
    return bool((left_out & told & (it.weights.sum(-1, keepdims=True) > 0.5)).any())


def under_a_triangle(it: Look, *diagonals: int) -> bool:
    """Whether visible keys in a lower triangle alone are looked at, up to one of some diagonals."""
    T, S = it.scores.shape[-2:]
    masks = [np.tri(T, S, k, dtype=bool) for k in diagonals if k < S - 1]
    return any(same(it.weights, softmax(it.scores, mask)) for mask in masks)


def nan_under_a_mask(it: Look) -> bool:
    """Whether exactly rows with something visible and something hidden are NaN."""
    both = it.visible.any(-1) & ~it.visible.all(-1)
    nan = np.isnan(it.weights).all(-1)
    return (
        bool(both.any())
        and not extreme(it)
        and np.array_equal(nan[it.visible.any(-1)], both[it.visible.any(-1)])
    )


# The mixture


def keys_mixed(it: Look) -> bool:
    return same(it.mixed, it.right_weights @ it.key)


def weights_alone_right(it: Look) -> bool:
    return same(it.weights, it.right_weights)


def mixture_alone_right(it: Look) -> bool:
    return same(it.mixed, it.right_mixed)
