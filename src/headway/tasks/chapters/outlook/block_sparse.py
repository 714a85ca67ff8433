"""Build: TO WRITE: what is asked for, in a sentence."""

import numpy as np

from headway.tasks.engine.mistakes import Misconception, changed
from headway.tasks.engine.task import Case, Task


def block_sparse(numbers):
    """TO WRITE: a right answer, as plain as a good student's."""
    return 2 * numbers


def cases(rng: np.random.Generator) -> list[Case]:
    """TO WRITE: cases that tell mistakes apart, and every edge that the text promises."""
    return [
        Case("some numbers", rng.normal(size=4), core=True),
        Case("a single number", rng.normal(size=1)),
    ]


block_sparse_task = Task(
    id="16-outlook/block-sparse",
    title="TO WRITE: what it is, in a few words for tables",
    kind="build",
    points=3,
    minutes=10,  # TO WRITE: for one who has read the page
    answer="block_sparse",
    cases=cases,
    reference=block_sparse,
    misconceptions=(
        Misconception(
            "to-write-block-sparse",
            changed(block_sparse, "2 * numbers", "numbers", "3 * numbers"),
            "TO WRITE: what the result of block-sparse equals or lacks, and a question?",
        ),
    ),
)
