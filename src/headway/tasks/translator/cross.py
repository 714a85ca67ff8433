"""Build cross-attention: the target asks, the source answers."""

import math

import numpy as np
import torch

from headway.tasks.compare import close
from headway.tasks.task import Case, Misconception, Task

CLOSE = close(atol=1e-4, rtol=1e-4)  # single precision will do


def cross_attention(x, memory, W_q, W_k, W_v, memory_mask):
    """softmax(Q Kᵀ / √D) V with Q = x W_q (B, T, D), K = memory W_k, V = memory W_v (B, S, ·)."""
    return weigh(x @ W_q, memory @ W_k, memory @ W_v, memory_mask[:, None, :])


def weigh(query, key, value, mask, scale=None, axis=-1, nothing=0.0):
    """Mixed (B, T, E) and weights (B, T, S); rows of `nothing` where nothing is visible."""
    scores = query @ key.mT / (math.sqrt(query.shape[-1]) if scale is None else scale)
    weights = scores.masked_fill(~mask, -torch.inf).softmax(axis).nan_to_num(nothing)
    return weights @ value, weights


def draw_tensor(rng: np.random.Generator, *shape: int) -> torch.Tensor:
    return torch.from_numpy(np.round(rng.normal(size=shape), 2)).float()


def seen(rng: np.random.Generator, *lengths: int, width: int) -> torch.Tensor:
    """Sentences of these lengths, padded on the right: bool (B, S)."""
    return torch.arange(width) < torch.tensor(lengths)[:, None]


def cross_cases(rng: np.random.Generator) -> list[Case]:
    def draw(T, lengths, S, C=6, D=3, E=4):
        B = len(lengths)
        x, memory = draw_tensor(rng, B, T, C), draw_tensor(rng, B, S, C)
        weights = draw_tensor(rng, C, D), draw_tensor(rng, C, D), draw_tensor(rng, C, E)
        return x, memory, *weights, seen(rng, *lengths, width=S)

    *given, _ = draw(3, [4, 4], 4)
    scattered = torch.tensor([[True, False, True, True], [False, True, False, True]])
    return [
        Case("one sentence without padding", *draw(3, [5], 5), core=True),
        Case("shorter sources, padded", *draw(4, [2, 6, 3], 6), core=True),
        Case("a target longer than its source", *draw(6, [2, 3], 3)),
        Case("a target as long as its source", *draw(4, [4, 3], 4)),
        Case("a source of one token", *draw(3, [1], 1)),
        Case("a target of one token", *draw(1, [4, 2], 4)),
        Case("as many sentences as source and target tokens", *draw(3, [3, 1, 2], 3)),
        Case("a source of padding only", *draw(2, [3, 0], 3)),
        Case("padding anywhere in the source", *given, scattered),
    ]


def _changed(change):
    """Cross-attention of changed parts: change(query, key, value, mask, x, memory, W)."""

    def attention(x, memory, W_q, W_k, W_v, memory_mask):
        W = {"q": W_q, "k": W_k, "v": W_v}
        parts = (x @ W_q, memory @ W_k, memory @ W_v, memory_mask[:, None, :])
        return change(*parts, x, memory, W)

    return attention


def _after_softmax(query, key, value, mask, *rest):
    everything = torch.ones_like(mask)
    _, weights = weigh(query, key, value, everything)
    weights = weights * mask
    return weights @ value, weights


def _swapped(x, memory, W_q, W_k, W_v, memory_mask):
    everything = torch.ones(x.shape[:2], dtype=torch.bool)[:, None, :]
    return weigh(memory @ W_q, x @ W_k, x @ W_v, everything)


def _self_attention(x, memory, W_q, W_k, W_v, memory_mask):
    everything = torch.ones(x.shape[:2], dtype=torch.bool)[:, None, :]
    return weigh(x @ W_q, x @ W_k, x @ W_v, everything)


def _nan_left(q, k, v, mask, *rest):
    return weigh(q, k, v, mask, nothing=torch.nan)


def _uniform_where_nothing(q, k, v, mask, *rest):
    """A large negative number for −∞: equal scores where all is hidden."""
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -1e9)
    weights = scores.softmax(-1)
    return weights @ v, weights


def _zeroed(x, memory, W_q, W_k, W_v, memory_mask):
    memory = memory * memory_mask[:, :, None]
    everything = torch.ones_like(memory_mask)
    return cross_attention(x, memory, W_q, W_k, W_v, everything)


def _multiplied(q, k, v, mask, *rest):
    weights = (q @ k.mT / math.sqrt(q.shape[-1]) * mask).softmax(-1)
    return weights @ v, weights


