"""Build cross-attention: the target asks, the source answers."""

import numpy as np
import torch

from headway.tasks.chapters.translator.attention import cross_attention
from headway.tasks.chapters.translator.drawn import draw_tensor, seen
from headway.tasks.chapters.translator.wrong_attention import MISTAKES
from headway.tasks.engine.compare import close
from headway.tasks.engine.task import Case, Task

CLOSE = close(atol=1e-4, rtol=1e-4)  # single precision will do


def cross_cases(rng: np.random.Generator) -> list[Case]:
    def draw(T, lengths, S, C=6, D=3, E=4):
        B = len(lengths)
        x, memory = draw_tensor(rng, B, T, C), draw_tensor(rng, B, S, C)
        weights = draw_tensor(rng, C, D), draw_tensor(rng, C, D), draw_tensor(rng, C, E)
        return x, memory, *weights, seen(*lengths, width=S)

    *given, _ = draw(3, [4, 4], 4)
    scattered = torch.tensor([[True, False, True, True], [False, True, False, True]])
    return [
        Case("one sentence without padding", *draw(3, [5], 5), core=True),
        Case("shorter sources, padded", *draw(4, [2, 6, 3], 6), core=True),
        Case("a target longer than its source", *draw(6, [2, 3], 3)),
        Case("a target as long as its source", *draw(4, [4, 3], 4)),
        Case("a source of one token", *draw(3, [1], 1)),
        Case("a target of one token", *draw(1, [4, 2], 4)),
        Case("as many sentences as source and target tokens", *draw(3, [3, 1, 2], 3)),
        Case("a source of padding only", *draw(2, [3, 0], 3)),
        Case("padding anywhere in the source", *given, scattered),
    ]


cross = Task(
    id="13-translator/cross-attention",
    title="Cross-attention",
    kind="build",
    points=2,
    minutes=15,
    answer="cross_attention",
    cases=cross_cases,
    reference=cross_attention,
    misconceptions=MISTAKES,
    compare=CLOSE,
)
