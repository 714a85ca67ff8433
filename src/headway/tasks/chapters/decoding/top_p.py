"""Build: TO WRITE: what is asked for, in a sentence."""

import numpy as np

from headway.tasks.engine.mistakes import Misconception, changed
from headway.tasks.engine.task import Case, Task


def top_p(numbers):
    """TO WRITE: a right answer, as plain as a good student's."""
    return 2 * numbers


def cases(rng: np.random.Generator) -> list[Case]:
    """TO WRITE: cases that tell mistakes apart, and every edge that the text promises."""
    return [
        Case("some numbers", rng.normal(size=4), core=True),
        Case("a single number", rng.normal(size=1)),
    ]


top_p_task = Task(
    id="14-decoding/top-p",
    title="TO WRITE: what it is, in a few words for tables",
    kind="build",
    points=2,
    minutes=10,  # TO WRITE: for one who has read the page
    answer="top_p",
    cases=cases,
    reference=top_p,
    misconceptions=(
        Misconception(
            "to-write-top-p",
            changed(top_p, "2 * numbers", "numbers", "3 * numbers"),
            "TO WRITE: what the result of top-p equals or lacks, and a question?",
        ),
    ),
)
