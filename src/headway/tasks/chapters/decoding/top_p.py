"""Build the nucleus: the fewest of the most likely tokens that together reach p."""

import numpy as np

from headway.tasks.chapters.decoding.draw import draw_weights, softmax
from headway.tasks.chapters.decoding.kept import (
    HOW_TOKENS_ARE_KEPT,
    NO_TOKEN_LEFT,
    a_softmax_of_weights,
    in_the_sorted_row,
    in_wrong_rows,
    likeliest,
    one_more_or_less,
    rows_share,
    the_least_likely,
    without_their_share,
)
from headway.tasks.chapters.decoding.mistakes import (
    AT_AN_EDGE,
    EQUALITY_MISTAKEN,
    LEAST_LIKELY_KEPT,
    NOT_RENORMALIZED,
    ONE_TOKEN_OFF,
    ORDER_NOT_UNDONE,
    ROWS_MIXED,
    SECOND_SOFTMAX,
    SOME_NUMBERS,
    SUMMED_IN_ANOTHER_ORDER,
    THRESHOLD_FOR_SUM,
    TIES_BROKEN_OTHERWISE,
)
from headway.tasks.engine.draw import draw_telling, draw_until
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task

NEAR = 1e-3  # no sum of shares comes so close to p but where a case is about that
ROUNDING = 1e-9
TIES, EQUALITY = "tokens that are equally likely", "a sum that equals p"


def top_p(weights, p):
    """Probabilities (B, V) of the nucleus; of equally likely tokens lower ids come first."""
    shares = weights / weights.sum(axis=1, keepdims=True)
    order = np.argsort(-shares, axis=1, kind="stable")
    falling = np.take_along_axis(shares, order, axis=1)
    before = falling.cumsum(axis=1) - falling
    inside = before < p - ROUNDING
    kept = np.zeros(shares.shape, dtype=bool)
    np.put_along_axis(kept, order, inside, axis=1)
    left = np.where(kept, shares, 0.0)
    return left / left.sum(axis=1, keepdims=True)


def top_p_cases(rng: np.random.Generator) -> list[Case]:
    def draw(B, V, p):
        while True:
            weights = draw_weights(rng, B, V)
            sums = -np.sort(-weights / weights.sum(1, keepdims=True), axis=1)
            whole = np.rint(3 * weights)
            rounded = -np.sort(-whole / whole.sum(1, keepdims=True), axis=1)
            if min(abs(s.cumsum(1) - p).min() for s in (sums, rounded)) > NEAR:
                return weights, p

    exact = rng.permuted(np.tile([8.0, 4.0, 2.0, 1.0, 1.0], (3, 1)), axis=1)
    tenths = rng.permuted(np.tile([4.0, 3.0, 2.0, 1.0], (3, 1)), axis=1)
    even = np.repeat(2.0 ** rng.integers(0, 5, (3, 1)), 32, axis=1)
    sharp = draw_weights(rng, 3, 5)
    sharp[np.arange(3), rng.integers(0, 5, 3)] = 900.0
    gone = draw_weights(rng, 2, 6)
    for row in gone:
        row[rng.permutation(6)[:3]] = 0.0

    def is_near(shares):
        """Whether a sum falls short of 0.85 by less than a half percent."""
        short = 0.85 + np.sort(-shares, axis=1).cumsum(axis=1)
        return ((short > NEAR) & (short < 0.004)).any() and abs(short).min() > NEAR

    nearly = draw_until(is_near, lambda: softmax(draw_weights(rng, 3, 9) / 9))
    return [
        draw_telling(
            top_p_task,
            lambda: Case("p of 0.7", *draw(4, 7, 0.7), core=True),
            "rows-mixed",
            "threshold-for-sum",
        ),
        Case("p of 0.5", *draw(5, 8, 0.5)),
        Case("a sum that equals p", exact, 0.75, path=EQUALITY),
        Case("a sum that equals p but for rounding", tenths, 0.9, path=EQUALITY),
        Case("all equally likely", even, 0.4, path=TIES),
        Case("one token that reaches p alone", sharp, 0.6),
        Case("p of one", draw_weights(rng, 3, 6), 1.0, path="p of one"),
        Case("p of one, tokens excluded already", gone, 1.0, path="p of one"),
        Case("p close to zero", *draw(3, 5, 0.01)),
        Case("probabilities", nearly, 0.85),
    ]


ORDER = 'np.argsort(-shares, axis=1, kind="stable")'
SHARES = "shares = weights / weights.sum(axis=1, keepdims=True)"
REACHED = "p - ROUNDING"
KEPT = f"before < {REACHED}"
PUT = "np.put_along_axis(kept, order, inside, axis=1)"
LEFT = "np.where(kept, shares, 0.0)"
SHARED = "left / left.sum(axis=1, keepdims=True)"


def either_way(*wrong):
    """Wrong answers, and the same with sums compared to p as they come."""
    answers = any_of(*wrong)
    return any_of(answers, *(changed(answer, REACHED, "p") for answer in answers))


def _kept(got, case):
    """Which tokens a result keeps; none if it has another shape."""
    weights = case.inputs[0]
    got = np.asarray(got, dtype=float)
    return got != 0 if got.shape == weights.shape else np.zeros(weights.shape, dtype=bool)


