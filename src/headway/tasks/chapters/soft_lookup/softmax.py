"""Build a softmax that does not overflow."""

import math

import numpy as np

from headway.tasks.chapters.soft_lookup.mistakes import (
    DOUBLE_SOFTMAX,
    EXPONENTIALS_OUT_OF_RANGE,
    NOT_NORMALIZED,
    OVERFLOW_HALF_AVERTED,
    SCORES_FOR_WEIGHTS,
    SOFTMAX_OVER_THE_WRONG_AXIS,
    TEMPERATURE_MULTIPLIED,
    TEMPERATURE_NOT_ON_THE_SCORES,
    WINNER_TAKES_ALL,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.mistakes import changed
from headway.tasks.engine.task import Case, Task

HOT_AND_COLD, LARGE = "large scores at another temperature", "large scores"


def softmax(scores, temperature=1.0):
    """exp(s/τ) / Σ exp(s/τ) over the last axis; the largest score is subtracted first."""
    scores = scores / temperature
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def softmax_cases(rng: np.random.Generator) -> list[Case]:
    def draw(*shape):
        return np.round(rng.normal(size=shape) * 1.5, 2)

    def grow_too_large(scores):
        """Whether a thousand times as large two of a row have exponentials that overflow."""
        second, first = np.sort(scores)[:, -2:].T
        return ((second > 1) & (first > second)).any()

    higher = 990.0 + rng.integers(1, 20)
    far = draw(2, 3) + np.array([[0.0], [-2_000.0]])
    return [
        Case("a batch of rows", draw_until(grow_too_large, lambda: draw(2, 3)), core=True),
        Case("one row of scores", draw(4)),
        Case("as many rows as scores", draw(3, 3)),
        Case("a batch of batches", draw(2, 3, 4)),
        Case("a low temperature", draw(2, 3), 0.25),
        Case("a high temperature", draw(5), 3.0),
        Case("scores around 1,000, cold", draw(2, 4) + 1_000.0, 0.25, path=HOT_AND_COLD),
        Case("scores around 3,000, hot", draw(2, 4) + 3_000.0, 3.0, path=HOT_AND_COLD),
        Case("scores around 1,000", draw(2, 4) + 1_000.0, path=LARGE),
        Case("scores around −1,000", draw(2, 3) - 1_000.0, path=LARGE),
        Case("one row far below the other", far, path=LARGE),
        Case("one score far above the others", np.append(draw(4), higher), path=LARGE),
        Case("whole numbers", rng.permutation(4)),
        Case("a single score", np.array([rng.integers(2, 9) * 1.0])),
    ]


def _in_python(scores, temperature=1.0):
    """The same in Python's own numbers, without care: exceptions where NumPy gives NaN."""
    if scores.ndim > 1:
        return np.array([_in_python(part, temperature) for part in scores])
    exponentials = [math.exp(score / temperature) for score in scores]
    return [exponential / sum(exponentials) for exponential in exponentials]


def _over(axis):
    """A softmax over another axis, or over all of them."""

    def softmax_of(scores, temperature=1.0):
        scores = scores / temperature
        exponentials = np.exp(scores - scores.max(axis=axis, keepdims=True))
        return exponentials / exponentials.sum(axis=axis, keepdims=True)

    return softmax_of


EXPONENTS = "scores - scores.max(axis=-1, keepdims=True)"
SHARES = "exponentials / exponentials.sum(axis=-1, keepdims=True)"

softmax_task = Task(
    id="04-soft-lookup/softmax",
    title="A softmax that holds",
    kind="build",
    points=2,
    minutes=12,
    answer="softmax",
    cases=softmax_cases,
    reference=softmax,
    misconceptions=(
        EXPONENTIALS_OUT_OF_RANGE.by(
            changed(softmax, EXPONENTS, "scores"),
            changed(*changed(softmax, EXPONENTS, "scores"), SHARES, f"np.nan_to_num({SHARES})"),
            _in_python,
        ),
        OVERFLOW_HALF_AVERTED.by(
            changed(
                softmax,
                EXPONENTS,
                "scores - scores.mean(axis=-1, keepdims=True)",
                "np.clip(scores, -700, 700)",
                "scores - scores.max(axis=-1, keepdims=True) * temperature",
                "scores - scores.min(axis=-1, keepdims=True)",
                "scores - np.abs(scores).max(axis=-1, keepdims=True)",
                "scores - scores.max()",
            ),
        ),
        SOFTMAX_OVER_THE_WRONG_AXIS.by(
            _over(0),
            _over(1),
            _over(None),
            changed(
                softmax,
                SHARES,
                SHARES.replace("-1", "0"),
                "exponentials / exponentials.sum(axis=-1)",
            ),
        ),
        SCORES_FOR_WEIGHTS.by(
            changed(softmax, SHARES, "scores / scores.sum(axis=-1, keepdims=True)")
        ),
        TEMPERATURE_NOT_ON_THE_SCORES.by(
            lambda scores, temperature=1.0: softmax(scores),
            lambda scores, temperature=1.0: softmax(scores) / temperature,
            lambda scores, temperature=1.0: _in_python(scores),
        ),
        TEMPERATURE_MULTIPLIED.by(changed(softmax, "scores / temperature", "scores * temperature")),
        DOUBLE_SOFTMAX.by(lambda scores, temperature=1.0: softmax(softmax(scores, temperature))),
        NOT_NORMALIZED.by(changed(softmax, SHARES, "exponentials")),
        WINNER_TAKES_ALL.by(changed(softmax, SHARES, "(exponentials == 1).astype(float)")),
    ),
    compare=close(atol=1e-4, rtol=1e-4),
)
