"""Build the cross-entropy of logits, and its gradient by hand."""

import math

import numpy as np

from headway.tasks.chapters.soft_lookup.mistakes import (
    DOUBLE_SOFTMAX,
    EXPONENTIALS_OUT_OF_RANGE,
    MEAN_MISCOUNTED,
    OVERFLOW_HALF_AVERTED,
    SIGN_FLIPPED,
    SOFTMAX_OVER_THE_WRONG_AXIS,
    STOPPED_AT_THE_SOFTMAX,
    TARGET_FORGOTTEN,
)
from headway.tasks.engine.compare import Difference, close
from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task

CLOSE = close(atol=1e-4, rtol=1e-4)  # single precision will do
HIGHEST_CAP = 745  # minus the logarithm of the smallest number above 0


def log_softmax(logits):
    """s − max − ln Σ exp(s − max): a logarithm that is finite where the softmax rounds to 0."""
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def cross_entropy(logits, targets):
    """Mean of −ln p[target], and its gradient (p − y) / B."""
    B = len(logits)
    log_p = log_softmax(logits)
    loss = -log_p[np.arange(B), targets].mean()
    y = np.zeros_like(logits)
    y[np.arange(B), targets] = 1
    return loss, (np.exp(log_p) - y) / B


def cross_entropy_cases(rng: np.random.Generator) -> list[Case]:
    def draw(*shape):
        return np.round(rng.normal(size=shape) * 1.5, 2)

    wide = draw(2, 3) + np.array([[0.0, 1_000.0, 0.0], [0.0, 0.0, -1_000.0]])
    targets = rng.permutation(4)[:3]

    def far_apart(logits):
        """So that large numbers tell: a prediction is far off, and a row is far below another."""
        largest = logits.max(axis=1)
        return (largest - logits[range(3), targets]).max() >= 1 and np.ptp(largest) >= 1

    logits = draw_until(far_apart, lambda: draw(3, 4))
    return [
        Case("three predictions among four words", logits, targets, core=True),
        Case("as many predictions as words", draw(3, 3), np.array([1, 0, 1])),
        Case("a single prediction", draw(1, 5), rng.integers(1, 5, 1)),
        Case("targets that repeat", draw(5, 3), np.array([2, 2, 0, 2, 2])),
        Case("logits a thousand apart", wide, np.array([0, 2])),
        Case("a single word", draw(2, 1), np.array([0, 0])),
    ]


def _alike(got, expected, case) -> Difference | None:
    """Close, but for a loss that is capped: by which small number depends on who wrote it."""
    return CLOSE(_uncapped(got), _uncapped(expected), case)


def _uncapped(value):
    is_pair = isinstance(value, list) and len(value) == 2 and isinstance(value[0], float)
    return ["capped", value[1]] if is_pair and 10 < value[0] < HIGHEST_CAP else value


def _in_python(logits, targets, divisor=None):
    """Row by row, in Python's own numbers, without care: exceptions where NumPy gives NaN."""
    losses, gradient = [], []
    for row, target in zip(logits, targets, strict=True):
        exponentials = [math.exp(logit) for logit in row]
        p = [exponential / sum(exponentials) for exponential in exponentials]
        losses.append(-math.log(p[target]))
        gradient.append([one - (word == target) for word, one in enumerate(p)])
    return sum(losses) / len(losses), np.array(gradient) / (divisor or len(logits))


LOSS = "-log_p[np.arange(B), targets].mean()"
GRADIENT = "(np.exp(log_p) - y) / B"
ONES = "y[np.arange(B), targets]"
OVERFLOWING = "np.log(np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True))"
OF_ALL = "(logits - logits.max())"
BY_THE_LARGEST_OF_ALL = (
    f"{OF_ALL} - np.log(np.exp({OF_ALL}).sum(axis=1, keepdims=True))",
    f"np.log(np.exp({OF_ALL}) / np.exp({OF_ALL}).sum(axis=1, keepdims=True))",
)

