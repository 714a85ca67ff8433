"""Build the learning rate of the first Transformer, as a factor of the optimizer's own."""

import numpy as np

from headway.tasks.chapters.translator.drawn import near
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception, changed
from headway.tasks.engine.task import Case, Task


def noam(taken, width, warmup, lr):
    """The paper's C^(−1/2) · min(s^(−1/2), s · W^(−3/2)), s from 1, by the optimizer's rate."""
    s = taken + 1
    return width**-0.5 * min(s**-0.5, s * warmup**-1.5) / lr


def noam_cases(rng: np.random.Generator) -> list[Case]:
    width, warmup = (int(rng.integers(*ends)) for ends in ((40, 600), (200, 5_000)))
    lr = float(rng.choice([0.5, 0.1, 0.02, 1e-3, 3e-4])) * float(rng.integers(2, 8)) / 4  # below 1
    early, late = int(rng.integers(5, 100)), int(rng.integers(2, 9))
    return [
        Case("while it rises", early, width, warmup, lr, core=True),
        Case("long after the peak", late * warmup, width, warmup, lr, core=True),
        Case("before the first update", 0, width, warmup, lr),
        Case("the update at the peak", warmup - 1, width, warmup, lr),
        Case("one update after the peak", warmup, width, warmup, lr),
        Case("an optimizer whose own rate is 1", early, width, warmup, 1.0),
        Case("a narrow model with a short warm-up", 7, 4, 3, 0.01),
        Case("a warm-up of one update", 3, 16, 1, 0.5),
    ]


(share_of_the_peak,) = changed(noam, "width**-0.5", "warmup**0.5")


def of_another_step(got, expected, case) -> bool:
    taken, *others = case.inputs
    steps = [taken + by for by in (-2, -1, 1)]
    ideas = [noam(step, *others) if step >= 0 else 0 for step in steps]
    return near(got / expected, *(idea / expected for idea in ideas))


def of_another_rate(got, expected, case) -> bool:
    """Not divided by the rate, more often or the wrong way; of the formula or its share."""
    lr = case.inputs[-1]
    ratios = [got / idea for idea in (expected, share_of_the_peak(*case.inputs))]
    return any(near(ratio, lr, lr**2, 1 / lr) for ratio in ratios) or near(ratios[1], 1)


noam_task = Task(
    id="13-translator/noam",
    title="Warm up, then cool down",
    kind="build",
    points=1,
    minutes=10,
    answer="noam",
    cases=noam_cases,
    reference=noam,
    misconceptions=(
        Misconception(
            "rate-for-a-factor",
            changed(noam, " / lr", ""),
            "You return a rate, or take the optimizer's own rate into it in the wrong way. What "
            "does PyTorch make of the number that it gets?",
            shows=of_another_rate,
            only_at=("an optimizer whose own rate is 1",),
        ),
        Misconception(
            "one-update-behind",
            changed(noam, "s = taken + 1", "s = taken"),
            "Your rate is that of another update, at least while it rises. How many updates have "
            "been taken when the paper's step 1 is due?",
            shows=of_another_step,
            only_at=("before the first update",),
        ),
        Misconception(
            "another-curve",
            changed(noam, "* min(", "* max("),
            "Your curve isn't the paper's. Does it rise first and fall later, do its branches "
            "meet where s is w, and does its height depend on the width as in the formula?",
            shows=lambda got, expected, case: np.ndim(got) == 0 and got != expected,
            only_at=(
                "the update at the peak",
                "one update after the peak",
                "a narrow model with a short warm-up",
                "a warm-up of one update",
            ),
        ),
    ),
    compare=close(atol=0.0, rtol=1e-4),
)
