"""Build the learning rate of the first Transformer."""

import numpy as np

from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def noam(taken, width, warmup):
    """C^(−1/2) · min(s^(−1/2), s · W^(−3/2)) with the paper's number of the step, s from 1."""
    s = taken + 1
    return width**-0.5 * min(s**-0.5, s * warmup**-1.5)


def noam_cases(rng: np.random.Generator) -> list[Case]:
    width, warmup = (int(rng.integers(*ends)) for ends in ((40, 600), (200, 5_000)))
    early, late = int(rng.integers(5, 100)), int(rng.integers(2, 9))
    return [
        Case("while it rises", early, width, warmup, core=True),
        Case("long after the peak", late * warmup, width, warmup, core=True),
        Case("before the first update", 0, width, warmup),
        Case("the update at the peak", warmup - 1, width, warmup),
        Case("one update after the peak", warmup, width, warmup),
        Case("a narrow model with a short warm-up", 7, 4, 3),
        Case("a warm-up of one update", 3, 16, 1),
    ]


STEP = "s = taken + 1"

noam_task = Task(
    id="13-translator/noam",
    title="Warm up, then cool down",
    kind="build",
    points=1,
    minutes=6,
    answer="noam",
    cases=noam_cases,
    reference=noam,
    misconceptions=(
        Misconception(
            "one-update-behind",
            any_of(
                changed(
                    noam,
                    STEP,
                    "s = taken",
                    "s = max(taken, 1)",
                    "s = taken\n    if taken == 0:\n        return 0.0",
                ),
                changed(noam, "s * warmup", "taken * warmup"),
            ),
            "Your rate is one update behind, at least while it rises. How many updates have been "
            "taken when the paper's step 1 is due?",
        ),
        Misconception(
            "wrong-branch-of-the-schedule",
            any_of(
                changed(noam, "* min(", "* max("),
                changed(noam, STEP, "s = min(taken + 1, warmup)"),
                changed(noam, "min(s**-0.5, s * warmup**-1.5)", "s**-0.5", "s * warmup**-1.5"),
            ),
            "Your rate does not both rise and fall, in this order. Which of the two branches is "
            "the smaller one before they meet, and which one later?",
        ),
        Misconception(
            "wrong-power-in-a-branch",
            any_of(
                changed(noam, "s**-0.5", "warmup**0.5 / s"),
                changed(noam, "s * warmup**-1.5", "s * warmup**-0.5", "s / warmup"),
            ),
            "One of your branches is right, and the other has a wrong power. Put the warm-up in "
            "for the step: are the two equal there? And how does the paper's rate fall after it?",
        ),
        Misconception(
            "wrong-power-of-the-width",
            any_of(
                changed(noam, "width**-0.5", "1", "1 / width", "width**0.5", "warmup**0.5"),
                changed(noam, "width**-0.5 * min(s**-0.5", "min((width * s) ** -0.5"),
            ),
            "Your rate does not depend on the width as the paper's does. Which power of the width "
            "stands in front, what sign does its exponent have, and to which branches does it "
            "belong?",
        ),
    ),
    compare=close(atol=0.0, rtol=1e-4),
)