cross_entropy_task = Task(
    id="04-soft-lookup/cross-entropy",
    title="Cross-entropy and its gradient",
    kind="build",
    points=2,
    minutes=15,
    answer="cross_entropy",
    cases=cross_entropy_cases,
    reference=cross_entropy,
    misconceptions=(
        MEAN_MISCOUNTED.by(
            lambda logits, targets: _in_python(logits, targets, divisor=1),
            changed(cross_entropy, GRADIENT, "np.exp(log_p) - y"),
            changed(
                *changed(cross_entropy, GRADIENT, "np.exp(log_p) - y"),
                LOSS,
                "-log_p[np.arange(B), targets].sum()",
            ),
            changed(
                cross_entropy,
                LOSS,
                "-log_p[np.arange(B), targets]",
                "-log_p[np.arange(B), targets].sum()",
            ),
            changed(
                *changed(cross_entropy, GRADIENT, "(np.exp(log_p) - y) / y.size"),
                LOSS,
                f"{LOSS} / logits.shape[1]",
            ),
            changed(cross_entropy, GRADIENT, "(np.exp(log_p) - y) / y.size"),
            changed(cross_entropy, LOSS, f"{LOSS} / logits.shape[1]"),
        ),
        SIGN_FLIPPED.by(
            changed(cross_entropy, GRADIENT, "(y - np.exp(log_p)) / B"),
            changed(cross_entropy, LOSS, LOSS.removeprefix("-")),
        ),
        TARGET_FORGOTTEN.by(changed(cross_entropy, GRADIENT, "np.exp(log_p) / B")),
        Misconception(
            "ids-for-one-hot",
            changed(cross_entropy, GRADIENT, "(np.exp(log_p) - targets[:, None]) / B"),
            "You subtract the number of the right word from every probability of its row. What "
            "does y hold at the place of the right word, and what elsewhere?",
        ),
        Misconception(
            "right-word-only",
            changed(cross_entropy, GRADIENT, "y * (np.exp(log_p) - y) / B"),
            "Only the right word has a slope. If the logit of a wrong word rises, what happens to "
            "the probability of the right one?",
        ),
        STOPPED_AT_THE_SOFTMAX.by(
            changed(cross_entropy, GRADIENT, "-y / np.maximum(np.exp(log_p), 1e-300) / B")
        ),
        Misconception(
            "log-of-a-rounded-zero",
            changed(
                cross_entropy,
                LOSS,
                "-np.log(np.exp(log_p[np.arange(B), targets])).mean()",
                "-np.log(np.maximum(np.exp(log_p[np.arange(B), targets]), 1e-12)).mean()",
            ),
            "Where a probability rounds to 0, your loss is infinite or stops growing. What is the "
            "logarithm of e to the power −1,000, and do you need the exponential to know it?",
        ),
        EXPONENTIALS_OUT_OF_RANGE.by(
            changed(cross_entropy, "log_softmax(logits)", OVERFLOWING), _in_python
        ),
        OVERFLOW_HALF_AVERTED.by(
            changed(cross_entropy, "log_softmax(logits)", *BY_THE_LARGEST_OF_ALL),
        ),
        SOFTMAX_OVER_THE_WRONG_AXIS.by(
            changed(cross_entropy, "log_softmax(logits)", "log_softmax(logits.T).T")
        ),
        DOUBLE_SOFTMAX.by(
            changed(
                cross_entropy, "log_softmax(logits)", "log_softmax(np.exp(log_softmax(logits)))"
            )
        ),
        Misconception(
            "bits-for-nats",
            changed(cross_entropy, LOSS, f"{LOSS} / np.log(2)"),
            "Your loss is 1.44 times too large, because it counts in bits. Which logarithm gives "
            "nats?",
        ),
        Misconception(
            "all-rows-with-all-targets",
            any_of(
                changed(cross_entropy, LOSS, "-log_p[:, targets].mean()"),
                changed(cross_entropy, ONES, "y[:, targets]"),
                changed(
                    *changed(cross_entropy, LOSS, "-log_p[:, targets].mean()"),
                    ONES,
                    "y[:, targets]",
                ),
            ),
            "In the loss, in the gradient or in both, every row meets the targets of all rows. "
            "Which pairs does an index of all rows and a list of columns pick?",
        ),
    ),
    compare=CLOSE,
    alike=_alike,
    excused=("kind-of-numbers",),
)
