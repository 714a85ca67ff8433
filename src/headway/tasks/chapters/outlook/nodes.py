"""Train: TO WRITE: what is asked for, in a sentence."""

import numpy as np

from headway.tasks.engine.mistakes import Misconception, changed
from headway.tasks.engine.task import Case, Task


def nodes(numbers):
    """TO WRITE: a right answer, as plain as a good student's."""
    return 2 * numbers


def cases(rng: np.random.Generator) -> list[Case]:
    """TO WRITE: cases that tell mistakes apart, and every edge that the text promises."""
    return [
        Case("some numbers", rng.normal(size=4), core=True),
        Case("a single number", rng.normal(size=1)),
    ]


nodes_task = Task(
    id="16-outlook/nodes",
    title="TO WRITE: what it is, in a few words for tables",
    kind="train",
    points=5,
    minutes=20,  # TO WRITE: for one who has read the page
    answer="nodes",
    cases=cases,
    reference=nodes,
    misconceptions=(
        Misconception(
            "to-write-nodes",
            changed(nodes, "2 * numbers", "numbers", "3 * numbers"),
            "TO WRITE: what the result of nodes equals or lacks, and a question?",
        ),
    ),
)
