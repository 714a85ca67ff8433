"""Build the cache of cross-attention: made once, shared by the beams of a sentence."""

import numpy as np
import torch

from headway.tasks.chapters.kv_cache.draw import CLOSE, alike, draw_tensor, look, past
from headway.tasks.chapters.kv_cache.mistakes import (
    KEYS_AND_VALUES_SWAPPED,
    OWN_WORDS_IN_THE_SOURCE,
    PADDING_TAKES_WEIGHT,
    SOFTMAX_OVER_THE_WRONG_AXIS,
    TEXTS_MIXED_UP,
    WRONG_SCALE,
)
from headway.tasks.engine.draw import draw_telling
from headway.tasks.engine.mistakes import Misconception, changed
from headway.tasks.engine.task import Case, Task


def cross_step(x, memory, keys, values, W_q, W_k, W_v, mask):
    """Mixed (B, H, K, D) for K beams x (B, K, C), and keys and values (B, H, S, D)."""
    if keys is None:
        keys, values = memory[:, None] @ W_k, memory[:, None] @ W_v
    return look(x[:, None] @ W_q, keys, values, mask[:, None, None]), keys, values


RIGHT, LEFT = "padding on the right of a source", "padding on the left of a source"
SIZES = "other numbers of sentences, beams and tokens"


def cross_cases(rng: np.random.Generator) -> list[Case]:
    def draw(ends, K, later=False, begins=0, H=2, C=6, D=4):
        """`begins` and `ends`: between which places each source has its words."""
        B, S = len(ends), max(ends)
        x, memory = draw_tensor(rng, B, K, C), draw_tensor(rng, B, S, C)
        W_q, W_k, W_v = (draw_tensor(rng, H, C, D) for _ in "qkv")
        places = torch.arange(S)
        mask = places < torch.tensor(ends)[:, None]
        mask &= places >= torch.tensor(begins).reshape(-1, 1)
        held = (None, None)
        if later:  # the memory is no longer what the keys and values were made of
            held = tuple(draw_tensor(rng, B, H, S, D) for _ in "kv")
        return x, memory, *held, W_q, W_k, W_v, mask

    def far_below_zero():
        asking, *others = draw([1, 1, 3], 4, True)
        label = "words with scores far below zero, beside padding"
        return Case(label, 40 * asking, *others, path=RIGHT)

    return [
        Case("the first step", *draw([4, 4, 4], 2), core=True),
        Case("a later step, the memory overwritten", *draw([4, 4, 4], 2, True), core=True),
        Case("padding on the right, first step", *draw([4, 2, 3], 2), path=RIGHT),
        Case("padding on the right, later step", *draw([4, 2, 3], 2, True), path=RIGHT),
        Case("padding on the left", *draw([4, 4, 4], 2, True, begins=[2, 1, 0]), path=LEFT),
        Case(
            "padding on both sides, first step",
            *draw([4, 3, 4], 2, begins=[2, 1, 0]),
            path=LEFT,
        ),
        draw_telling(cross_task, far_below_zero, "padding-takes-weight"),
        Case("one beam, first step", *draw([5, 5], 1), path=SIZES),
        Case("one beam, later step", *draw([5, 5], 1, True), path=SIZES),
        Case("one sentence", *draw([5], 3, True), path=SIZES),
        Case("as many beams, sentences and source tokens", *draw([3, 3, 3], 3, True), path=SIZES),
        Case("a source of one token", *draw([1], 4), path=SIZES),
        Case("more beams than source tokens", *draw([2, 2], 4, True), path=SIZES),
    ]


def source_added_again(x, memory, keys, values, W_q, W_k, W_v, mask):
    """In each step after the first, the source stands behind what is held."""
    new = memory[:, None] @ W_k, memory[:, None] @ W_v
    if keys is not None:
        new = torch.cat([keys, new[0]], 2), torch.cat([values, new[1]], 2)
        mask = mask.repeat(1, 2)
    return cross_step(x, memory, *new, W_q, W_k, W_v, mask)


def own_keys_added(x, memory, keys, values, W_q, W_k, W_v, mask):
    """The beams stand behind the source, as in self-attention."""
    _, keys, values = cross_step(x, memory, keys, values, W_q, W_k, W_v, mask)
    keys = torch.cat([keys, x[:, None] @ W_k], 2)
    values = torch.cat([values, x[:, None] @ W_v], 2)
    mask = torch.cat([mask, mask.new_ones(x.shape[:2])], 1)
    return cross_step(x, memory, keys, values, W_q, W_k, W_v, mask)


def self_attention(x, memory, keys, values, W_q, W_k, W_v, mask):
    """The page's cache, of what the beams themselves have said, and nothing later seen."""
    new = x[:, None] @ W_k, x[:, None] @ W_v
    if keys is not None:
        new = torch.cat([keys, new[0]], 2), torch.cat([values, new[1]], 2)
    return look(x[:, None] @ W_q, *new, past(x.shape[1], new[0].shape[2])), *new


