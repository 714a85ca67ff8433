"""Build: TO WRITE: what is asked for, in a sentence."""

import numpy as np

from headway.tasks.engine.mistakes import Misconception, changed
from headway.tasks.engine.task import Case, Task


def cost(numbers):
    """TO WRITE: a right answer, as plain as a good student's."""
    return 2 * numbers


def cases(rng: np.random.Generator) -> list[Case]:
    """TO WRITE: cases that tell mistakes apart, and every edge that the text promises."""
    return [
        Case("some numbers", rng.normal(size=4), core=True),
        Case("a single number", rng.normal(size=1)),
    ]


cost_task = Task(
    id="16-outlook/cost",
    title="TO WRITE: what it is, in a few words for tables",
    kind="build",
    points=3,
    minutes=10,  # TO WRITE: for one who has read the page
    answer="cost",
    cases=cases,
    reference=cost,
    misconceptions=(
        Misconception(
            "to-write-cost",
            changed(cost, "2 * numbers", "numbers", "3 * numbers"),
            "TO WRITE: what the result of cost equals or lacks, and a question?",
        ),
    ),
)
