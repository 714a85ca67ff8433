"""Build one step of attention with a cache: one query, and all the keys."""

import numpy as np
import torch

from headway.tasks.chapters.kv_cache.draw import CLOSE, draw_tensor, look
from headway.tasks.chapters.kv_cache.mistakes import (
    CACHE_CONTENTS_MISTAKEN,
    CACHE_NOT_HANDED_ON,
    CAUSAL_MASK_MISPLACED,
    HELD_TOKENS_UNSEEN,
    KEYS_AND_VALUES_SWAPPED,
    NEWEST_MISPLACED,
    OWN_TOKEN_UNSEEN,
    SOFTMAX_OVER_THE_WRONG_AXIS,
    TEXTS_MIXED_UP,
    WRONG_SCALE,
)
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def attend_step(x, keys, values, W_q, W_k, W_v):
    """Mixed (B, H, D) for a new token x (B, C), and keys and values (B, H, S + 1, D)."""
    query, key, value = (x[:, None, None] @ W for W in (W_q, W_k, W_v))  # (B, H, 1, D)
    longer = [torch.cat([held, new], 2) for held, new in ((keys, key), (values, value))]
    return look(query, *longer)[:, :, 0], *longer


def step_cases(rng: np.random.Generator) -> list[Case]:
    def draw(B, H, S, C=6, D=4):
        held = draw_tensor(rng, B, H, S, D), draw_tensor(rng, B, H, S, D)
        return draw_tensor(rng, B, C), *held, *(draw_tensor(rng, H, C, D) for _ in "qkv")

    return [
        Case("one text, some tokens held", *draw(1, 2, 5), core=True),
        Case("a batch", *draw(3, 2, 4), core=True),
        Case("one token held", *draw(2, 3, 1)),
        Case("one head, one token held", *draw(2, 1, 1)),
        Case("nothing held yet", *draw(2, 2, 0)),
        Case("as many texts, heads and tokens", *draw(3, 3, 3)),
        Case("a head as wide as the model", *draw(2, 2, 3, C=4)),
        Case("many tokens held", *draw(2, 2, 40)),
    ]


PROJECT = "x[:, None, None] @ W"
LOOK, JOIN = "look(query, *longer)", "torch.cat([held, new], 2)"

step_task = Task(
    id="15-kv-cache/step",
    title="One step of attention",
    kind="build",
    points=2,
    minutes=15,
    answer="attend_step",
    cases=step_cases,
    reference=attend_step,
    misconceptions=(
        OWN_TOKEN_UNSEEN.by(changed(attend_step, LOOK, "look(query, keys, values)")),
        HELD_TOKENS_UNSEEN.by(changed(attend_step, LOOK, "look(query, key, value)")),
        CAUSAL_MASK_MISPLACED.by(
            changed(attend_step, LOOK, "look(query, *(part[:, :, :1] for part in longer))")
        ),
        TEXTS_MIXED_UP.by(
            changed(attend_step, LOOK, "look(query, *(part[:1] for part in longer))")
        ),
        WRONG_SCALE.by(
            changed(
                attend_step,
                LOOK,
                "look(query, *longer, scale=1)",
                "look(query, *longer, scale=keys.shape[-1])",
                "look(query, *longer, scale=x.shape[-1] ** 0.5)",
            )
        ),
        SOFTMAX_OVER_THE_WRONG_AXIS.by(changed(attend_step, LOOK, "look(query, *longer, axis=1)")),
        NEWEST_MISPLACED.by(
            changed(
                attend_step,
                JOIN,
                "torch.cat([new, held], 2)",
                "torch.cat([held, new], 1)",
                "torch.cat([held[:, :, :-1], new], 2)",
            )
        ),
        KEYS_AND_VALUES_SWAPPED.by(
            changed(
                attend_step,
                "(keys, key), (values, value)",
                "(keys, value), (values, key)",
                "(keys, key), (values, key)",
                "(keys, key), (keys, value)",
            ),
            changed(
                attend_step, LOOK, "look(query, *longer[::-1])", "look(query, longer[0], longer[0])"
            ),
        ),
        CACHE_CONTENTS_MISTAKEN.by(changed(attend_step, "(keys, key)", "(keys, query)")),
        CACHE_NOT_HANDED_ON.by(
            changed(
                attend_step,
                "0], *longer",
                "0], keys, values",
                "0], longer[0], values",
                "0], key, value",
            )
        ),
        Misconception(
            "heads-scrambled",
            any_of(
                changed(
                    attend_step,
                    PROJECT,
                    "(x @ W.reshape(x.shape[1], -1)).view(len(x), len(W), 1, -1)",
                ),
                changed(
                    attend_step,
                    PROJECT,
                    "(x @ W.permute(1, 2, 0).flatten(1)).view(len(x), len(W), 1, -1)",
                ),
            ),
            "Your heads are made of parts of each other's matrices. In which order do the numbers "
            "of a tensor lie when it gets a new shape?",
        ),
    ),
    compare=CLOSE,
)
