"""Train, first part: a whole model that reads new tokens only."""

import numpy as np
import torch
from torch.nn import functional

from headway.tasks.chapters.kv_cache.draw import CLOSE, draw_tensor, look, past
from headway.tasks.chapters.kv_cache.mistakes import (
    CACHE_NOT_HANDED_ON,
    CAUSAL_MASK_MISPLACED,
    HELD_TOKENS_UNSEEN,
    KEYS_AND_VALUES_SWAPPED,
    LAYERS_MIXED_UP,
    NEW_POSITIONS_MISTAKEN,
    NEWEST_MISPLACED,
    OTHER_POSITIONS_SCORED,
    OWN_TOKEN_UNSEEN,
    TEXTS_MIXED_UP,
)
from headway.tasks.engine.mistakes import Misconception, changed
from headway.tasks.engine.requirements import ARGUMENTS_KEPT, arguments_kept
from headway.tasks.engine.task import Case, Task

NAMES = ("query", "key", "value")


def norm(x):
    return functional.layer_norm(x, x.shape[-1:])


def read_new(weights, ids, keys, values):
    """Logits (B, T, V) of new tokens ids (B, T); keys and values (L, B, H, S + T, D)."""
    T, S = ids.shape[1], keys.shape[3]
    x = weights["embedding"][ids] + weights["position"][S + torch.arange(T)]
    longer = []
    for layer, held in enumerate(zip(keys, values, strict=True)):
        query, *new = (norm(x)[:, None] @ weights[name][layer] for name in NAMES)
        k, v = (torch.cat(pair, 2) for pair in zip(held, new, strict=True))
        longer.append((k, v))
        mixed = look(query, k, v, past(T, S + T))
        x = x + mixed.transpose(1, 2).flatten(2) @ weights["output"][layer]
        x = x + (norm(x) @ weights["wide"][layer]).relu() @ weights["narrow"][layer]
    logits = norm(x) @ weights["embedding"].T
    return logits, *(torch.stack(part) for part in zip(*longer, strict=True))


def empty(weights, B):
    """Keys or values of a cache that holds nothing, (L, B, H, 0, D)."""
    L, H, _, D = weights["key"].shape
    return torch.zeros(L, B, H, 0, D)


def draw_weights(rng, V=9, C=6, H=2, D=3, L=2, M=8, N=20):
    def draw(*shape, scale=1.0):
        return draw_tensor(rng, *shape, scale=scale)

    return {
        "embedding": draw(V, C),
        "position": draw(N, C, scale=0.7),
        **{name: draw(L, H, C, D, scale=0.8) for name in NAMES},
        "output": draw(L, H * D, C),
        "wide": draw(L, C, M, scale=0.6),
        "narrow": draw(L, M, C, scale=0.6),
    }


def read_new_cases(rng: np.random.Generator) -> list[Case]:
    def draw(B, T, S, **sizes):
        weights = draw_weights(rng, **sizes)
        before = torch.from_numpy(rng.integers(0, 9, (B, S)))
        _, keys, values = read_new(weights, before, empty(weights, B), empty(weights, B))
        return weights, torch.from_numpy(rng.integers(0, 9, (B, T))), keys, values

    return [
        Case("one new token after five", *draw(2, 1, 5), core=True),
        Case("some tokens after others", *draw(2, 3, 4), core=True),
        Case("a prompt, nothing held", *draw(2, 6, 0)),
        Case("one text", *draw(1, 1, 8)),
        Case("a first token", *draw(3, 1, 0)),
        Case("three layers", *draw(2, 2, 3, L=3)),
        Case("one layer, one head", *draw(2, 1, 4, L=1, H=1, D=6)),
        Case("as many new tokens as are held", *draw(2, 3, 3)),
        Case("up to the end of the context", *draw(1, 2, 18)),
        arguments_kept(*draw(2, 2, 3)),
    ]


PLACES = "S + torch.arange(T)"
LOOK = "look(query, k, v, past(T, S + T))"

# Ways to read that are mistakes of a loop that reads with them, too.
(from_position_0,) = changed(read_new, PLACES, "torch.arange(T)")
behind_the_first_layer, behind_the_layer_before = changed(
    read_new,
    "zip(keys, values, strict=True)",
    "zip(keys[:1].expand_as(keys), values[:1].expand_as(values), strict=True)",
    "zip([keys[0], *keys[:-1]], [values[0], *values[:-1]], strict=True)",
)
(with_a_square_mask,) = changed(read_new, LOOK, "look(query, k, v, past(T, S + T, 0))")

read_new_task = Task(
    id="15-kv-cache/read-new",
    title="A whole model, new tokens only",
    kind="train",
    points=3,
    minutes=25,
    answer="read_new",
    cases=read_new_cases,
    reference=read_new,
    misconceptions=(
        NEW_POSITIONS_MISTAKEN.by(
            from_position_0,
            changed(
                read_new,
                PLACES,
                "max(S - 1, 0) + torch.arange(T)",
                "S - 1 + torch.arange(T)",
                "S + 1 + torch.arange(T)",
                "torch.full((T,), S)",
                "torch.full((T,), S + T - 1)",
            ),
            changed(read_new, f' + weights["position"][{PLACES}]', ""),
        ),
        CAUSAL_MASK_MISPLACED.by(
            with_a_square_mask,
            changed(read_new, LOOK, "look(query, k, v, past(T, S + T, T))"),
            changed(
                with_a_square_mask,
                "past(T, S + T, 0)",
                "torch.cat([past(T, T), torch.ones(T, S).bool()], 1)",
            ),
            changed(
                read_new,
                LOOK,
                "look(query, k, v)",
                "look(query, k, v, past(T, S + T, S + 1))",
                "look(query, k, v, None if S else past(T, T))",  # "a step needs no mask"
            ),
        ),
        OWN_TOKEN_UNSEEN.by(changed(read_new, LOOK, "look(query, k, v, past(T, S + T, S - 1))")),
        KEYS_AND_VALUES_SWAPPED.by(
            changed(
                read_new,
                LOOK,
                "look(query, v, k, past(T, S + T))",
                "look(query, k, k, past(T, S + T))",
            )
        ),
        LAYERS_MIXED_UP.by(behind_the_first_layer, behind_the_layer_before),
        TEXTS_MIXED_UP.by(changed(read_new, LOOK, "look(query, k[:1], v[:1], past(T, S + T))")),
        HELD_TOKENS_UNSEEN.by(changed(read_new, LOOK, "look(query, *new, past(T, T))")),
        NEWEST_MISPLACED.by(changed(read_new, "zip(held, new,", "zip(new, held,")),
        CACHE_NOT_HANDED_ON.by(
            changed(
                read_new,
                "*(torch.stack(part) for part in zip(*longer, strict=True))",
                "keys, values",
            ),
            changed(read_new, "longer.append((k, v))", "longer.append(new)"),
        ),
        OTHER_POSITIONS_SCORED.by(
            changed(
                read_new, "logits = norm(x)", "logits = norm(x[:, -1:])", "logits = norm(x[:, -1])"
            )
        ),
        ARGUMENTS_KEPT.by(
            changed(
                read_new,
                "longer = []",
                "longer, weights['position'] = [], weights['position'][S:]",
            )
        ),
        Misconception(
            "keys-of-the-raw-inputs",
            changed(read_new, "norm(x)[:, None]", "(norm(x) if name == 'query' else x)[:, None]"),
            "Your keys and values are made of what comes into the block. What does the full model "
            "do to it before it projects?",
        ),
    ),
    compare=CLOSE,
)
