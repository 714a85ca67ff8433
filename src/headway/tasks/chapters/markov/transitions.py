"""Build the table of probabilities: counts, smoothing, rows that nothing was counted in."""

import numpy as np

from headway.tasks.engine.compare import Difference, close
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task

NEAR = close(atol=1e-6)


def transitions(counts, smoothing):
    """Rows of probabilities; a row without counts is uniform, with smoothing and without."""
    rows = []
    for row in counts:
        total = row.sum() + smoothing * len(row)
        rows.append((row + smoothing) / total if total else np.full(len(row), 1 / len(row)))
    return np.array(rows).reshape(counts.shape)


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


def _filled(P):
    """Uniform rows in the place of those that are not numbers."""
    return np.where(np.isnan(P), 1 / P.shape[1], P)


def _keepdims_lost(counts, smoothing):
    smoothed = counts + smoothing
    return smoothed / smoothed.sum(axis=1)


def _share(counts, smoothing, axis=1):
    smoothed = counts + smoothing
    return smoothed / smoothed.sum(axis=axis, keepdims=True)


def _only_zeros(counts, smoothing):
    return transitions(np.where(counts == 0, smoothing, counts), 0)


def _softmax(counts, smoothing):
    powers = np.exp(counts + smoothing - counts.max(axis=1, keepdims=True, initial=0))
    return powers / powers.sum(axis=1, keepdims=True)


def _too_little_below(counts, smoothing):
    totals = counts.sum(axis=1, keepdims=True) + smoothing
    return _filled((counts + smoothing) / totals)


def _rows_below(counts, smoothing):
    totals = counts.sum(axis=1, keepdims=True) + smoothing * len(counts)
    return _filled((counts + smoothing) / totals)


def alike(got, wrong, case) -> Difference | None:
    """As near; but with smoothing, a row without counts may have been treated in its own way."""
    counts, smoothing = case.inputs
    arrays = isinstance(got, np.ndarray) and isinstance(wrong, np.ndarray)
    if smoothing and arrays and got.shape == wrong.shape == counts.shape:
        counted = counts.any(axis=1)
        got, wrong = got[counted], wrong[counted]
    return NEAR(got, wrong, case)


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
        Misconception(
            "columns-normalized",
            lambda counts, smoothing: _share(counts, smoothing, axis=0),
            "Your columns sum to one. Which numbers answer the question what comes next: those of "
            "a row or those of a column?",
        ),
        Misconception(
            "keepdims-lost",
            _keepdims_lost,
            "You sum over each row, but then every column is divided by one of these sums. What "
            "is the shape of your sums, and how does NumPy lay it beside the table?",
        ),
        Misconception(
            "divided-by-everything",
            lambda counts, smoothing: (counts + smoothing) / (counts + smoothing).sum(),
            "All your numbers together sum to one. What should each row sum to?",
        ),
        Misconception(
            "zero-rows-become-nan",
            _share,
            "A context without counts gives nan: zero divided by zero. What do you say about a "
            "word that nothing was ever seen to follow?",
        ),
        Misconception(
            "zero-rows-left-zero",
            lambda counts, smoothing: np.nan_to_num(_share(counts, smoothing)),
            "A context without counts has a row of zeros, as in the chapter. What does this task "
            "ask for instead, and what would the least smoothing make of that row?",
        ),
        Misconception(
            "smoothed-after-normalizing",
            lambda counts, smoothing: transitions(counts, 0) + smoothing,
            "You add to the probabilities, after dividing. What do your rows sum to?",
        ),
        Misconception(
            "probabilities-smoothed",
            lambda counts, smoothing: transitions(transitions(counts, 0), smoothing),
            "Your rows sum to one, but a word seen a thousand times is smoothed as much as a word "
            "seen once. Is the smoothing added to counts, or to what has been divided already?",
        ),
        Misconception(
            "too-little-below",
            _too_little_below,
            "You add to each of the numbers above, and once to the sum below. By how much has the "
            "sum of a row grown?",
        ),
        Misconception(
            "contexts-for-symbols",
            _rows_below,
            "You add below as often as the table has rows. How many numbers of a row were raised?",
        ),
        Misconception(
            "ones-for-uniform",
            lambda counts, smoothing: np.where(
                counts.sum(axis=1, keepdims=True) + smoothing > 0, transitions(counts, smoothing), 1
            ),
            "A row without counts is a row of ones in your table. What do they sum to?",
        ),
        Misconception(
            "only-zeros-smoothed",
            _only_zeros,
            "Only the zeros were raised. Which counts get the extra share in the formula?",
        ),
        Misconception(
            "smoothing-ignored",
            lambda counts, smoothing: transitions(counts, 0),
            "These are the unsmoothed probabilities. Where does the second argument come in?",
        ),
        Misconception(
            "one-for-any-smoothing",
            lambda counts, smoothing: transitions(counts, 1),
            "You add one to every count, whatever amount is asked for.",
        ),
        Misconception(
            "softmax-of-counts",
            _softmax,
            "This is the softmax of the counts. A word seen twice as often should get twice the "
            "probability; does it?",
        ),
    ),
    compare=NEAR,
    alike=alike,
)
