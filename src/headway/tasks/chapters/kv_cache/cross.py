"""Build the cache of cross-attention: made once, shared by the beams of a sentence."""

import numpy as np
import torch

from headway.tasks.chapters.kv_cache.draw import CLOSE, alike, draw_tensor, look, past
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task


def cross_step(x, memory, keys, values, W_q, W_k, W_v, mask):
    """Mixed (B, H, K, D) for K beams x (B, K, C), and keys and values (B, H, S, D)."""
    return step(x, memory, keys, values, W_q, W_k, W_v, mask)


def made_once(x, memory, keys, values, W_k, W_v):
    return (over_heads(memory, W_k), over_heads(memory, W_v)) if keys is None else (keys, values)


def step(
    x,
    memory,
    keys,
    values,
    W_q,
    W_k,
    W_v,
    mask,
    make=made_once,
    seen=lambda mask, K: mask[:, None, None, :],
    look=look,
):
    keys, values = make(x, memory, keys, values, W_k, W_v)
    mixed = look(over_heads(x, W_q), keys, values, seen(mask, x.shape[1]))
    return mixed, keys, values


def over_heads(x, W):
    """x (B, T, C) through W (H, C, D): (B, H, T, D)."""
    return x[:, None] @ W


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

    return [
        Case("the first step", *draw([4, 2, 3], 2), core=True),
        Case("a later step, the memory overwritten", *draw([4, 2, 3], 2, True), core=True),
        Case("one beam, first step", *draw([3, 5], 1)),
        Case("one beam, later step", *draw([3, 5], 1, True)),
        Case("one sentence without padding", *draw([5], 3, True)),
        Case("as many beams, sentences and source tokens", *draw([3, 2, 3], 3, True)),
        Case("a source of one token", *draw([1], 4)),
        Case("more beams than source tokens", *draw([2, 1], 4, True)),
        Case("padding on the left", *draw([4, 4, 4], 2, True, begins=[2, 1, 0])),
        Case("padding on both sides, first step", *draw([4, 3, 4], 2, begins=[2, 1, 0])),
    ]


def _step(**changes):
    return lambda *args: step(*args, **changes)


def _made(make):
    """Other keys and values: make(x, memory, keys, values, W_k, W_v)."""
    return _step(make=make)


def _recomputed(x, memory, keys, values, W_k, W_v):
    return over_heads(memory, W_k), over_heads(memory, W_v)


def _source_added_again(x, memory, keys, values, W_k, W_v):
    new = over_heads(memory, W_k), over_heads(memory, W_v)
    if keys is None:
        return new
    return torch.cat([keys, new[0]], 2), torch.cat([values, new[1]], 2)