def self_attention_unmasked(x, memory, keys, values, W_q, W_k, W_v, mask):
    _, keys, values = self_attention(x, memory, keys, values, W_q, W_k, W_v, mask)
    return look(x[:, None] @ W_q, keys, values), keys, values


def padding_zeroed(x, memory, keys, values, W_q, W_k, W_v, mask):
    memory = memory * mask[:, :, None]
    return cross_step(x, memory, keys, values, W_q, W_k, W_v, torch.ones_like(mask))


def beams_flattened(x, memory, keys, values, W_q, W_k, W_v, mask):
    """Of B·K rows, each looks at the source whose number is the row's modulo B."""
    (B, K, _), query = x.shape, x[:, None] @ W_q
    _, keys, values = cross_step(x, memory, keys, values, W_q, W_k, W_v, mask)
    sources = torch.arange(B * K).view(B, K).T % B  # of each beam, for all sentences
    mixed = [
        look(query[:, :, [beam]], keys[source], values[source], mask[source][:, None, None])
        for beam, source in enumerate(sources)
    ]
    return torch.cat(mixed, 2), keys, values


def padding_scored_low(x, memory, keys, values, W_q, W_k, W_v, mask):
    """Padding has a score of -50 in the place of minus infinity."""
    _, keys, values = cross_step(x, memory, keys, values, W_q, W_k, W_v, mask)
    scores = (x[:, None] @ W_q) @ keys.mT / keys.shape[-1] ** 0.5
    return scores.masked_fill(~mask[:, None, None], -50.0).softmax(-1) @ values, keys, values


def padding_scored_0(x, memory, keys, values, W_q, W_k, W_v, mask):
    """The scores are multiplied by the mask."""
    _, keys, values = cross_step(x, memory, keys, values, W_q, W_k, W_v, mask)
    scores = (x[:, None] @ W_q) @ keys.mT / keys.shape[-1] ** 0.5
    return (scores * mask[:, None, None]).softmax(-1) @ values, keys, values


def seen_at_first(x, memory, keys, values, W_q, W_k, W_v, mask):
    """Padding is hidden when the keys are made, and no more."""
    mask = mask if keys is None else torch.ones_like(mask)
    return cross_step(x, memory, keys, values, W_q, W_k, W_v, mask)


SEEN, MADE = "mask[:, None, None]", "memory[:, None] @ W_k, memory[:, None] @ W_v"

cross_task = Task(
    id="15-kv-cache/cross",
    title="A cache for the source",
    kind="build",
    points=2,
    minutes=20,
    answer="cross_step",
    cases=cross_cases,
    reference=cross_step,
    misconceptions=(
        Misconception(
            "source-projected-again",
            changed(cross_step, "if keys is None:", "if memory is not None:"),
            "In a later step you project the memory again, and by then its tensor holds something "
            "else. What was handed to you?",
        ),
        OWN_WORDS_IN_THE_SOURCE.by(
            source_added_again,
            own_keys_added,
            self_attention,
            self_attention_unmasked,
            changed(
                cross_step,
                "W_q, keys, values, mask[:, None, None]",
                "W_q, x[:, None] @ W_k, x[:, None] @ W_v",
            ),
        ),
        KEYS_AND_VALUES_SWAPPED.by(
            changed(cross_step, "return look", "keys, values = values, keys; return look"),
            changed(
                cross_step,
                MADE,
                "memory[:, None] @ W_v, memory[:, None] @ W_k",
                "memory[:, None] @ W_k, memory[:, None] @ W_k",
            ),
        ),
        PADDING_TAKES_WEIGHT.by(
            changed(cross_step, SEEN, "None"),
            *(padding_zeroed, padding_scored_low, padding_scored_0, seen_at_first),
        ),
        Misconception(
            "source-mask-misread",
            changed(
                cross_step,
                SEEN,
                "(torch.arange(mask.shape[1]) < mask.sum(1, keepdim=True))[:, None, None]",
                "~mask[:, None, None]",
                "mask[:, None, None] & torch.ones(x.shape[1], mask.shape[1]).tril().bool()",
                "torch.ones(x.shape[1], mask.shape[1]).tril().bool()",
            ),
            "Your mask shows other places of the source than the mask that is given. What does "
            "True in it say of a place, and to which beams?",
        ),
        TEXTS_MIXED_UP.by(
            beams_flattened,
            changed(cross_step, SEEN, "mask[:1, None, None]"),
            changed(
                cross_step,
                "keys, values, mask[:, None, None]",
                "keys[:1], values[:1], mask[:1, None, None]",
            ),
        ),
        SOFTMAX_OVER_THE_WRONG_AXIS.by(changed(cross_step, SEEN, SEEN + ", axis=-2")),
        WRONG_SCALE.by(changed(cross_step, SEEN, SEEN + ", scale=1")),
    ),
    compare=CLOSE,
    alike=alike,
)
