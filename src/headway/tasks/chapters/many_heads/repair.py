"""Debug: heads put together by a `view` where a transpose is needed."""

import math

import numpy as np
import torch

from headway.tasks.chapters.many_heads.heads import draw
from headway.tasks.chapters.many_heads.mistakes import (
    AXES_MIXED_UP,
    HEADS_ADDED,
    HEADS_INTERLEAVED,
    HEADS_SWAPPED,
    MASK_IGNORED,
    RIGHT_LINE_SUSPECTED,
    VIEW_REFUSED,
    VIEW_WITHOUT_TRANSPOSE,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import changed
from headway.tasks.engine.task import Case, Task


def given_heads(x, W_Q, W_K, W_V, W_O, heads):
    """The faulty function that the notebook hands out."""
    B, T, C = x.shape
    D = C // heads
    by_head = (W.view(C, heads, D) for W in (W_Q, W_K, W_V))
    query, key, value = (torch.einsum("btc,chd->bhtd", x, W) for W in by_head)
    scores = query @ key.transpose(2, 3) / math.sqrt(D)
    near = torch.ones(T, T, dtype=torch.bool).tril().triu(-2)
    weights = scores.masked_fill(~near, -torch.inf).softmax(dim=-1)
    mixed = weights @ value
    return mixed.view(B, T, C) @ W_O


def repaired_heads(x, W_Q, W_K, W_V, W_O, heads):
    """The same with line 9 mended."""
    B, T, C = x.shape
    D = C // heads
    by_head = (W.view(C, heads, D) for W in (W_Q, W_K, W_V))
    query, key, value = (torch.einsum("btc,chd->bhtd", x, W) for W in by_head)
    scores = query @ key.transpose(2, 3) / math.sqrt(D)
    near = torch.ones(T, T, dtype=torch.bool).tril().triu(-2)
    weights = scores.masked_fill(~near, -torch.inf).softmax(dim=-1)
    mixed = weights @ value
    return mixed.transpose(1, 2).reshape(B, T, C) @ W_O


def repair_cases(rng: np.random.Generator) -> list[Case]:
    def inputs(B, T, C, heads):
        return draw(rng, B, T, C), *(0.7 * draw(rng, C, C) for _ in range(4)), heads

    return [
        Case("three heads, five tokens", *inputs(2, 5, 12, 3), core=True),
        Case("two heads, six tokens", *inputs(1, 6, 8, 2)),
        Case("as many heads as tokens", *inputs(2, 4, 8, 4)),
        Case("one head", *inputs(2, 3, 4, 1)),
        Case("a single token", *inputs(2, 1, 6, 3)),
    ]


IN = """    by_head = (W.view(C, heads, D) for W in (W_Q, W_K, W_V))
    query, key, value = (torch.einsum("btc,chd->bhtd", x, W) for W in by_head)
"""
VIEWED = "    query, key, value = ((x @ W).view(B, heads, T, D) for W in (W_Q, W_K, W_V))\n"

repair = Task(
    id="09-many-heads/repair",
    title="Repair the heads",
    kind="debug",
    points=2,
    minutes=10,
    answer="causal_heads",
    cases=repair_cases,
    reference=repaired_heads,
    given=given_heads,
    misconceptions=(
        VIEW_WITHOUT_TRANSPOSE.by(
            changed(given_heads, IN, VIEWED), changed(repaired_heads, IN, VIEWED)
        ),
        AXES_MIXED_UP.by(
            changed(
                repaired_heads,
                "mixed.transpose(1, 2)",
                "mixed.transpose(2, 3)",
                "mixed.transpose(0, 1)",
                "mixed.transpose(1, 3)",
            )
        ),
        HEADS_INTERLEAVED.by(
            changed(repaired_heads, "mixed.transpose(1, 2)", "mixed.permute(0, 2, 3, 1)")
        ),
        HEADS_ADDED.by(
            changed(
                repaired_heads,
                "mixed.transpose(1, 2)",
                "mixed.sum(1).repeat(1, 1, heads)",
                "mixed.mean(1).repeat(1, 1, heads)",
            )
        ),
        HEADS_SWAPPED.by(
            changed(
                repaired_heads,
                "mixed.transpose(1, 2)",
                "mixed.flip(1).transpose(1, 2)",
                "mixed.transpose(1, 2).flip(2, 3)",
            )
        ),
        VIEW_REFUSED.by(changed(repaired_heads, "2).reshape", "2).view")),
        MASK_IGNORED.by(changed(repaired_heads, ".triu(-2)", "", ".triu(-1)", ".triu(-3)")),
        RIGHT_LINE_SUSPECTED.by(
            changed(given_heads, ".masked_fill(~near, -torch.inf)", ""),
            changed(given_heads, ".tril()", ".tril(-1)"),
            changed(given_heads, "math.sqrt(D)", "math.sqrt(C)"),
        ),
    ),
    compare=close(atol=1e-4, rtol=1e-4),
)