cross = Task(
    id="13-translator/cross-attention",
    title="Cross-attention",
    kind="build",
    points=2,
    minutes=15,
    answer="cross_attention",
    cases=cross_cases,
    reference=cross_attention,
    misconceptions=(
        Misconception(
            "queries-and-keys-swapped",
            _swapped,
            "Your result has a row for each source token: the source asks, and the target "
            "answers. Which of the two is being written, and needs a row for each of its tokens?",
        ),
        Misconception(
            "self-attention",
            _self_attention,
            "The memory makes no difference to your result. This is self-attention of the target. "
            "Where do keys and values come from here?",
        ),
        Misconception(
            "keys-and-values-from-the-target",
            lambda x, memory, W_q, W_k, W_v, memory_mask: weigh(
                x @ W_q, x @ W_k, x @ W_v, memory_mask[:, None, :]
            ),
            "This is self-attention of the target: the memory makes no difference, and its mask "
            "fits only where source and target happen to have one length. Where do keys and "
            "values come from here?",
        ),
        Misconception(
            "values-from-the-target",
            _changed(lambda q, k, v, mask, x, memory, W: weigh(q, k, x @ W["v"], mask)),
            "Your weights are right, and they mix the target. If source and target have different "
            "lengths this does not even fit. What should be brought over: what was asked, or what "
            "was found?",
        ),
        Misconception(
            "source-padding-visible",
            _changed(lambda q, k, v, mask, *rest: weigh(q, k, v, torch.ones_like(mask))),
            "Right where no source is padded. Otherwise the target looks at padding. Which "
            "argument tells the two apart?",
        ),
        Misconception(
            "mask-inverted",
            _changed(lambda q, k, v, mask, *rest: weigh(q, k, v, ~mask)),
            "Only padding is looked at. Does True in the mask stand for what may be seen or for "
            "what is hidden?",
        ),
        Misconception(
            "mask-inverted-with-nan",
            _changed(lambda q, k, v, mask, *rest: weigh(q, k, v, ~mask, nothing=torch.nan)),
            "Only padding is looked at, and where there is none you get NaN. Does True in the "
            "mask stand for what may be seen or for what is hidden?",
        ),
        Misconception(
            "masked-after-softmax",
            _changed(_after_softmax),
            "Padding gets no weight, and the rest of a row sums to less than one. Where has the "
            "padding taken its share away?",
        ),
        Misconception(
            "scores-multiplied-by-the-mask",
            _changed(_multiplied),
            "Your hidden scores become 0. What does a softmax make of a score of 0?",
        ),
        Misconception(
            "padding-zeroed-in-the-memory",
            _zeroed,
            "Padding adds nothing to what is mixed, and still takes weight from the words: a zero "
            "vector has a score of 0. What does a softmax make of that?",
        ),
        Misconception(
            "causal-mask-on-the-memory",
            _changed(
                lambda q, k, v, mask, *rest: weigh(
                    q,
                    k,
                    v,
                    mask & torch.ones(q.shape[1], k.shape[1], dtype=torch.bool).tril(),
                )
            ),
            "Your first target word sees one source word, the second two. Is any of the source "
            "still unwritten?",
        ),
        Misconception(
            "softmax-over-queries",
            _changed(lambda q, k, v, mask, *rest: weigh(q, k, v, mask, axis=-2)),
            "Your columns sum to one, so target words compete for a source word. What should sum "
            "to one?",
        ),
        Misconception(
            "softmax-over-queries-with-nan",
            _changed(lambda q, k, v, mask, *rest: weigh(q, k, v, mask, axis=-2, nothing=torch.nan)),
            "Your columns sum to one, so target words compete for a source word, and a column of "
            "padding gives NaN. What should sum to one?",
        ),
        Misconception(
            "scale-missing",
            _changed(lambda q, k, v, mask, *rest: weigh(q, k, v, mask, scale=1.0)),
            "Your weights are too sharp. What happens to the scores before the softmax?",
        ),
        Misconception(
            "divided-by-d",
            _changed(lambda q, k, v, mask, *rest: weigh(q, k, v, mask, scale=q.shape[-1])),
            "Your scores are divided by D. Which power of D keeps their spread near one?",
        ),
        Misconception(
            "scaled-by-the-model-width",
            _changed(
                lambda q, k, v, mask, x, *rest: weigh(q, k, v, mask, scale=math.sqrt(x.shape[-1]))
            ),
            "You scale by the width of x. How many products are added up in one score?",
        ),
        Misconception(
            "nan-where-nothing-is-visible",
            _changed(_nan_left),
            "Right but for a source of padding only, where you get NaN. What is a softmax of "
            "nothing but minus infinity, and what is asked for there?",
        ),
        Misconception(
            "mean-where-nothing-is-visible",
            _changed(_uniform_where_nothing),
            "Right but for a source of padding only. Your large negative number stands everywhere "
            "in that row: what does a softmax make of equal scores?",
        ),
    ),
    compare=CLOSE,
)
