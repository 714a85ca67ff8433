"""Build the way out of the heads."""

import numpy as np

from headway.tasks.chapters.many_heads.heads import draw, out_of_heads
from headway.tasks.chapters.many_heads.mistakes import (
    AXES_MIXED_UP,
    HEADS_ADDED,
    HEADS_INTERLEAVED,
    OPEN_LENGTH,
    VIEW_REFUSED,
    VIEW_WITHOUT_TRANSPOSE,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.task import Case, Task


def merge_cases(rng: np.random.Generator) -> list[Case]:
    return [
        Case("three heads", draw(rng, 2, 3, 5, 4), core=True),
        Case("as many heads as tokens", draw(rng, 2, 3, 3, 2)),
        Case("one head", draw(rng, 2, 1, 4, 3)),
        Case("a single token", draw(rng, 2, 4, 1, 3)),
        Case("heads of width one", draw(rng, 1, 3, 2, 1)),
        Case("no token at all", draw(rng, 2, 3, 0, 2)),
    ]


merge = Task(
    id="09-many-heads/merge",
    title="Out of the heads",
    kind="build",
    points=1,
    minutes=6,
    answer="merge_heads",
    cases=merge_cases,
    reference=out_of_heads,
    misconceptions=(
        VIEW_WITHOUT_TRANSPOSE.by(lambda x: x.reshape(len(x), x.shape[2], x.shape[1] * x.shape[3])),
        HEADS_INTERLEAVED.by(lambda x: x.permute(0, 2, 3, 1).flatten(2)),
        HEADS_ADDED.by(lambda x: x.sum(1), lambda x: x.mean(1)),
        AXES_MIXED_UP.by(
            lambda x: x.transpose(2, 3).flatten(1, 2),
            lambda x: x.transpose(2, 3).flatten(2),
            lambda x: x.transpose(0, 1).flatten(2),
            lambda x: x.transpose(1, 3).flatten(2),
            lambda x: x.transpose(1, 2),
            lambda x: x.flatten(1, 2),
        ),
        VIEW_REFUSED.by(
            lambda x: x.transpose(1, 2).view(len(x), x.shape[2], x.shape[1] * x.shape[3]),
            lambda x: x.transpose(1, 2).view(len(x), x.shape[2], -1),
        ),
        OPEN_LENGTH.by(lambda x: x.transpose(1, 2).reshape(len(x), x.shape[2], -1)),
    ),
    compare=close(atol=1e-6),
)
