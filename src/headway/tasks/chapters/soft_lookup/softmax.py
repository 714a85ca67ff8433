"""Build a softmax that does not overflow."""

import math

import numpy as np

from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task


def softmax(scores, temperature=1.0):
    """exp(s/τ) / Σ exp(s/τ) over the last axis; the largest score is subtracted first."""
    scores = scores / temperature
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def softmax_cases(rng: np.random.Generator) -> list[Case]:
    def draw(*shape):
        return np.round(rng.normal(size=shape) * 1.5, 2)

    far = draw(2, 3) + np.array([[0.0], [-2_000.0]])
    return [
        Case("one row of scores", draw(4)),
        Case("a batch of rows", draw(2, 3), core=True),
        Case("as many rows as scores", draw(3, 3)),
        Case("a batch of batches", draw(2, 3, 4)),
        Case("a low temperature", draw(2, 3), 0.25),
        Case("a high temperature", draw(5), 3.0),
        Case("scores around 1,000", draw(2, 4) + 1_000.0),
        Case("scores around −1,000", draw(2, 3) - 1_000.0),
        Case("one row far below the other", far),
        Case("one score far above the others", np.append(draw(4), 990.0 + rng.integers(1, 20))),
        Case("whole numbers", rng.permutation(4)),
        Case("a single score", np.array([rng.integers(2, 9) * 1.0])),
    ]


def _by(exponent):
    """A softmax without care for overflow, from a function (scores, τ) -> exponents."""

    def softmax_of(scores, temperature=1.0):
        exponentials = np.exp(exponent(scores, temperature))
        return exponentials / exponentials.sum(axis=-1, keepdims=True)

    return softmax_of


def _in_python(scores, temperature=1.0):
    """The same without care, in Python's own numbers: exceptions where NumPy gives NaN."""
    if scores.ndim > 1:
        return np.array([_in_python(part, temperature) for part in scores])
    exponentials = [math.exp(score / temperature) for score in scores]
    return [exponential / sum(exponentials) for exponential in exponentials]


def _over(axis):
    def softmax_of(scores, temperature=1.0):
        scores = scores / temperature
        exponentials = np.exp(scores - scores.max(axis=axis, keepdims=True))
        return exponentials / exponentials.sum(axis=axis, keepdims=True)

    return softmax_of


def _axis_dropped(scores, temperature=1.0):
    scores = scores / temperature
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1)


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
        Misconception(
            "overflow",
            _by(lambda scores, t: scores / t),
            "Right for small scores. What is e to the power 1,000 on a computer, and e to the "
            "power −1,000? Which number may you take from all scores of a row without changing "
            "the weights?",
        ),
        Misconception(
            "overflow-hidden",
            lambda scores, temperature=1.0: np.nan_to_num(
                _by(lambda s, t: s / t)(scores, temperature)
            ),
            "Right for small scores. For large ones you put 0 where infinity was divided by "
            "infinity, and then a row no longer sums to one. Which number may you take from all "
            "scores of a row, before the exponential, without changing the weights?",
        ),
        Misconception(
            "maximum-of-everything",
            _by(lambda scores, t: (scores - np.max(scores)) / t),
            "You subtract one number from all rows. Where a row lies far below it, all its "
            "exponentials are 0. Whose largest score concerns a row?",
        ),
        Misconception(
            "overflow-error",
            _in_python,
            "Large scores end your function with an exception. What is e to the power 1,000 on a "
            "computer, and e to the power −1,000? Which number may you take from all scores of a "
            "row without changing the weights?",
        ),
        Misconception(
            "mean-for-maximum",
            _by(lambda scores, t: (scores - np.mean(scores, axis=-1, keepdims=True)) / t),
            "You subtract the mean of a row. If one score is 1,000 and the others are 0, how large "
            "is the largest exponent then?",
        ),
        Misconception(
            "clipped",
            _by(lambda scores, t: np.clip(scores / t, -700, 700)),
            "No overflow any more, but scores beyond a bound have become equal. Do 1,000 and 1,001 "
            "get the same weight?",
        ),
        Misconception(
            "wrong-axis",
            _over(0),
            "Your columns sum to one. Along which axis do the scores of one prefix lie?",
        ),
        Misconception(
            "second-axis",
            lambda scores, temperature=1.0: _over(1)(scores, temperature),
            "Right for a batch of rows. A single row has no axis 1, and in a batch of batches axis "
            "1 is not the last. How do you name the last axis, however many there are?",
        ),
        Misconception(
            "whole-array",
            _over(None),
            "All your weights together sum to one. How many rows are there, and what should each "
            "sum to?",
        ),
        Misconception(
            "axis-dropped",
            _axis_dropped,
            "With one row it is right. With as many rows as scores, each column is divided by the "
            "sum of a row. What shape do your sums have?",
        ),
        Misconception(
            "scores-rescaled",
            lambda scores, temperature=1.0: (
                scores / temperature / (scores / temperature).sum(axis=-1, keepdims=True)
            ),
            "You divide the scores by their sum. Can a weight be negative, and does the "
            "temperature make any difference?",
        ),
        Misconception(
            "temperature-ignored",
            lambda scores, temperature=1.0: softmax(scores),
            "Your weights are the same at every temperature. Which line of yours should it act on, "
            "and before or after the exponential?",
        ),
        Misconception(
            "temperature-multiplied",
            lambda scores, temperature=1.0: softmax(scores, 1 / temperature),
            "Your weights level out where they should sharpen. What should happen to the largest "
            "weight as the temperature falls?",
        ),
        Misconception(
            "temperature-outside",
            lambda scores, temperature=1.0: softmax(scores) / temperature,
            "The temperature changes what your rows sum to. Does it act on the weights or on the "
            "scores?",
        ),
        Misconception(
            "double-softmax",
            lambda scores, temperature=1.0: softmax(softmax(scores, temperature)),
            "This is the softmax of a softmax. Its weights never differ by more than a factor e: "
            "where are the scores turned into weights a second time?",
        ),
        Misconception(
            "not-divided",
            lambda scores, temperature=1.0: np.exp(
                (scores - np.max(scores, axis=-1, keepdims=True)) / temperature
            ),
            "Your largest weight in each row is 1. What should a row sum to?",
        ),
        Misconception(
            "largest-takes-all",
            lambda scores, temperature=1.0: np.equal(
                scores, np.max(scores, axis=-1, keepdims=True)
            ).astype(float),
            "This is a hard maximum. If a score moves a little, do your weights move?",
        ),
    ),
    compare=close(atol=1e-4, rtol=1e-4),
)
