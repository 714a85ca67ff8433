"""What a student makes of the lines of chapter 8, and what is then still missing."""

import math
from functools import partial

import torch
from torch import nn

from tests.book.page_as_answer.parts import Says, masked_early


def query_row(query, key, value):
    """Chapter 8, one word asks, in a loop."""
    scores = torch.tensor([sum(query * one) / len(query) ** 0.5 for one in key])
    weights = scores.softmax(dim=-1)
    return sum(w * one for w, one in zip(weights.numpy(), value, strict=True)), weights


def query_by_exponentials(query, key, value):
    """The same with the softmax written out, before there is a scale."""
    parts = [math.exp(query @ one) for one in key]
    weights = [part / sum(parts) for part in parts]
    return sum(w * one for w, one in zip(weights, value, strict=True)), weights


def product(query, key, value):
    """Chapter 8, all words ask, in one product."""
    weights = (query @ key.T / query.shape[-1] ** 0.5).softmax(dim=-1)
    return weights @ value, weights


def masked_late(query, key, value, mask):
    """Chapter 8, the mask after the softmax, and what is left shared out anew."""
    weights = (query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5).softmax(dim=-1)
    if mask is not None:
        weights = weights * mask
        weights = weights / weights.sum(dim=-1, keepdim=True)
    return weights @ value, weights


def self_attention(file, query, key, value):
    """What the file's class after chapter 8 mixes of these, and its weights."""
    attention = file["Attention"](1, 1)
    attention.query, attention.key = Says(query), Says(key)
    both = []
    for said in (value, torch.eye(key.shape[-2])):
        attention.value = Says(said)
        both.append(attention(query))
    return both


def library(file, look_up=query_row):
    class Library:
        def __init__(self, keys, values):
            self.keys, self.values = keys, values

        def add(self, key, value):
            pass

        def look_up(self, query):
            return look_up(query, self.keys, self.values)

    return Library


def library_by_product(file):
    def look_up(query, keys, values):
        query, keys, values = (torch.tensor(x).float() for x in (query[None], keys, values))
        return [rows[0] for rows in product(query, keys, values)]

    return library(file, look_up)


def attend_word_by_word(file):
    def answer(query, key, value, mask=None):
        rows = []
        for t in range(len(query)):
            scores = torch.stack([query[t] @ one for one in key]) / query.shape[-1] ** 0.5
            rows.append(scores.softmax(dim=-1))
        weights = torch.stack(rows)
        return weights @ value, weights

    return answer


def attend(file, how=lambda query, key, value, mask: product(query, key, value)):
    return lambda query, key, value, mask=None: how(query, key, value, mask)


def attend_to_oneself(file):
    return lambda query, key, value, mask=None: self_attention(file, query, key, value)


def earlier(file):
    return lambda T, S: ~torch.ones(T, S, dtype=torch.bool).triu(1)


def later(file):
    return lambda T, S: torch.ones(T, S, dtype=torch.bool).triu(1)


def window(file):
    return lambda window, T, S: ~torch.ones(T, S, dtype=torch.bool).triu(1)


def additive(file):
    return lambda query, key, value, W_q, W_k, v: product(query @ W_q, key @ W_k, value)


def additive_to_oneself(file):
    return lambda query, key, value, W_q, W_k, v: self_attention(
        file, query @ W_q, key @ W_k, value
    )


def past(file):
    return lambda query, key, value: self_attention(file, query, key, value)[0]


def past_masked_late(file):
    def answer(query, key, value):
        T, S = query.shape[-2], key.shape[-2]
        return masked_late(query, key, value, ~torch.ones(T, S, dtype=torch.bool).triu(1))[0]

    return answer


def head(file):
    def answer(x, memory, W_Q, W_K, W_V):
        attention = file["Attention"](*W_Q.shape)
        for name, W in {"query": W_Q, "key": W_K, "value": W_V}.items():
            getattr(attention, name).weight = nn.Parameter(W.T)
        return attention(x).detach()

    return answer


def head_of_two(file):
    return lambda x, memory, W_Q, W_K, W_V: self_attention(
        file, x @ W_Q, memory @ W_K, memory @ W_V
    )[0]


def head_by_product(file):
    return lambda x, memory, W_Q, W_K, W_V: product(x @ W_Q, memory @ W_K, memory @ W_V)[0]


ANSWERS = [
    ("08-attention/library", library, "additions-lost"),
    ("08-attention/library", library_by_product, "additions-lost"),
    ("08-attention/library", partial(library, look_up=query_by_exponentials), "no-scale"),
    ("08-attention/attend", attend_word_by_word, "one-shape-only"),
    ("08-attention/attend", attend, "wrongly-transposed"),
    ("08-attention/attend", partial(attend, how=masked_late), "mask-after-softmax"),
    ("08-attention/attend", partial(attend, how=masked_early), "nothing-visible"),
    ("08-attention/attend", attend_to_oneself, "seen-without-weight"),
    ("08-attention/causal", earlier, "prefix-left-out-of-the-mask"),
    ("08-attention/causal", later, "mask-inverted"),
    ("08-attention/window", window, "sees-too-far-back"),
    ("08-attention/additive", additive, "projections-not-added"),
    ("08-attention/additive", additive_to_oneself, "projections-not-added"),
    ("08-attention/past", past, "prefix-left-out-of-the-mask"),
    ("08-attention/past", past_masked_late, "mask-after-softmax"),
    ("08-attention/head", head, "query-and-memory-mixed-up"),
    ("08-attention/head", head_of_two, "seen-without-weight"),
    ("08-attention/head", head_by_product, "wrongly-transposed"),
]
NO_ANSWER = {
    # Six tensors of the notebook's model; those that the page trains say nothing in it.
    "08-attention/recall",
}
