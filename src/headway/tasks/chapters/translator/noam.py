"""Build the learning rate of the first Transformer."""

import numpy as np

from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task


def noam(taken, width, warmup):
    """C^(−1/2) · min(s^(−1/2), s · W^(−3/2)) with s = taken + 1."""
    return paper(taken + 1, width, warmup)


def paper(s, width, warmup):
    """The same by the paper's number of the step, from 1."""
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


def _guarded(taken, width, warmup):
    return 0.0 if taken == 0 else paper(taken, width, warmup)


def _other(formula):
    return lambda taken, width, warmup: formula(taken + 1, width, warmup)


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
            "noam-at-step-zero",
            lambda taken, width, warmup: paper(float(taken), width, warmup),
            "Before the first update you divide by zero, and afterwards you are one update behind. "
            "What number does the first update have in the paper?",
        ),
        Misconception(
            "first-update-at-rate-zero",
            _guarded,
            "Your first update has a rate of 0, so it changes nothing, and each further one is one "
            "behind. How many updates have been made when the paper's step 1 is due?",
        ),
        Misconception(
            "first-update-twice",
            lambda taken, width, warmup: paper(max(taken, 1), width, warmup),
            "Your first two updates have the same rate, and each further one is one behind. How "
            "many updates have been made when the paper's step 2 is due?",
        ),
        Misconception(
            "larger-of-the-two",
            _other(lambda s, C, W: C**-0.5 * max(s**-0.5, s * W**-1.5)),
            "Your rate falls first and rises later, for ever. Which of the two branches should "
            "hold before they meet?",
        ),
        Misconception(
            "width-ignored",
            _other(lambda s, C, W: paper(s, 1, W)),
            "Your rate is the same for every width. What stands in front of the formula?",
        ),
        Misconception(
            "width-not-rooted",
            _other(lambda s, C, W: paper(s, C * C, W)),
            "Your rate is divided by the width. By which power of it should it be?",
        ),
        Misconception(
            "width-multiplied",
            _other(lambda s, C, W: C * paper(s, C, W)),
            "A wider model gets a higher rate from you. What sign does the exponent have?",
        ),
        Misconception(
            "never-cools-down",
            _other(lambda s, C, W: paper(min(s, W), C, W)),
            "The rise is right. After the peak your rate stays where it is. What does the other "
            "branch do?",
        ),
        Misconception(
            "rises-for-ever",
            _other(lambda s, C, W: C**-0.5 * s * W**-1.5),
            "The rise is right, and it never ends. Which branch is the smaller one later?",
        ),
        Misconception(
            "no-warm-up",
            _other(lambda s, C, W: C**-0.5 * s**-0.5),
            "Your first update has the highest rate of all. Which branch is the smaller one at "
            "the start?",
        ),
        Misconception(
            "falls-too-fast",
            _other(lambda s, C, W: C**-0.5 * min(W**0.5 / s, s * W**-1.5)),
            "The rise is right. After the peak your rate falls like one over the step. How does "
            "the paper's fall?",
        ),
        Misconception(
            "branches-do-not-meet",
            _other(lambda s, C, W: C**-0.5 * min(s**-0.5, s * W**-0.5)),
            "Your rate has its peak far too early. Put the warm-up in for the step: at which power "
            "of it are the two branches equal there?",
        ),
        Misconception(
            "rises-to-one",
            _other(lambda s, C, W: C**-0.5 * min(s**-0.5, s / W)),
            "The fall is right. Your rise goes to one and not to the rate at the peak. Put the "
            "warm-up in for the step: are the two branches equal there?",
        ),
        Misconception(
            "rise-one-behind",
            lambda taken, C, W: C**-0.5 * min((taken + 1) ** -0.5, taken * W**-1.5),
            "The fall is right. Your rise counts the updates already taken, so the first one has a "
            "rate of 0. Is s the same number in both branches?",
        ),
        Misconception(
            "width-in-one-branch",
            _other(lambda s, C, W: min(C**-0.5 * s**-0.5, s * W**-1.5)),
            "The fall is right. Your rise is the same for every width. To what does the factor in "
            "front belong?",
        ),
        Misconception(
            "share-of-the-peak",
            _other(lambda s, C, W: paper(s, C, W) / paper(W, C, W)),
            "This is the rate as a share of its highest. What is the highest itself?",
        ),
    ),
    compare=close(atol=0.0, rtol=1e-4),
)
