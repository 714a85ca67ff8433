"""Train, first part: the measure by which the predictions are judged."""

from collections.abc import Callable

import numpy as np
import torch

from headway.tasks.chapters.many_heads.heads import draw
from headway.tasks.chapters.many_heads.mistakes import LENGTHS_FOR_SQUARES
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception, Shows, any_of, changed
from headway.tasks.engine.requirements import arguments_kept
from headway.tasks.engine.task import Case, Task


def r_squared(predicted, target):
    """1 − Σ (predicted − target)² / Σ (target − mean of its column)²."""
    errors = (predicted - target).square().sum()
    spread = (target - target.mean(0)).square().sum()
    return (1 - errors / spread).item()


def measure_cases(rng: np.random.Generator) -> list[Case]:
    sizes = torch.tensor([1.0, 5.0, 0.5])
    target = draw(rng, 12, 3) * sizes + torch.tensor([3.0, -2.0, 0.0])
    near = target + 0.6 * draw(rng, 12, 3)
    one = draw(rng, 8, 1) + 1
    return [
        Case("predictions not far off", near, target, core=True),
        Case("shrunk predictions", 0.5 * target, target.clone()),
        Case("right to the last digit", target.clone(), target.clone()),
        Case("the mean of each column", target.mean(0).expand(12, 3).clone(), target.clone()),
        Case("worse than the mean", -target, target.clone()),
        Case("a single column", one + 0.5 * draw(rng, 8, 1), one),
        arguments_kept(
            draw(rng, 6, 2),
            draw(rng, 6, 2) + 1,
        ),
    ]


def _correlation(predicted, target):
    both = torch.stack([predicted.flatten(), target.flatten()])
    return torch.corrcoef(both)[0, 1].square()


def _by_columns(predicted, target):
    return np.mean([r_squared(*columns) for columns in zip(predicted.T, target.T, strict=True)])


def _one_of(*others: Callable[[np.ndarray, np.ndarray], float]) -> Shows:
    """Tell a mistake by a number that equals one of others made of predictions and targets."""

    def shows(got, expected, case) -> bool:
        pair = [x.double().numpy() for x in case.inputs]
        return any(np.isclose(got, other(*pair), rtol=1e-4, atol=1e-6) for other in others)

    return shows


def _beside(guess: Callable[[np.ndarray, np.ndarray], float | np.ndarray]):
    """R² if errors are compared with those of another guess."""
    return lambda p, y: 1 - ((p - y) ** 2).sum() / ((y - guess(p, y)) ** 2).sum()


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
            "compared-with-another-guess",
            any_of(
                changed(r_squared, "target.mean(0)", "0"),
                changed(r_squared, "/ spread", "/ (target.var() * target.numel())"),
            ),
            "You compare your errors with those of another guess than asked. Which means are "
            "meant, and along which axis do the examples stand?",
            shows=_one_of(
                _beside(lambda p, y: 0),
                _beside(lambda p, y: y.mean()),
                _beside(lambda p, y: y.mean(1, keepdims=True)),
                _beside(lambda p, y: p),
                _beside(lambda p, y: p.mean()),
                _beside(lambda p, y: p.mean(0)),
                _beside(lambda p, y: np.median(y, 0)),
            ),
            only_at=("a single column",),
        ),
        Misconception(
            "unexplained-share",
            changed(r_squared, "1 - errors / spread", "errors / spread"),
            "Perfect predictions get 0 from you, because this is the part that is not explained. "
            "What is the rest?",
            shows=lambda got, expected, case: np.isclose(got, 1 - expected, rtol=1e-4),
        ),
        LENGTHS_FOR_SQUARES.by(
            changed(r_squared, "errors / spread", "(errors / spread).sqrt()"),
            shows=_one_of(
                lambda p, y: 1 - abs(p - y).sum() / abs(y - y.mean(0)).sum(),
                lambda p, y: 1 - abs((p - y).sum()) / abs((y - y.mean(0)).sum()),
            ),
        ),
        Misconception(
            "offset-or-scale-forgiven",
            any_of(
                _correlation,
                changed(
                    r_squared,
                    "(predicted - target).square()",
                    "(predicted - target - (predicted - target).mean(0)).square()",
                ),
            ),
            "You give full marks to predictions that are all too high by the same number. Are they "
            "right?",
            shows=_one_of(
                lambda p, y: 1 - (p - y).var(0).sum() / y.var(0).sum(),
                lambda p, y: 1 - (p - y).var() / y.var(),
                lambda p, y: np.corrcoef(p.ravel(), y.ravel())[0, 1],
                lambda p, y: np.mean(
                    [np.corrcoef(*both)[0, 1] ** 2 for both in zip(p.T, y.T, strict=True)]
                ),
            ),
        ),
        Misconception(
            "cut-at-zero",
            lambda predicted, target: max(r_squared(predicted, target), 0.0),
            "This is right where predictions are better than the mean. Can they be worse, and "
            "should one see it?",
            only_at=("worse than the mean",),
        ),
        Misconception(
            "another-quotient",
            any_of(
                _by_columns,
                changed(r_squared, "errors / spread", "errors / target.numel()"),
            ),
            "You divide other sums or means than the formula does. Which two sums does it divide, "
            "and what are they taken over?",
            shows=lambda got, expected, case: np.isfinite(got).all(),
            only_at=("shrunk predictions", "right to the last digit", "the mean of each column"),
        ),
    ),
    compare=close(atol=1e-5, rtol=1e-4),
)
