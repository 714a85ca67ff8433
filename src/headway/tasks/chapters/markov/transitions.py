"""Build the table of probabilities: counts, smoothing, rows that nothing was counted in."""

import numpy as np

from headway.tasks.chapters.markov.mistakes import (
    COLUMNS_FOR_ROWS,
    NOT_NORMALIZED,
    NOT_SMOOTHED,
    ONE_FOR_ANY_SMOOTHING,
    PROBABILITIES_SMOOTHED,
    ROWS_WITHOUT_COUNTS,
    SMOOTHING_MISCOUNTED,
)
from headway.tasks.engine.compare import Difference, close
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task

NEAR = close(atol=1e-6)


def transitions(counts, smoothing):
    """Rows of probabilities; a row without counts is uniform, with smoothing and without."""
    smoothed = counts + smoothing
    smoothed[smoothed.sum(axis=1) == 0] = 1
    return smoothed / smoothed.sum(axis=1, keepdims=True)


def transition_cases(rng: np.random.Generator) -> list[Case]:
    def draw(rows, columns):
        counts = rng.integers(0, 7, (rows, columns)).astype(float)  # floats take α in place
        counts[np.arange(rows), rng.integers(0, columns, rows)] += 2
        counts[0] += 1  # no column is empty
        counts[1:2, 0] = 0  # and not all is filled
        return counts

    gap = draw(4, 3)
    gap[2] = 0
    return [
        Case("3 contexts by 4 symbols", draw(3, 4), 0.5, core=True),
        Case("a square table, not smoothed", draw(4, 4), 0.0, core=True),
        Case("a row without counts, not smoothed", gap, 0.0),
        Case("a row without counts, smoothed", gap[::-1].copy(), 0.25),
        Case("much smoothing", draw(5, 3), 40.0),
        Case("a single context", draw(1, 4), 1.0),
        Case("no context at all", np.zeros((0, 3)), 1.0),
    ]


def alike(got, wrong, case) -> Difference | None:
    """As near; but with smoothing, a row without counts may have been treated in its own way."""
    counts, smoothing = case.inputs
    arrays = isinstance(got, np.ndarray) and isinstance(wrong, np.ndarray)
    if smoothing and arrays and got.shape == wrong.shape == counts.shape:
        counted = counts.any(axis=1)
        got, wrong = got[counted], wrong[counted]
    return NEAR(got, wrong, case)


SHARES = "smoothed / smoothed.sum(axis=1, keepdims=True)"

(zero_by_zero,) = changed(transitions, "smoothed[smoothed.sum(axis=1) == 0] = 1", "pass")

transitions_task = Task(
    id="02-markov/transitions",
    title="From counts to probabilities",
    kind="build",
    points=2,
    minutes=12,
    answer="transitions",
    cases=transition_cases,
    reference=transitions,
    misconceptions=(
        COLUMNS_FOR_ROWS.by(changed(zero_by_zero, "axis=1", "axis=0")),
        Misconception(
            "keepdims-lost",
            changed(zero_by_zero, ", keepdims=True", ""),
            "You sum over each row, but then divide every column by one of these sums. What shape "
            "do your sums have, and how does NumPy line them up with the table?",
        ),
        NOT_NORMALIZED.by(
            changed(zero_by_zero, "(axis=1, keepdims=True)", "()", "(axis=1, keepdims=True) + 1")
        ),
        ROWS_WITHOUT_COUNTS.by(
            zero_by_zero,
            changed(zero_by_zero, SHARES, f"np.nan_to_num({SHARES})"),
            changed(zero_by_zero, SHARES, f"np.nan_to_num({SHARES}, nan=1)"),
            changed(zero_by_zero, SHARES, f"np.nan_to_num({SHARES}, nan=1 / len(counts))"),
            changed(zero_by_zero, SHARES, f"np.nan_to_num({SHARES}, nan=1 / max(len(counts), 1))"),
            changed(transitions, SHARES, f"{SHARES} * (counts.any(1) | (smoothing == 0))[:, None]"),
        ),
        PROBABILITIES_SMOOTHED.by(
            lambda counts, smoothing: transitions(counts, 0) + smoothing,
            lambda counts, smoothing: transitions(transitions(counts, 0), smoothing),
        ),
        SMOOTHING_MISCOUNTED.by(
            changed(
                transitions,
                "counts + smoothing",
                "counts + smoothing / counts.shape[1]",
                "counts + smoothing * counts.shape[1]",
            ),
            changed(
                transitions,
                "smoothed.sum(axis=1, keepdims=True)",
                "((smoothed - smoothing).sum(axis=1, keepdims=True) + smoothing)",
                "((smoothed - smoothing).sum(axis=1, keepdims=True) + smoothing * len(counts))",
                "np.maximum((smoothed - smoothing).sum(axis=1, keepdims=True), 1)",
            ),
            changed(transitions, "counts + smoothing", "np.where(counts == 0, smoothing, counts)"),
            changed(
                zero_by_zero,
                "smoothed.sum(axis=1, keepdims=True)",
                "counts.sum(axis=1, keepdims=True)",
                "counts.sum(axis=1, keepdims=True).clip(1)",
            ),
        ),
        Misconception(
            "no-rows-no-columns",
            any_of(
                lambda counts, smoothing: np.array(list(transitions(counts, smoothing))),
                lambda counts, smoothing: (
                    transitions(counts, smoothing) if len(counts) else np.zeros((0, 0))
                ),
            ),
            "For no contexts, you return an array without columns. How many columns does the task "
            "give the table, however many rows there are?",
        ),
        NOT_SMOOTHED.by(
            lambda counts, smoothing: transitions(counts, 0),
            lambda counts, smoothing: zero_by_zero(counts, 0),  # as on the page
        ),
        ONE_FOR_ANY_SMOOTHING.by(lambda counts, smoothing: transitions(counts, 1)),
        Misconception(
            "softmax-of-counts",
            changed(transitions, "counts + smoothing", "np.exp(counts + smoothing)"),
            "This is the softmax of the counts. If a word was seen twice as often, is its "
            "probability twice as large?",
        ),
    ),
    compare=NEAR,
    alike=alike,
)
