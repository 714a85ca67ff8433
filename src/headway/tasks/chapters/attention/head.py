"""Train: one head of attention, from what asks and what is asked to the mixture."""

import math

import numpy as np
import torch

from headway.tasks.chapters.attention.inputs import tensors
from headway.tasks.chapters.attention.mistakes import (
    ANOTHER_SCALE,
    HIDDEN_WITHOUT_NEED,
    KEYS_FOR_VALUES,
    MATRICES_MIXED_UP,
    NO_SCALE,
    NOT_PROJECTED,
    OTHER_RESULTS_GIVEN,
    SCALE_MISPLACED,
    SOFTMAX_OVER_THE_WRONG_AXIS,
    WRONG_SIDE,
    WRONGLY_TRANSPOSED,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.duties import arguments_kept
from headway.tasks.engine.mistakes import AnyOf, changed
from headway.tasks.engine.task import Case, Task


def head(x, memory, W_Q, W_K, W_V):
    """softmax(x W_Q (memory W_K)ᵀ / √D) memory W_V."""
    query, key, value = x @ W_Q, memory @ W_K, memory @ W_V
    weights = (query @ key.mT / math.sqrt(query.shape[-1])).softmax(dim=-1)
    return weights @ value


def head_cases(rng: np.random.Generator) -> list[Case]:
    def draw(B, T, S, C, D, E):
        return tensors(rng, (B, T, C), (B, S, C), (C, D), (C, D), (C, E), size=0.8)

    x, memory, *weights = draw(2, 4, 4, 3, 2, 5)
    return [
        Case("three ask five", *draw(2, 3, 5, 6, 4, 2), core=True),
        Case("four ask two", *draw(3, 4, 2, 3, 2, 5)),
        Case("as many ask as are asked", x, memory, *weights),
        Case("a sentence asks itself", x.clone(), x.clone(), *(w.clone() for w in weights)),
        Case("all sizes equal", *draw(3, 3, 3, 3, 3, 3)),
        Case("one asks six", *draw(2, 1, 6, 4, 4, 4)),
        arguments_kept(
            *draw(2, 3, 4, 4, 2, 2),
        ),
    ]


def made_of(*projections: str) -> AnyOf:
    """Heads with another query, key and value."""
    return changed(head, "x @ W_Q, memory @ W_K, memory @ W_V", *projections)


def later_or_past(query, key, prefix=False):
    """−∞ where a causal mask hides, counted from the first key or from the last; else 0."""
    T, S = query.shape[-2], key.shape[-2]
    return torch.full((T, S), -torch.inf).triu(1 + (S - T) * prefix)


head_task = Task(
    id="08-attention/head",
    title="One head",
    kind="train",
    points=2,
    minutes=10,
    answer="head",
    cases=head_cases,
    reference=head,
    misconceptions=(
        WRONG_SIDE.by(
            made_of(
                "x @ W_Q, memory @ W_K, x @ W_V",
                "x @ W_Q, x @ W_K, memory @ W_V",
                "x @ W_Q, x @ W_K, x @ W_V",
                "memory @ W_Q, memory @ W_K, memory @ W_V",
                "memory @ W_Q, x @ W_K, x @ W_V",
            ),
            changed(  # the page's self-attention
                *made_of("x @ W_Q, x @ W_K, x @ W_V"),
                "math.sqrt(query.shape[-1]))",
                "math.sqrt(query.shape[-1]) + later_or_past(query, key))",
            ),
        ),
        MATRICES_MIXED_UP.by(
            made_of(
                "x @ W_K, memory @ W_Q, memory @ W_V",
                "x @ W_Q, memory @ W_V, memory @ W_K",
                "x @ W_Q, memory @ W_Q, memory @ W_V",
                "x @ W_K, memory @ W_K, memory @ W_V",
            )
        ),
        WRONGLY_TRANSPOSED.by(
            made_of("x @ W_Q.mT, memory @ W_K.mT, memory @ W_V.mT"),
            changed(head, "key.mT", "key.permute(2, 1, 0)"),
            changed(*made_of("x @ W_Q, x @ W_K, x @ W_V"), "key.mT", "key.permute(2, 1, 0)"),
        ),
        NOT_PROJECTED.by(made_of("x @ W_Q, memory @ W_K, memory", "x, memory, memory")),
        NO_SCALE.by(changed(head, " / math.sqrt(query.shape[-1])", "")),
        ANOTHER_SCALE.by(
            changed(head, "query.shape[-1]", "x.shape[-1]", "query.shape[-2]", "key.shape[-2]"),
            changed(head, "math.sqrt(query.shape[-1])", "query.shape[-1]"),
        ),
        SCALE_MISPLACED.by(changed(head, " / math.sqrt", " * math.sqrt")),
        KEYS_FOR_VALUES.by(changed(head, "weights @ value", "weights @ key")),
        SOFTMAX_OVER_THE_WRONG_AXIS.by(changed(head, "dim=-1", "dim=-2", "dim=0")),
        HIDDEN_WITHOUT_NEED.by(
            changed(
                head,
                "math.sqrt(query.shape[-1]))",
                "math.sqrt(query.shape[-1]) + later_or_past(query, key))",
                "math.sqrt(query.shape[-1]) + later_or_past(query, key, prefix=True))",
            ),
        ),
        OTHER_RESULTS_GIVEN.by(
            changed(head, "weights @ value", "weights @ value, weights", "weights")
        ),
    ),
    compare=close(atol=1e-3, rtol=1e-3),
)
