"""Build the nucleus: the fewest of the most likely tokens that together reach p."""

import numpy as np

from headway.tasks.chapters.decoding.draw import draw_weights, softmax
from headway.tasks.chapters.decoding.mistakes import (
    EQUALITY_MISTAKEN,
    LEAST_LIKELY_KEPT,
    NOT_RENORMALIZED,
    ONE_TOKEN_OFF,
    ORDER_NOT_UNDONE,
    ROWS_MIXED,
    SECOND_SOFTMAX,
    SUMMED_IN_ANOTHER_ORDER,
    THRESHOLD_FOR_SUM,
    TIES_BROKEN_OTHERWISE,
)
from headway.tasks.engine.draw import draw_telling
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
    even = np.repeat(2.0 ** rng.integers(0, 5, (3, 1)), 8, axis=1)
    sharp = draw_weights(rng, 3, 5)
    sharp[np.arange(3), rng.integers(0, 5, 3)] = 900.0
    gone = draw_weights(rng, 2, 6)
    for row in gone:
        row[rng.permutation(6)[:3]] = 0.0
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
        Case("probabilities", softmax(draw_weights(rng, 3, 9) / 9), 0.85),
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
        ONE_TOKEN_OFF.by(
            changed(
                top_p,
                KEPT,
                "before + falling <= p",
                "before + falling < p",
                "(before + falling <= p) | (before == 0)",
                "(before + falling < p) | (before == 0)",
                "before + falling <= p + ROUNDING",
                "(before + falling <= p + ROUNDING) | (before == 0)",
                "before + falling < p - ROUNDING",
                "(before + falling < p - ROUNDING) | (before == 0)",
            ),
            either_way(
                changed(top_p, KEPT, f"before - np.roll(falling, 1, 1) * (before > 0) < {REACHED}")
            ),
        ),
        EQUALITY_MISTAKEN.by(
            changed(
                top_p,
                KEPT,
                "before <= p",
                "before <= p + ROUNDING",
                "before < p",
                "np.pad(falling.cumsum(axis=1), ((0, 0), (1, 0)))[:, :-1] < p",
            ),
        ),
        THRESHOLD_FOR_SUM.by(
            changed(
                top_p,
                LEFT,
                "np.where((shares >= p) | (shares == shares.max(1, keepdims=True)), shares, 0.0)",
                "np.where(shares >= 1 - p, shares, 0.0)",
                "np.where(shares >= np.minimum(1 - p, shares.max(1, keepdims=True)), shares, 0.0)",
                "np.where(shares >= p * shares.max(1, keepdims=True), shares, 0.0)",
                "np.where(shares >= (1 - p) * shares.max(1, keepdims=True), shares, 0.0)",
                "np.where(shares <= p, shares, 0.0)",
            )
        ),
        LEAST_LIKELY_KEPT.by(
            either_way(
                changed(top_p, ORDER, 'np.argsort(shares, axis=1, kind="stable")'),
            )
        ),
        ORDER_NOT_UNDONE.by(
            either_way(
                changed(
                    top_p,
                    PUT,
                    "kept = inside",
                    "kept = np.take_along_axis(inside, order, 1)",
                ),
                changed(top_p, LEFT, "np.where(inside, falling, 0.0)"),
            )
        ),
        SUMMED_IN_ANOTHER_ORDER.by(
            either_way(
                changed(top_p, ORDER, "np.tile(np.arange(shares.shape[1]), (len(shares), 1))"),
            ),
        ),
        NOT_RENORMALIZED.by(either_way(changed(top_p, SHARED, "left"))),
        Misconception(
            "counts-taken-for-shares",
            either_way(changed(top_p, SHARES, "shares = weights")),
            "This is right for probabilities. Other weights pass p at once: of what is p a share?",
        ),
        TIES_BROKEN_OTHERWISE.by(
            either_way(
                changed(top_p, ORDER, 'np.argsort(shares, axis=1, kind="stable")[:, ::-1]'),
                changed(
                    top_p,
                    LEFT,
                    "np.where(shares < np.where(kept, shares, 9).min(1, keepdims=True), 0, shares)",
                ),
            )
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
            )
        ),
        SECOND_SOFTMAX.by(
            either_way(
                changed(top_p, SHARES, "shares = softmax(weights)"),
                changed(top_p, SHARED, "softmax(left)", "softmax(np.where(kept, shares, -np.inf))"),
            )
        ),
    ),
)
