"""Build the way out of the heads, some of which are switched off."""

from collections.abc import Callable

import numpy as np
from torch import Tensor

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
from headway.tasks.engine.mistakes import Misconception, any_of
from headway.tasks.engine.task import Case, Task


def merge_cases(rng: np.random.Generator) -> list[Case]:
    return [
        Case("three heads, one off", draw(rng, 2, 3, 5, 4), [1], core=True),
        Case("three heads, none off", draw(rng, 2, 3, 4, 2), []),
        Case("as many heads as tokens", draw(rng, 2, 3, 3, 2), [0, 2]),
        Case("one head", draw(rng, 2, 1, 4, 3), []),
        Case("a single token", draw(rng, 2, 4, 1, 3), [3]),
        Case("heads of width one", draw(rng, 1, 3, 2, 1), [2, 1]),
        Case("no token at all", draw(rng, 2, 3, 0, 2), [1]),
    ]


def silenced(x: Tensor, off: list[int]) -> Tensor:
    """(B, H, T, D), with zeros for the heads that are off."""
    heard = x.clone()
    for head in off:
        heard[:, head] = 0
    return heard


def merge_heads(x, off):
    """(B, H, T, D) → (B, T, C)."""
    return out_of_heads(silenced(x, off))


def by(way: Callable) -> Callable:
    """An answer that silences the right heads, and puts them together in some way."""
    return lambda x, off: way(silenced(x, off))


def head_left_out(x, off):
    """The heads that are off are not there: a narrower row."""
    return out_of_heads(x[:, [head for head in range(x.shape[1]) if head not in off]])


def column_silenced(x, off):
    """Column h in the place of head h."""
    merged = out_of_heads(x.clone())
    merged[..., off] = 0
    return merged


def only_the_first_off(x, off):
    return merge_heads(x, off[:1])


def others_silenced(x, off):
    return merge_heads(x, [head for head in range(x.shape[1]) if head not in off])


merge = Task(
    id="09-many-heads/merge",
    title="Out of the heads",
    kind="build",
    points=1,
    minutes=8,
    answer="merge_heads",
    cases=merge_cases,
    reference=merge_heads,
    misconceptions=(
        Misconception(
            "heads-not-silenced",
            any_of(
                lambda x, off: out_of_heads(x),
                only_the_first_off,
                head_left_out,
                column_silenced,
                others_silenced,
            ),
            "It isn't just the heads that are off that are silent in your result, or not all of "
            "them, or something is left out. Which columns are those of head 1?",
        ),
        VIEW_WITHOUT_TRANSPOSE.by(
            by(lambda x: x.reshape(len(x), x.shape[2], x.shape[1] * x.shape[3]))
        ),
        HEADS_INTERLEAVED.by(by(lambda x: x.permute(0, 2, 3, 1).flatten(2))),
        HEADS_ADDED.by(by(lambda x: x.sum(1)), by(lambda x: x.mean(1))),
        AXES_MIXED_UP.by(
            by(lambda x: x.transpose(2, 3).flatten(1, 2)),
            by(lambda x: x.transpose(2, 3).flatten(2)),
            by(lambda x: x.transpose(0, 1).flatten(2)),
            by(lambda x: x.transpose(1, 3).flatten(2)),
            by(lambda x: x.transpose(1, 2)),
            by(lambda x: x.flatten(1, 2)),
        ),
        VIEW_REFUSED.by(
            by(lambda x: x.transpose(1, 2).view(len(x), x.shape[2], x.shape[1] * x.shape[3])),
            by(lambda x: x.transpose(1, 2).view(len(x), x.shape[2], -1)),
        ),
        OPEN_LENGTH.by(by(lambda x: x.transpose(1, 2).reshape(len(x), x.shape[2], -1))),
    ),
    compare=close(atol=1e-6),
)
