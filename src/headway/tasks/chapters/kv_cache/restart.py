"""Debug: a cache of rotary keys that are turned once more at each step."""

import numpy as np
import torch

from headway.nn.attention import attend
from headway.nn.position import frequencies
from headway.tasks.chapters.kv_cache.draw import CLOSE, draw_tensor, past
from headway.tasks.chapters.kv_cache.mistakes import (
    CACHE_NOT_HANDED_ON,
    CAUSAL_MASK_MISPLACED,
    KEYS_AND_VALUES_SWAPPED,
    NEW_POSITIONS_MISTAKEN,
    OWN_TOKEN_UNSEEN,
)
from headway.tasks.engine.draw import draw_telling
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def rotate(x, positions):
    """Pairs (i, i + D/2) of x (B, T, D) turned by position · frequency."""
    angles = positions[:, None].float() * frequencies(x.shape[-1])
    first, second = x.chunk(2, -1)
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    return torch.cat([first * cos - second * sin, first * sin + second * cos], -1)


def read(x, keys, values, start, W_q, W_k, W_v):
    """Mixed (B, T, D) of new tokens x (B, T, C), and keys and values (B, S + T, D)."""
    T, S = x.shape[1], keys.shape[1]
    positions = start + torch.arange(T)
    query = rotate(x @ W_q, positions)
    key = rotate(x @ W_k, positions)
    keys = torch.cat([keys, key], 1)
    values = torch.cat([values, x @ W_v], 1)
    return attend(query, keys, values, past(T, S + T))[0], keys, values


# The faulty function that the notebook hands out.
(turned_again,) = changed(
    read,
    "torch.cat([keys, key], 1)",
    "rotate(torch.cat([keys, x @ W_k], 1), torch.arange(start - S, start + T))",
)
(kept_unturned,) = changed(read, "torch.cat([keys, key], 1)", "torch.cat([keys, x @ W_k], 1)")


def rotate_neighbors(x, positions):
    """Pairs (2i, 2i + 1) of x turned, as on the page."""
    halves = torch.cat([x[..., ::2], x[..., 1::2]], -1)
    return torch.stack(rotate(halves, positions).chunk(2, -1), -1).flatten(-2)


def restart_cases(rng: np.random.Generator) -> list[Case]:
    def draw(B, T, S, dropped=0, C=5, D=6):
        """`dropped`: how many tokens of the text the cache has let go."""
        x = draw_tensor(rng, B, T, C)
        held = draw_tensor(rng, B, S, D), draw_tensor(rng, B, S, D)
        return x, *held, S + dropped, *(draw_tensor(rng, C, D) for _ in "qkv")

    return [
        Case("a step", *draw(1, 1, 4), core=True),
        Case("a step of a batch, old tokens dropped", *draw(3, 1, 7, 5), core=True),
        Case("some tokens after others", *draw(2, 3, 4)),
        Case("some tokens, old ones dropped", *draw(2, 3, 4, 2)),
        Case("as many new tokens as are held", *draw(2, 3, 3)),
        Case("a prompt", *draw(2, 5, 0)),
        Case("a first token", *draw(1, 1, 0)),
        draw_telling(
            restart_task, lambda: Case("far into a text", *draw(1, 2, 60)), "causal-mask-misplaced"
        ),
    ]


PLACES = "start + torch.arange(T)"
in_neighbors = changed(
    *changed(read, "rotate(x @ W_q", "rotate_neighbors(x @ W_q"),
    "rotate(x @ W_k",
    "rotate_neighbors(x @ W_k",
)

restart_task = Task(
    id="15-kv-cache/restart",
    title="Repair it",
    kind="debug",
    points=2,
    minutes=15,
    answer="read",
    cases=restart_cases,
    reference=read,
    given=turned_again,
    misconceptions=(
        NEW_POSITIONS_MISTAKEN.by(
            changed(read, PLACES, "torch.arange(T)", "S + torch.arange(T)"),
            changed(
                read,
                "x @ W_k, positions",
                "x @ W_k, torch.arange(T)",
                "x @ W_k, torch.arange(S, S + T)",
            ),
            changed(
                read,
                "x @ W_q, positions",
                "x @ W_q, torch.arange(T)",
                "x @ W_q, torch.arange(S, S + T)",
            ),
            changed(
                read,
                PLACES,
                "start + 1 + torch.arange(T)",
                "max(start - 1, 0) + torch.arange(T)",
                "torch.full((T,), start)",
                "torch.full((T,), start + T - 1)",
            ),
            changed(
                read,
                "x @ W_k, positions",
                "x @ W_k, positions[-1:]",
                "x @ W_k, positions[-1:] if S else positions",
                "x @ W_k, positions[:1]",
            ),
        ),
        CAUSAL_MASK_MISPLACED.by(
            changed(
                read,
                "values, past(T, S + T)",
                "values",
                "values, past(T, S + T, S + 1)",
                "values, past(T, S + T, 0)",
            )
        ),
        OWN_TOKEN_UNSEEN.by(changed(read, "past(T, S + T)", "past(T, S + T, S - 1)")),
        CACHE_NOT_HANDED_ON.by(changed(read, "[0], keys, values", "[0], key, values[:, S:]")),
        KEYS_AND_VALUES_SWAPPED.by(changed(read, "[0], keys, values", "[0], values, keys")),
        Misconception(
            "other-pairs-turned",
            any_of(in_neighbors, changed(*in_neighbors, PLACES, "S + torch.arange(T)")),
            "You turn other pairs of numbers than those in which the keys that are held were "
            "turned. With which number is the first one paired here?",
        ),
        Misconception(
            "turned-too-often-or-never",
            any_of(
                changed(
                    read,
                    "torch.cat([keys, key], 1)",
                    "rotate(torch.cat([keys, key], 1), torch.arange(start - S, start + T))",
                    "torch.cat([keys, rotate(key, positions)], 1)",
                ),
                changed(read, "[0], keys,", "[0], torch.cat([keys[:, :S], x @ W_k], 1),"),
                kept_unturned,
                changed(
                    kept_unturned,
                    "attend(query, keys",
                    "attend(query, rotate(keys, torch.arange(start - S, start + T))",
                ),
                changed(read, "x @ W_v", "rotate(x @ W_v, positions)"),
            ),
            "Keys are turned twice or not at all, or values are turned as well. What needs its "
            "position, when, and how often?",
        ),
    ),
    compare=CLOSE,
)
