"""Train: TO WRITE: what is asked for, in a sentence."""

import numpy as np

from headway.tasks.engine.mistakes import Misconception, changed
from headway.tasks.engine.task import Case, Task


def vocabulary_size(numbers):
    """TO WRITE: a right answer, as plain as a good student's."""
    return 2 * numbers


def cases(rng: np.random.Generator) -> list[Case]:
    """TO WRITE: cases that tell mistakes apart, and every edge that the text promises."""
    return [
        Case("some numbers", rng.normal(size=4), core=True),
        Case("a single number", rng.normal(size=1)),
    ]


vocabulary_size_task = Task(
    id="05-tokens/vocabulary-size",
    title="TO WRITE: what it is, in a few words for tables",
    kind="train",
    points=5,
    minutes=20,  # TO WRITE: for one who has read the page
    answer="vocabulary_size",
    cases=cases,
    reference=vocabulary_size,
    misconceptions=(
        Misconception(
            "to-write-vocabulary-size",
            changed(vocabulary_size, "2 * numbers", "numbers", "3 * numbers"),
            "TO WRITE: what the result of vocabulary-size equals or lacks, and a question?",
        ),
    ),
)
