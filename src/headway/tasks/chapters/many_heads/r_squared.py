"""Train, first part: the measure by which the predictions are judged."""

import numpy as np
import torch

from headway.tasks.chapters.many_heads.heads import draw
from headway.tasks.chapters.many_heads.mistakes import LENGTHS_FOR_SQUARES
from headway.tasks.engine.compare import close
from headway.tasks.engine.duties import arguments_kept
from headway.tasks.engine.mistakes import Misconception, any_of, changed
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
                changed(
                    r_squared,
                    "target.mean(0)",
                    "0",
                    "target.mean()",
                    "target.mean(1, keepdim=True)",
                ),
                changed(r_squared, "/ spread", "/ (target.var() * target.numel())"),
            ),
            "You compare your errors with those of another guess than asked. Which means are "
            "meant, and along which axis do the examples stand?",
        ),
        Misconception(
            "unexplained-share",
            changed(r_squared, "1 - errors / spread", "errors / spread"),
            "Perfect predictions get 0 from you, because this is the part that is not explained. "
            "What is the rest?",
        ),
        LENGTHS_FOR_SQUARES.by(
            changed(r_squared, "errors / spread", "(errors / spread).sqrt()"),
            lambda p, y: 1 - (p - y).abs().sum() / (y - y.mean(0)).abs().sum(),
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
        ),
        Misconception(
            "another-quotient",
            any_of(
                _by_columns,
                changed(r_squared, "(target - target.mean(0))", "(predicted - predicted.mean(0))"),
                changed(
                    *changed(r_squared, "(predicted - target)", "(predicted - target.mean(0))"),
                    "1 - errors / spread",
                    "errors / spread",
                ),
                changed(
                    r_squared,
                    "errors / spread",
                    "errors / target.numel()",
                    "errors / spread * (len(target) - 1) / len(target)",
                    "errors / (spread / target.numel())",
                    "errors / target.numel() / spread",
                    "errors / target.numel() / (spread / len(target))",
                    "errors / target.numel() / (spread / (len(target) - 1))",
                ),
            ),
            "You divide other sums or means than the formula does. Which two sums does it divide, "
            "and what are they taken over?",
        ),
        Misconception(
            "cut-at-zero",
            lambda predicted, target: max(r_squared(predicted, target), 0.0),
            "This is right where predictions are better than the mean. Can they be worse, and "
            "should one see it?",
        ),
    ),
    compare=close(atol=1e-5, rtol=1e-4),
)
