"""Build the way out of the heads."""

import numpy as np

from headway.tasks.chapters.many_heads.heads import draw, out_of_heads
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task


def merge_cases(rng: np.random.Generator) -> list[Case]:
    return [
        Case("three heads", draw(rng, 2, 3, 5, 4), core=True),
        Case("as many heads as tokens", draw(rng, 2, 3, 3, 2), core=True),
        Case("one head", draw(rng, 2, 1, 4, 3)),
        Case("a single token", draw(rng, 2, 4, 1, 3)),
        Case("heads of width one", draw(rng, 1, 3, 2, 1)),
        Case("no token at all", draw(rng, 2, 3, 0, 2)),
    ]


def _merge_viewed(x):
    B, H, T, D = x.shape
    return x.reshape(B, T, H * D)


def _merge_turned(x):
    B, H, T, D = x.shape
    return x.transpose(2, 3).reshape(B, H * D, T)


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
        Misconception(
            "view-without-transpose",
            _merge_viewed,
            "The shape is right, the numbers are not: your first token holds several tokens of the "
            "first head. What lies in memory next to each other, and what should?",
        ),
        Misconception(
            "interleaved",
            lambda x: x.permute(0, 2, 3, 1).flatten(2),
            "Each token has its own numbers, in another order: first those of all heads that come "
            "first. Which columns did the first head have before?",
        ),
        Misconception(
            "heads-added",
            lambda x: x.sum(1),
            "You add the heads to each other, and the width is that of one head. Can anyone tell "
            "afterwards which head said what?",
        ),
        Misconception(
            "heads-averaged",
            lambda x: x.mean(1),
            "You take the mean of the heads, and the width is that of one head. Can anyone tell "
            "afterwards which head said what?",
        ),
        Misconception(
            "heads-one-after-the-other",
            lambda x: x.flatten(1, 2),
            "You have put the heads behind each other in time. Along which axis do they stand side "
            "by side?",
        ),
        Misconception(
            "columns-before-time",
            _merge_turned,
            "Your axes are batch, columns, tokens. In which order are they asked for?",
        ),
        Misconception(
            "not-merged",
            lambda x: x.transpose(1, 2),
            "Head and column are still two axes. How many numbers belong to one token?",
        ),
    ),
    compare=close(atol=1e-6),
)
