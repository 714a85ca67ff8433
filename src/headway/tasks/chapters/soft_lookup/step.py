"""Build one step of gradient descent on a table of scores."""

import numpy as np

from headway.tasks.chapters.soft_lookup.cross_entropy import cross_entropy
from headway.tasks.chapters.soft_lookup.mistakes import (
    ANOTHER_LAYOUT,
    MEAN_MISCOUNTED,
    REPEATS_COUNT_ONCE,
    SIGN_FLIPPED,
    TARGET_FORGOTTEN,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def training_step(W, ids, next_ids, rate):
    """The loss of the predictions softmax(W[ids]) before the step, and W after it."""
    loss, by_logits = cross_entropy(W[ids], next_ids)
    gradient = np.zeros_like(W)
    np.add.at(gradient, ids, by_logits)  # rows of the same word add up
    return loss, W - rate * gradient


def step_cases(rng: np.random.Generator) -> list[Case]:
    def draw(size):
        return np.round(rng.normal(size=(size, size)), 2)

    order = rng.permutation(5)
    return [
        Case("different words", draw(5), order[:4], order[1:], 0.5, core=True),
        Case("words that repeat", draw(3), np.array([1, 2, 1, 1, 2]), np.array([2, 0, 0, 2, 1]), 2),
        Case("the same pair again and again", draw(3), np.full(4, 2), np.full(4, 1), 1.0),
        Case("a single pair", draw(4), rng.integers(0, 2, 1), rng.integers(2, 4, 1), 0.1),
        Case("a table of zeros", np.zeros((4, 4)), np.array([0, 3]), np.array([3, 1]), 10.0),
        Case("a rate of zero", draw(3), np.array([0, 1, 0]), np.array([1, 2, 2]), 0.0),
    ]


def _while_reading(W, ids, next_ids, rate):
    """Pair by pair, each with the table as the last one has left it."""
    return _step_by_step(W, ids, next_ids, rate / len(ids))


def _step_by_step(W, ids, next_ids, rate):
    """A whole step for each pair."""
    losses = []
    for word, after in zip(ids, next_ids, strict=True):
        loss, W = training_step(W, np.array([word]), np.array([after]), rate)
        losses.append(loss)
    return np.mean(losses), W


def _occurrences(W, ids):
    """How often each word occurs, (V, 1), and 1 for words that do not."""
    return np.maximum(np.bincount(ids, minlength=len(W)), 1)[:, None]


def _columns(W, ids, next_ids, rate):
    loss, new = training_step(W.T, ids, next_ids, rate)
    return loss, new.T


ADDED_UP = "np.add.at(gradient, ids, by_logits)"

step = Task(
    id="04-soft-lookup/step",
    title="One step of training",
    kind="build",
    points=2,
    minutes=15,
    answer="training_step",
    cases=step_cases,
    reference=training_step,
    misconceptions=(
        REPEATS_COUNT_ONCE.by(
            changed(
                training_step,
                ADDED_UP,
                "gradient[ids] += by_logits",
                "gradient[ids] += by_logits * len(ids)",
            )
        ),
        Misconception(
            "table-changed-too-early",
            any_of(
                _while_reading,
                _step_by_step,
                changed(
                    training_step,
                    "    return loss, W - rate * gradient",
                    "    W = W - rate * gradient\n    return cross_entropy(W[ids], next_ids)[0], W",
                ),
            ),
            "A part of what you return was computed from a table that had changed already. At "
            "which table are the loss and the gradient of a step taken?",
        ),
        SIGN_FLIPPED.by(changed(training_step, "W - rate", "W + rate")),
        MEAN_MISCOUNTED.by(
            changed(
                training_step,
                "rate * gradient",
                "rate * gradient * len(ids)",
                "rate * gradient / len(ids)",
                "rate * gradient / _occurrences(W, ids)",
                "rate * gradient / _occurrences(W, ids) * len(ids)",
            ),
            changed(training_step, "return loss,", "return loss * len(ids),"),
        ),
        Misconception(
            "step-incomplete",
            any_of(
                changed(training_step, "rate * gradient", "gradient"),
                changed(
                    training_step, "W - rate * gradient", "gradient", "-rate * gradient", "W.copy()"
                ),
            ),
            "In the table that you return, the old table, the rate or the gradient has no part. "
            "What does each of the three do in one step?",
        ),
        TARGET_FORGOTTEN.by(
            changed(
                training_step,
                ADDED_UP,
                "np.add.at(gradient, ids, by_logits + np.eye(len(W))[next_ids] / len(ids))",
            )
        ),
        ANOTHER_LAYOUT.by(_columns),
    ),
    compare=close(atol=1e-4, rtol=1e-4),
    excused=("kind-of-numbers",),
)