def those_above_a_limit(got, expected, case) -> bool:
    """What is kept are all tokens that reach a limit made of p, or only the likeliest."""
    weights, p = case.inputs
    shares = weights / weights.sum(axis=1, keepdims=True)
    most = shares.max(axis=1, keepdims=True)
    limits = (p, 1 - p, p * most, (1 - p) * most)
    first = likeliest(weights, np.ones(len(weights)))
    found = [shares <= p]
    for limit in limits:
        for above in (shares >= limit - ROUNDING, shares > limit + ROUNDING):
            found += [above | first, above | (shares == most)]
    mine = _kept(got, case)
    return bool((mine != first).any()) and any(np.array_equal(mine, kept) for kept in found)


def in_the_order_of_ids(got, expected, case) -> bool:
    weights, p = case.inputs
    shares = weights / weights.sum(axis=1, keepdims=True)
    before = shares.cumsum(axis=1) - shares
    return np.array_equal(_kept(got, case), before < p - ROUNDING)


def counts_added_up(got, expected, case) -> bool:
    """What is kept are the likeliest whose weights, undivided, reach p."""
    weights, p = case.inputs
    falling = -np.sort(-weights, axis=1)
    count = (falling.cumsum(axis=1) - falling < p).sum(axis=1)
    return np.array_equal(_kept(got, case), likeliest(weights, count)) and (count == 1).all()


top_p_task = Task(
    id="14-decoding/top-p",
    title="The nucleus",
    kind="build",
    points=2,
    minutes=15,
    answer="top_p",
    cases=top_p_cases,
    reference=top_p,
    misconceptions=(
        EQUALITY_MISTAKEN.by(
            changed(top_p, KEPT, "before <= p", "before < p"),
            only_at=("a sum that equals p", "a sum that equals p but for rounding"),
            shows=lambda got, expected, case: case.path == EQUALITY,
        ),
        TIES_BROKEN_OTHERWISE.by(
            either_way(
                changed(top_p, ORDER, 'np.argsort(shares, axis=1, kind="stable")[:, ::-1]'),
                changed(
                    top_p,
                    LEFT,
                    "np.where(shares < np.where(kept, shares, 9).min(1, keepdims=True), 0, shares)",
                ),
            ),
            only_at=("all equally likely",),
        ),
        AT_AN_EDGE.by(
            only_at=(
                "one token that reaches p alone",
                "p close to zero",
                "p of one",
                "p of one, tokens excluded already",
            )
        ),
        SOME_NUMBERS.by(only_at=("p of 0.5", "probabilities")),
        NO_TOKEN_LEFT,
        LEAST_LIKELY_KEPT.by(
            changed(top_p, ORDER, 'np.argsort(shares, axis=1, kind="stable")'),
            shows=in_wrong_rows(the_least_likely),
        ),
        SECOND_SOFTMAX.by(
            either_way(
                changed(top_p, SHARES, "shares = softmax(weights)"),
                changed(top_p, SHARED, "softmax(left)"),
            ),
            shows=in_wrong_rows(a_softmax_of_weights),
        ),
        Misconception(
            "counts-taken-for-shares",
            changed(top_p, SHARES, "shares = weights"),
            "Where weights are larger than p, only the likeliest token is left. Of what is p a "
            "share?",
            shows=counts_added_up,
        ),
        THRESHOLD_FOR_SUM.by(
            changed(
                top_p,
                LEFT,
                "np.where((shares >= p) | (shares == shares.max(1, keepdims=True)), shares, 0.0)",
                "np.where(shares >= 1 - p, shares, 0.0)",
                "np.where(shares >= p * shares.max(1, keepdims=True), shares, 0.0)",
                "np.where(shares >= (1 - p) * shares.max(1, keepdims=True), shares, 0.0)",
            ),
            shows=those_above_a_limit,
        ),
        ROWS_MIXED.by(
            either_way(
                changed(top_p, SHARES, "shares = weights / weights.sum()"),
                changed(top_p, SHARED, "left / left.sum()"),
                changed(top_p, "falling.cumsum(axis=1)", "falling.cumsum().reshape(falling.shape)"),
                changed(top_p, PUT, "kept[:, order[0][inside[0]]] = True"),
                changed(
                    top_p,
                    PUT,
                    "np.put_along_axis(kept, order[:, : inside.sum(1).max()], True, axis=1)",
                ),
            ),
            shows=rows_share,
        ),
        ORDER_NOT_UNDONE.by(
            either_way(changed(top_p, PUT, "kept = inside")),
            shows=in_wrong_rows(in_the_sorted_row),
        ),
        SUMMED_IN_ANOTHER_ORDER.by(
            changed(top_p, ORDER, "np.tile(np.arange(shares.shape[1]), (len(shares), 1))"),
            shows=in_the_order_of_ids,
        ),
        ONE_TOKEN_OFF.by(
            changed(top_p, KEPT, "before + falling <= p"), shows=in_wrong_rows(one_more_or_less)
        ),
        NOT_RENORMALIZED.by(
            either_way(changed(top_p, SHARED, "left")), shows=in_wrong_rows(without_their_share)
        ),
        *HOW_TOKENS_ARE_KEPT,
    ),
)