def _twice(mask, S):
    return mask.repeat(1, S // mask.shape[1])


def _added_again(x, memory, keys, values, W_q, W_k, W_v, mask):
    keys, values = _source_added_again(x, memory, keys, values, W_k, W_v)
    mask = _twice(mask, keys.shape[2])
    return look(over_heads(x, W_q), keys, values, mask[:, None, None]), keys, values


def _own_added(x, memory, keys, values, W_q, W_k, W_v, mask):
    keys, values = made_once(x, memory, keys, values, W_k, W_v)
    keys = torch.cat([keys, over_heads(x, W_k)], 2)
    values = torch.cat([values, over_heads(x, W_v)], 2)
    mask = torch.cat([mask, mask.new_ones(x.shape[:2])], 1)
    return look(over_heads(x, W_q), keys, values, mask[:, None, None]), keys, values


def _self_attention(x, memory, keys, values, W_q, W_k, W_v, mask):
    own = over_heads(x, W_k), over_heads(x, W_v)
    kept = made_once(x, memory, keys, values, W_k, W_v)
    return look(over_heads(x, W_q), *own), *kept


def _swapped(x, memory, keys, values, W_k, W_v):
    keys, values = made_once(x, memory, keys, values, W_k, W_v)
    return values, keys


def _made_crosswise(x, memory, keys, values, W_k, W_v):
    return made_once(x, memory, keys, values, W_v, W_k)


def _words_counted(mask, K):
    """As many places from the left as there are words."""
    counted = torch.arange(mask.shape[1]) < mask.sum(1, keepdim=True)
    return counted[:, None, None]


def _folded(x, memory, keys, values, W_q, W_k, W_v, mask):
    """B·K rows, repeated in the wrong order: the first beam of all sentences, then the second."""
    (B, K, C), kept = x.shape, made_once(x, memory, keys, values, W_k, W_v)
    rows = torch.arange(B).repeat(K)
    query = over_heads(x.reshape(B * K, 1, C), W_q)
    mixed = look(query, *(part[rows] for part in kept), mask[rows][:, None, None])
    return mixed[:, :, 0].reshape(B, K, *mixed.shape[1::2]).transpose(1, 2), *kept


def _zeroed(x, memory, keys, values, W_q, W_k, W_v, mask):
    everything = torch.ones_like(mask)
    return step(x, memory * mask[:, :, None], keys, values, W_q, W_k, W_v, everything)


def _first_sentence(query, keys, values, mask):
    return look(query, keys[:1], values[:1], mask[:1])


cross = Task(
    id="15-kv-cache/cross",
    title="A cache for the source",
    kind="build",
    points=2,
    minutes=15,
    answer="cross_step",
    cases=cross_cases,
    reference=cross_step,
    misconceptions=(
        Misconception(
            "source-projected-again",
            _made(_recomputed),
            "Right in the first step. In a later one you project the memory again, and its room "
            "holds something else by then. What was handed to you?",
        ),
        Misconception(
            "source-added-again",
            _added_again,
            "Right in the first step. In each later one your cache gains the whole source once "
            "more. Does the source grow while the target is written?",
        ),
        Misconception(
            "own-keys-added",
            _own_added,
            "Keys and values of the new tokens stand behind those of the source. Which of the two "
            "caches of a translator grows?",
        ),
        Misconception(
            "self-attention",
            _self_attention,
            "The beams look at one another, and the source makes no difference to what is mixed. "
            "Whose keys do they need?",
        ),
        Misconception(
            "keys-and-values-swapped",
            _made(_swapped),
            "Keys and values have changed places. Which of the two does a query meet?",
        ),
        Misconception(
            "keys-and-values-made-crosswise",
            _made(_made_crosswise),
            "Right in later steps. In the first, each of the two is made with the matrix of the "
            "other. Which of them does a query meet?",
        ),
        Misconception(
            "padding-visible",
            _step(seen=lambda mask, K: torch.ones_like(mask)[:, None, None, :]),
            "Right where no source is padded. Otherwise the beams look at padding. Which argument "
            "tells the two apart?",
        ),
        Misconception(
            "padding-taken-to-be-last",
            _step(seen=_words_counted),
            "Right where padding comes last. What does the mask say that a count of words does "
            "not?",
        ),
        Misconception(
            "padding-zeroed-in-the-memory",
            _zeroed,
            "In the first step your padding adds nothing to what is mixed, and still takes weight "
            "from the words: a zero vector has a score of 0. What does a softmax make of that?",
        ),
        Misconception(
            "mask-inverted",
            _step(seen=lambda mask, K: ~mask[:, None, None, :]),
            "Only padding is looked at. Does True in the mask stand for what may be seen or for "
            "what is hidden?",
        ),
        Misconception(
            "causal-mask-on-the-source",
            _step(
                seen=lambda mask, K: (
                    mask[:, None, None, :] & past(K, mask.shape[1], diagonal=0)[None, None]
                )
            ),
            "Your first beam sees one source token, the second two. Is any of the source still "
            "unwritten?",
        ),
        Misconception(
            "beams-of-other-sentences",
            _folded,
            "Right for one beam, or for one sentence. Otherwise beams look at the source of "
            "another sentence. If you flatten sentences and beams, which of the two runs faster?",
        ),
        Misconception(
            "first-source-for-all",
            _step(look=_first_sentence),
            "All sentences look at the source of the first one. Which axis parts them?",
        ),
        Misconception(
            "softmax-over-beams",
            _step(look=lambda q, k, v, mask: look(q, k, v, mask, axis=-2)),
            "Your weights sum to one over the beams: they compete for a source token. What should "
            "sum to one?",
        ),
        Misconception(
            "scale-missing",
            _step(look=lambda q, k, v, mask: look(q, k, v, mask, scale=1.0)),
            "Your weights are too sharp. What happens to the scores before the softmax?",
        ),
    ),
    compare=CLOSE,
    alike=alike,
)
