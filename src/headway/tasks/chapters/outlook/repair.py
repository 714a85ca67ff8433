"""Debug: TO WRITE: the function that is handed out, and its fault."""

import numpy as np

from headway.tasks.engine.mistakes import Misconception, changed
from headway.tasks.engine.task import Case, Task


def given_repair(numbers):
    """TO WRITE: the faulty function, as the notebook hands it out."""
    return numbers * numbers


def repair(numbers):
    """TO WRITE: the same, repaired."""
    return numbers + numbers


def cases(rng: np.random.Generator) -> list[Case]:
    """TO WRITE: cases that tell mistakes apart, and every edge that the text promises."""
    return [
        Case("some numbers", rng.normal(size=4), core=True),
        Case("a single number", rng.normal(size=1)),
    ]


repair_task = Task(
    id="16-outlook/repair",
    title="TO WRITE: what it is, in a few words for tables",
    kind="debug",
    points=2,
    minutes=8,  # TO WRITE: for one who has read the page
    answer="repair",
    cases=cases,
    reference=repair,
    given=given_repair,
    misconceptions=(
        Misconception(
            "to-write-repair",
            changed(repair, "numbers + numbers", "numbers", "numbers - numbers"),
            "TO WRITE: what the result of repair equals or lacks, and a question?",
        ),
    ),
)
