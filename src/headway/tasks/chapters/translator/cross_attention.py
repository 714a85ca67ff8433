"""Build cross-attention: the target asks, the source answers."""

import math

import numpy as np
import torch

from headway.tasks.chapters.translator.drawn import draw_tensor, seen
from headway.tasks.chapters.translator.mistakes import (
    ANOTHER_FORM,
    CAUSAL_ON_THE_SOURCE,
    MASK_AXES,
    MASK_INVERTED,
    NOTHING_VISIBLE,
    ONE_SENTENCE_ONLY,
    OUT_OF_RANGE,
    PADDING_SEEN,
    SOURCE_ASKS,
    WRONG_AXIS,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def cross_attention(x, memory, W_q, W_k, W_v, memory_mask):
    """softmax(Q Kᵀ / √D) V with Q = x W_q (B, T, D), K = memory W_k, V = memory W_v (B, S, ·)."""
    query, key, value = x @ W_q, memory @ W_k, memory @ W_v
    visible = memory_mask[:, None, :]
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~visible, -torch.inf).softmax(-1).nan_to_num(0.0)
    return weights @ value, weights


SIZES = "other numbers of sentences and tokens"


def cross_cases(rng: np.random.Generator) -> list[Case]:
    def draw(T, lengths, S, C=6, D=3, E=4):
        B = len(lengths)
        x, memory = draw_tensor(rng, B, T, C), draw_tensor(rng, B, S, C)
        weights = draw_tensor(rng, C, D), draw_tensor(rng, C, D), draw_tensor(rng, C, E)
        return x, memory, *weights, seen(*lengths, width=S)

    *given, _ = draw(3, [4, 4], 4)
    asking, *others = draw(6, [1] * 5, 3)
    scattered = torch.tensor([[True, False, True, True], [False, True, False, True]])
    return [
        Case("one sentence without padding", *draw(3, [5], 5), core=True),
        Case("shorter sources, padded", *draw(4, [2, 6, 3], 6), core=True),
        Case("a target longer than its source", *draw(6, [2, 3], 3), path=SIZES),
        Case("a target as long as its source", *draw(4, [4, 3], 4), path=SIZES),
        Case("a source of one token", *draw(3, [1], 1), path=SIZES),
        Case("a target of one token", *draw(1, [4, 2], 4), path=SIZES),
        Case("as many sentences as source and target tokens", *draw(3, [3, 1, 2], 3), path=SIZES),
        Case("a source of padding only", *draw(2, [3, 0], 3)),
        Case("nothing but padding in the batch", *draw(3, [0, 0], 2)),
        Case("padding anywhere in the source", *given, scattered),
        Case("words with scores far below zero, beside padding", 20 * asking, *others),
    ]


MASK = "memory_mask[:, None, :]"
EVERYTHING = "torch.tensor(True)"
HIDE_AND_SHARE = "scores.masked_fill(~visible, -torch.inf).softmax(-1)"

(with_nan,) = changed(cross_attention, ".nan_to_num(0.0)", "")
(with_mean,) = changed(cross_attention, "-torch.inf", "-1e9")
(unmasked,) = changed(cross_attention, ".masked_fill(~visible, -torch.inf)", "")
(by_exponentials,) = changed(
    cross_attention,
    "weights = " + HIDE_AND_SHARE,
    "raised = scores.exp() * visible\n"
    "    weights = (raised / raised.sum(-1, keepdim=True).clamp(min=1e-9))",
)
(source_asks,) = changed(
    cross_attention, "x @ W_q, memory @ W_k, memory @ W_v", "memory @ W_q, x @ W_k, x @ W_v"
)
(all_from_x,) = changed(cross_attention, "memory @ W_k, memory @ W_v", "x @ W_k, x @ W_v")


def with_and_without_nan(at: str, becomes: str):
    """A change of both versions, that which clears NaN away and that which does not."""
    return any_of(*(changed(version, at, becomes) for version in (cross_attention, with_nan)))


cross = Task(
    id="13-translator/cross-attention",
    title="Cross-attention",
    kind="build",
    points=2,
    minutes=20,
    answer="cross_attention",
    cases=cross_cases,
    reference=cross_attention,
    misconceptions=(
        SOURCE_ASKS.by(
            source_asks, changed(source_asks, MASK, "memory_mask[:, :, None]", EVERYTHING)
        ),
        ONE_SENTENCE_ONLY.by(
            all_from_x,
            changed(all_from_x, MASK, EVERYTHING),
            changed(cross_attention, "memory @ W_v", "x @ W_v"),
        ),
        PADDING_SEEN.by(unmasked),
        MASK_INVERTED.by(with_and_without_nan("~visible", "visible")),
        MASK_AXES.by(
            with_and_without_nan(MASK, "memory_mask"),
            with_and_without_nan(MASK, "memory_mask[:, :, None]"),
        ),
        ANOTHER_FORM.by(
            changed(cross_attention, "weights @ value, weights", "weights, weights @ value")
        ),
        Misconception(
            "padding-takes-weight",
            any_of(
                changed(
                    cross_attention,
                    HIDE_AND_SHARE,
                    "(scores.softmax(-1) * visible)",
                    "(scores * visible).softmax(-1)",
                    "scores.masked_fill(~visible, -50.0).softmax(-1).masked_fill(~visible, 0.0)",
                    "scores.masked_fill(~visible, -50.0).softmax(-1)",
                    "(scores - 100.0 * ~visible).softmax(-1) * visible.any(-1, keepdim=True)",
                    "(scores - 100.0 * ~visible).softmax(-1)",
                    "(scores - 100.0 * ~visible).softmax(-1) * visible",
                ),
                changed(
                    unmasked,
                    "query, key",
                    "memory = memory * memory_mask[:, :, None]\n    query, key",
                ),
            ),
            "Padding takes part in the softmax, even where it adds nothing to the mix. Which "
            "score gets no share of the weight at all?",
        ),
        OUT_OF_RANGE.by(
            by_exponentials,
            changed(by_exponentials, ".nan_to_num(0.0)", ""),
            changed(by_exponentials, ".clamp(min=1e-9)", ""),
            changed(
                with_nan, HIDE_AND_SHARE, "(scores + (~visible).float() * -torch.inf).softmax(-1)"
            ),
        ),
        CAUSAL_ON_THE_SOURCE.by(
            changed(
                cross_attention,
                MASK,
                f"{MASK} & torch.ones(x.shape[1], memory.shape[1]).bool().tril()",
            )
        ),
        WRONG_AXIS.by(
            with_and_without_nan("softmax(-1)", "softmax(-2)"),
            with_and_without_nan("softmax(-1)", "softmax(0)"),
        ),
        Misconception(
            "wrong-scale",
            changed(
                cross_attention,
                "math.sqrt(query.shape[-1])",
                "1",
                "query.shape[-1]",
                "math.sqrt(x.shape[-1])",
                "math.sqrt(query.shape[-2])",
                "math.sqrt(key.shape[-2])",
                "math.sqrt(query.shape[0])",
                "(1 / math.sqrt(query.shape[-1]))",
            ),
            "Your weights are too sharp or too even. How many products are added up in one score, "
            "and what of that number keeps the spread of the scores near one?",
        ),
        NOTHING_VISIBLE.by(
            with_nan,
            with_mean,
            *(
                changed(
                    version,
                    "weights @ value, weights",
                    "torch.where(visible.any(-1, keepdim=True), weights @ value, 0.0), weights",
                )
                for version in (with_nan, with_mean)
            ),
        ),
    ),
    compare=close(atol=1e-4, rtol=1e-4),  # single precision will do
)
