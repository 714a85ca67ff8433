"""Train, first part: the measure by which the predictions are judged."""

import numpy as np
import torch

from headway.tasks.chapters.many_heads.heads import draw
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task


def r_squared(predicted, target):
    """1 − Σ (predicted − target)² / Σ (target − mean of its column)²."""
    errors = (predicted - target).square().sum()
    return (1 - errors / (target - target.mean(0)).square().sum()).item()


def measure_cases(rng: np.random.Generator) -> list[Case]:
    sizes = torch.tensor([1.0, 5.0, 0.5])
    target = draw(rng, 12, 3) * sizes + torch.tensor([3.0, -2.0, 0.0])
    near = target + 0.6 * draw(rng, 12, 3)
    one = draw(rng, 8, 1) + 1
    return [
        Case("predictions not far off", near, target, core=True),
        Case("shrunk predictions", 0.5 * target, target.clone(), core=True),
        Case("right to the last digit", target.clone(), target.clone()),
        Case("the mean of each column", target.mean(0).expand(12, 3).clone(), target.clone()),
        Case("worse than the mean", -target, target.clone()),
        Case("a single column", one + 0.5 * draw(rng, 8, 1), one),
    ]


def _parts(predicted, target):
    return (predicted - target).square(), (target - target.mean(0)).square()


def _correlation(predicted, target):
    both = torch.stack([predicted.flatten(), target.flatten()])
    return torch.corrcoef(both)[0, 1].square()


def _from_predictions(predicted, target):
    return 1 - _parts(predicted, target)[0].sum() / (predicted - predicted.mean(0)).square().sum()


def _explained(predicted, target):
    """The variance of the errors: their mean is forgiven."""
    errors = predicted - target
    return 1 - (errors - errors.mean(0)).square().sum() / _parts(predicted, target)[1].sum()


def _of(formula):
    return lambda predicted, target: formula(*_parts(predicted, target))


measure = Task(
    id="09-many-heads/r-squared",
    title="How much is explained",
    kind="train",
    points=1,
    minutes=6,
    answer="r_squared",
    cases=measure_cases,
    reference=r_squared,
    misconceptions=(
        Misconception(
            "deviations-from-zero",
            lambda p, y: 1 - (p - y).square().sum() / y.square().sum(),
            "You compare with the guess 0. With which guess is the comparison asked for?",
        ),
        Misconception(
            "one-mean-for-all-columns",
            lambda p, y: 1 - (p - y).square().sum() / (y - y.mean()).square().sum(),
            "Right for a single column. You take one mean for everything. Does every column have "
            "one of its own?",
        ),
        Misconception(
            "mean-of-columns",
            lambda p, y: (1 - (p - y).square().sum(0) / (y - y.mean(0)).square().sum(0)).mean(),
            "Right for a single column. You average over the columns one by one. Are the sums "
            "taken over columns too, before the division?",
        ),
        Misconception(
            "means-of-rows",
            lambda p, y: 1 - (p - y).square().sum() / (y - y.mean(1, keepdim=True)).square().sum(),
            "You take the mean of each row. Along which axis do the examples stand?",
        ),
        Misconception(
            "what-is-left-over",
            _of(lambda errors, all_: errors.sum() / all_.sum()),
            "Perfect predictions get 0 from you. This is the part that is not explained. What is "
            "the rest?",
        ),
        Misconception(
            "plain-error",
            _of(lambda errors, all_: 1 - errors.mean()),
            "This is one minus the mean squared error: it depends on the units. What is the error "
            "to be divided by?",
        ),
        Misconception(
            "roots-taken",
            _of(lambda errors, all_: 1 - (errors.sum() / all_.sum()).sqrt()),
            "You take roots on the way. Is the comparison one of squares or of lengths?",
        ),
        Misconception(
            "no-squares",
            lambda p, y: 1 - (p - y).abs().sum() / (y - y.mean(0)).abs().sum(),
            "You add up absolute values. What does the square in the name say?",
        ),
        Misconception(
            "correlation",
            _correlation,
            "This is a squared correlation: predictions that are half as large as they should be "
            "get full marks from it. Are they right?",
        ),
        Misconception(
            "spread-of-the-predictions",
            _from_predictions,
            "You divide by the spread of the predictions. Whose spread is to be explained?",
        ),
        Misconception(
            "offset-forgiven",
            _explained,
            "You forgive predictions that are all too high by the same number. Should they count "
            "as right?",
        ),
        Misconception(
            "one-less",
            lambda p, y: 1 - (p - y).square().mean() / y.var(0).mean(),
            "Nearly right: your error is divided by the number of rows, and your spread by one "
            "less. Which variance do you take?",
        ),
        Misconception(
            "spread-for-the-error",
            lambda p, y: (p - y.mean(0)).square().sum() / _parts(p, y)[1].sum(),
            "You compare how far the predictions are spread with how far the targets are. "
            "Predictions that are all wrong may be spread as far. Where does the error come in?",
        ),
        Misconception(
            "cut-at-zero",
            lambda p, y: max(r_squared(p, y), 0.0),
            "Right where predictions are better than the mean. Can they be worse, and should one "
            "see it?",
        ),
    ),
    compare=close(atol=1e-5, rtol=1e-4),
)
