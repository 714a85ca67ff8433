"""Build one step of attention with a cache: one query, and all the keys but the padding's."""

import numpy as np
import torch

from headway.nn.position import frequencies
from headway.tasks.chapters.kv_cache.draw import CLOSE, alike, draw_tensor, look
from headway.tasks.chapters.kv_cache.mistakes import (
    CACHE_CONTENTS_MISTAKEN,
    CACHE_NOT_HANDED_ON,
    CAUSAL_MASK_MISPLACED,
    HELD_TOKENS_UNSEEN,
    KEYS_AND_VALUES_SWAPPED,
    NEWEST_MISPLACED,
    OWN_TOKEN_UNSEEN,
    PADDING_TAKES_WEIGHT,
    SOFTMAX_OVER_THE_WRONG_AXIS,
    TEXTS_MIXED_UP,
    WRONG_SCALE,
)
from headway.tasks.engine.mistakes import AnyOf, Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def attend_step(x, keys, values, W_q, W_k, W_v, mask):
    """Mixed (B, H, D) for a new token x (B, C), and keys and values (B, H, S + 1, D)."""
    query, key, value = (x[:, None, None] @ W for W in (W_q, W_k, W_v))  # (B, H, 1, D)
    longer = [torch.cat([held, new], 2) for held, new in ((keys, key), (values, value))]
    seen = torch.cat([mask, mask.new_ones(len(x), 1)], 1)
    return look(query, *longer, seen[:, None, None])[:, :, 0], *longer


def step_cases(rng: np.random.Generator) -> list[Case]:
    def draw(B, H, S, C=6, D=4, padded=0):
        """`padded`: how many of the places held are padding, of each text or of all."""
        held = draw_tensor(rng, B, H, S, D), draw_tensor(rng, B, H, S, D)
        mask = torch.arange(S).expand(B, S) >= torch.tensor(padded).reshape(-1, 1)
        matrices = (draw_tensor(rng, H, C, D) for _ in "qkv")
        return draw_tensor(rng, B, C), *held, *matrices, mask

    return [
        Case("one text, some tokens held", *draw(1, 2, 5), core=True),
        Case("texts of several lengths", *draw(3, 2, 5, padded=[0, 3, 1]), core=True),
        Case("a batch", *draw(3, 2, 4)),
        Case("one token held", *draw(2, 3, 1)),
        Case("one head, one token held", *draw(2, 1, 1)),
        Case("nothing held yet", *draw(2, 2, 0)),
        Case("as many texts, heads and tokens", *draw(3, 3, 3)),
        Case("a head as wide as the model", *draw(2, 2, 3, C=4)),
        Case("many tokens held", *draw(2, 2, 40)),
        Case("a text of padding alone", *draw(2, 3, 3, padded=[3, 1])),
    ]


PROJECT = "x[:, None, None] @ W"
LOOK, JOIN = "look(query, *longer, seen[:, None, None])", "torch.cat([held, new], 2)"
SEEN = "torch.cat([mask, mask.new_ones(len(x), 1)], 1)"
IN_FRONT = "torch.cat([mask.new_ones(len(x), 1), mask], 1)"
SCORES = "(query @ longer[0].mT / keys.shape[-1] ** 0.5)"


def looking(*looks: str) -> AnyOf:
    """Steps that look at something else."""
    return changed(attend_step, LOOK, *looks)


def turned(x, keys, values, W_q, W_k, W_v, mask):
    """With the rotary positions of the page."""
    query, key, value = (x[:, None, None] @ W for W in (W_q, W_k, W_v))
    angles = keys.shape[2] * frequencies(keys.shape[3]).float()
    turn = torch.polar(torch.ones_like(angles), angles)
    query, key = (
        torch.view_as_real(torch.view_as_complex(part.unflatten(-1, (-1, 2))) * turn).flatten(-2)
        for part in (query, key)
    )
    longer = [torch.cat([held, new], 2) for held, new in ((keys, key), (values, value))]
    return look(query, *longer)[:, :, 0], *longer


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
        OWN_TOKEN_UNSEEN.by(
            looking("look(query, keys, values, mask[:, None, None])", "look(query, keys, values)"),
            changed(attend_step, SEEN, "torch.cat([mask, mask.new_zeros(len(x), 1)], 1)"),
        ),
        HELD_TOKENS_UNSEEN.by(looking("look(query, key, value)")),
        CAUSAL_MASK_MISPLACED.by(
            looking(
                "look(query, *(part[:, :, :1] for part in longer))",
                "look(query, *(part[:, :, :1] for part in longer), seen[:, None, None, :1])",
            )
        ),
        TEXTS_MIXED_UP.by(
            looking(
                "look(query, *(part[:1] for part in longer), seen[:, None, None])",
                "look(query, *(part[:1] for part in longer), seen[:1, None, None])",
                "look(query, *longer, seen[:1, None, None])",
            )
        ),
        WRONG_SCALE.by(
            looking(
                "look(query, *longer, seen[:, None, None], scale=1)",
                "look(query, *longer, seen[:, None, None], scale=keys.shape[-1])",
                "look(query, *longer, seen[:, None, None], scale=x.shape[-1] ** 0.5)",
            )
        ),
        SOFTMAX_OVER_THE_WRONG_AXIS.by(
            looking("look(query, *longer, seen[:, None, None], axis=1)")
        ),
        PADDING_TAKES_WEIGHT.by(
            looking(
                "look(query, *longer)",
                f"({SCORES} * seen[:, None, None]).softmax(-1).matmul(longer[1])",
                f"({SCORES}.softmax(-1) * seen[:, None, None]).matmul(longer[1])",
            )
        ),
        Misconception(
            "padding-mask-misread",
            any_of(
                changed(
                    attend_step,
                    SEEN,
                    "torch.cat([~mask, mask.new_ones(len(x), 1)], 1)",
                    IN_FRONT,
                    "torch.arange(mask.shape[1] + 1) <= mask.sum(1, keepdim=True)",
                ),
                looking("look(query, *longer, ~seen[:, None, None])"),
            ),
            "Your mask hides other places than the padding. What does True in it say of a place, "
            "on which side is the padding, and which place does the new token take?",
        ),
        Misconception(
            "turned-by-positions",
            turned,
            "You turn queries and keys by their positions, and here nobody turned the keys that "
            "are held. What does the formula make of a new token before it is compared?",
        ),
        NEWEST_MISPLACED.by(
            changed(
                attend_step,
                JOIN,
                "torch.cat([new, held], 2)",
                "torch.cat([held[:, :, :-1], new], 2)",
            ),
            changed(*changed(attend_step, JOIN, "torch.cat([new, held], 2)"), SEEN, IN_FRONT),
        ),
        KEYS_AND_VALUES_SWAPPED.by(
            changed(
                attend_step,
                "(keys, key), (values, value)",
                "(keys, value), (values, key)",
                "(keys, key), (values, key)",
                "(keys, key), (keys, value)",
            ),
            looking(
                "look(query, *longer[::-1], seen[:, None, None])",
                "look(query, longer[0], longer[0], seen[:, None, None])",
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
    alike=alike,
)
