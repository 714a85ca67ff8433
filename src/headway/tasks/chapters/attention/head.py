"""Train: one head of attention, from what asks and what is asked to the mixture."""

import math
from collections.abc import Callable
from itertools import product

import numpy as np
import torch

from headway.tasks.chapters.attention.inputs import tensors
from headway.tasks.chapters.attention.mistakes import (
    ANOTHER_SCALE,
    KEYS_FOR_VALUES,
    MATRICES_MIXED_UP,
    NO_MIXTURE,
    NO_SCALE,
    NO_SOFTMAX,
    NOT_PROJECTED,
    ONE_SHAPE_ONLY,
    OTHER_RESULTS_GIVEN,
    SCALE_MISPLACED,
    SOFTMAX_OVER_THE_WRONG_AXIS,
    WRONG_SIDE,
    WRONGLY_TRANSPOSED,
    of_any_weights,
)
from headway.tasks.chapters.attention.telling import (
    Look,
    look_at_mixture,
    no_mixture,
    right_and_more,
    same,
    softmax,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import AnyOf, Shows, changed
from headway.tasks.engine.requirements import arguments_kept
from headway.tasks.engine.task import Case, Task


def head(x, memory, W_Q, W_K, W_V):
    """softmax(x W_Q (memory W_K)ᵀ / √D) memory W_V."""
    query, key, value = x @ W_Q, memory @ W_K, memory @ W_V
    weights = (query @ key.mT / math.sqrt(query.shape[-1])).softmax(dim=-1)
    return weights @ value


def head_cases(rng: np.random.Generator) -> list[Case]:
    """Tokens and values are wider than there are keys, so that a mixture tells its weights."""

    def draw(B, T, S, C, D, E):
        return tensors(rng, (B, T, C), (B, S, C), (C, D), (C, D), (C, E), size=0.8)

    x, memory, *weights = draw(2, 4, 4, 5, 2, 6)
    return [
        Case("three ask five", *draw(2, 3, 5, 6, 4, 7), core=True),
        Case("four ask two", *draw(3, 4, 2, 3, 2, 5)),
        Case("as many ask as are asked", x, memory, *weights),
        Case("a sentence asks itself", x.clone(), x.clone(), *(w.clone() for w in weights)),
        Case("all sizes equal", *draw(3, 3, 3, 3, 3, 3)),
        Case("one asks six", *draw(2, 1, 6, 7, 7, 7)),
        arguments_kept(
            *draw(2, 3, 4, 4, 2, 2),
        ),
    ]


def made_of(*projections: str) -> AnyOf:
    """Heads with another query, key and value."""
    return changed(head, "x @ W_Q, memory @ W_K, memory @ W_V", *projections)


def later_keys(query, key):
    """−∞ where a causal mask hides, counted from the first key; else 0."""
    return torch.full((query.shape[-2], key.shape[-2]), -torch.inf).triu(1)


def looks(got, expected, case) -> list[Look]:
    x, memory, W_Q, W_K, W_V = (x.double().numpy() for x in case.inputs)
    return [look_at_mixture(got, x @ W_Q, memory @ W_K, memory @ W_V)]


RIGHT = (("x", "W_Q"), ("memory", "W_K"), ("memory", "W_V"))


def _made_of_others(told: Callable[[list[str], list[str]], bool]) -> Shows:
    """Tell a right attention that is given other queries, keys or values.

    Args:
        told: (sequences taken in place of the right ones, matrices likewise, "" for none) → bool.
    """

    def shows(got, expected, case) -> bool:
        makings = _makings(np.asarray(got), case)
        wrong = [
            [
                [mine for mine, right in zip(each, RIGHT, strict=True) if mine[i] != right[i]]
                for i in (0, 1)
            ]
            for each in makings
        ]
        sources, matrices = min(wrong, key=lambda pair: len(pair[0]) + len(pair[1]))
        return told([source for source, _ in sources], [matrix for _, matrix in matrices])

    return shows


def _makings(got: np.ndarray, case: Case) -> list[tuple]:
    """From which sequence, by which matrix, its query, key and value may be; all that fit."""
    x, memory, *matrices = (x.double().numpy() for x in case.inputs)
    sources = {"x": x, "memory": memory, "both": np.concatenate([memory, x], axis=1)}
    named = {"W_Q": matrices[0], "W_K": matrices[1], "W_V": matrices[2], "": np.eye(x.shape[-1])}
    made = {(a, b): source @ W for a, source in sources.items() for b, W in named.items()}
    found = []
    for q, k in product(made, made):
        if q[0] == "both" or made[q].shape[-1] != made[k].shape[-1]:
            continue
        weights = softmax(made[q] @ made[k].mT / math.sqrt(made[q].shape[-1]))
        found += [
            (q, k, v)
            for v in made
            if made[v].shape[-2] == weights.shape[-1] and same(weights @ made[v], got)
        ]
    return found


def _no_mixture(got, expected, case) -> bool:
    value = (case.inputs[1] @ case.inputs[4]).double().numpy()
    return np.shape(got) != expected.shape or no_mixture(got, expected, value)


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
        OTHER_RESULTS_GIVEN.by(changed(head, "weights @ value", "weights"), shows=right_and_more),
        WRONG_SIDE.by(
            changed(  # the page's self-attention
                *made_of("x @ W_Q, x @ W_K, x @ W_V"),
                "math.sqrt(query.shape[-1]))",
                "math.sqrt(query.shape[-1]) + later_keys(query, key))",
            ),
            shows=_made_of_others(lambda sources, matrices: bool(sources)),
        ),
        NOT_PROJECTED.by(
            made_of("x @ W_Q, memory @ W_K, memory"),
            shows=_made_of_others(lambda sources, matrices: "" in matrices),
        ),
        MATRICES_MIXED_UP.by(
            made_of("x @ W_K, memory @ W_Q, memory @ W_V"),
            shows=_made_of_others(lambda sources, matrices: bool(matrices)),
        ),
        WRONGLY_TRANSPOSED.by(
            made_of("x @ W_Q.mT, memory @ W_K.mT, memory @ W_V.mT"),
            changed(head, "key.mT", "key.permute(2, 1, 0)"),
        ),
        SOFTMAX_OVER_THE_WRONG_AXIS.told(looks, changed(head, "dim=-1", "dim=-2")),
        NO_SCALE.told(looks, changed(head, " / math.sqrt(query.shape[-1])", "")),
        SCALE_MISPLACED.told(looks, changed(head, " / math.sqrt", " * math.sqrt")),
        ANOTHER_SCALE.told(looks, changed(head, "query.shape[-1]", "x.shape[-1]")),
        NO_SOFTMAX.told(looks, changed(head, ".softmax(dim=-1)", "")),
        KEYS_FOR_VALUES.by(changed(head, "weights @ value", "weights @ key")),
        *of_any_weights(looks, head),
        NO_MIXTURE.by(
            changed(head, "return weights @ value", "return weights @ value + 1"),
            shows=_no_mixture,
        ),
        ONE_SHAPE_ONLY.by(
            only_at=(
                "four ask two",
                "as many ask as are asked",
                "a sentence asks itself",
                "all sizes equal",
                "one asks six",
            )
        ),
    ),
    compare=close(atol=1e-3, rtol=1e-3),
)
