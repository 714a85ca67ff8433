"""Ways in which cross-attention goes wrong."""

import math

import torch

from headway.tasks.chapters.translator.attention import cross_attention, weigh
from headway.tasks.engine.mistakes import Misconception


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


def _swapped_and_masked(*axes):
    """The source asks, and its mask hides keys (axis 1) or rows (axis 2)."""

    def attention(x, memory, W_q, W_k, W_v, memory_mask):
        return weigh(memory @ W_q, x @ W_k, x @ W_v, memory_mask.unsqueeze(*axes))

    return attention


def _as_the_mask_is(nothing):
    """A mask (B, S) against scores (B, T, S): its sentences meet the target words."""
    return _changed(lambda q, k, v, mask, *rest: weigh(q, k, v, mask[:, 0, :], nothing=nothing))


def _infinity_multiplied(q, k, v, mask, *rest):
    scores = q @ k.mT / math.sqrt(q.shape[-1]) + (~mask).float() * -torch.inf
    weights = scores.softmax(-1)
    return weights @ v, weights


def _only_mixed_repaired(make):
    """Zeros in what is mixed where nothing is visible; the weights are left as they were."""

    def attention(q, k, v, mask, *rest):
        mixed, weights = make(q, k, v, mask)
        return torch.where(mask.any(-1, keepdim=True), mixed, 0.0), weights

    return _changed(attention)


def _multiplied(q, k, v, mask, *rest):
    weights = (q @ k.mT / math.sqrt(q.shape[-1]) * mask).softmax(-1)
    return weights @ v, weights


MISTAKES = (
    Misconception(
        "queries-and-keys-swapped",
        _swapped,
        "Your result has a row for each source token: the source asks, and the target "
        "answers. Which of the two is being written, and needs a row for each of its tokens?",
    ),
    Misconception(
        "queries-and-keys-swapped-and-masked",
        _swapped_and_masked(1),
        "Your result has a row for each source token: the source asks, and the target answers. "
        "That is why the mask does not fit its columns. Which of the two is being written, and "
        "needs a row for each of its tokens?",
    ),
    Misconception(
        "queries-and-keys-swapped-and-rows-masked",
        _swapped_and_masked(2),
        "Your result has a row for each source token, and the mask hides rows: the source asks. "
        "Which of the two is being written, and needs a row for each of its tokens?",
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
        "mask-without-an-axis",
        _as_the_mask_is(nothing=0.0),
        "Your mask has the shape (B, S), and the scores have (B, T, S). Which axis of the mask "
        "meets the sentences, and which the target words?",
    ),
    Misconception(
        "mask-without-an-axis-with-nan",
        _as_the_mask_is(nothing=torch.nan),
        "Your mask has the shape (B, S), and the scores have (B, T, S). Which axis of the mask "
        "meets the sentences, and which the target words? And where all is hidden you get NaN: "
        "what is asked for there?",
    ),
    Misconception(
        "zero-times-infinity",
        _changed(_infinity_multiplied),
        "You get NaN everywhere, also where nothing is hidden. What is 0 times infinity, and can "
        "a score be hidden without a product?",
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
    Misconception(
        "nan-left-in-the-weights",
        _only_mixed_repaired(_nan_left),
        "Right but for a source of padding only: what is mixed is zero there, and the weights are "
        "still NaN. What is asked for of both?",
    ),
    Misconception(
        "mean-left-in-the-weights",
        _only_mixed_repaired(_uniform_where_nothing),
        "Right but for a source of padding only: what is mixed is zero there, and the weights "
        "still sum to one. What is asked for of both?",
    ),
)
