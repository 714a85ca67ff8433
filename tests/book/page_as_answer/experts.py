"""What a student makes of the lines of chapter 18, and what is then still missing."""

from types import SimpleNamespace

import torch
from torch import nn
from torch.nn import functional

from headway.tasks.chapters.experts.facts import trained


def pages_choice(scores, k):
    """The page's two lines about a token's scores."""
    best, chosen = scores.topk(k)
    return best.softmax(dim=-1), chosen


def choose(file):
    return lambda scores, k, renormalized=True, bias=None: pages_choice(scores, k)


def choose_with_bias(file):
    """With the bias where the page has nothing but scores."""

    def answer(scores, k, renormalized=True, bias=None):
        return pages_choice(scores if bias is None else scores + bias, k)

    return answer


def mixture(file):
    """The file's class, whose experts are asked elsewhere."""

    def answer(expert, x, router, k, words):
        layers = SimpleNamespace(
            router=lambda x: x @ router,
            k=k,
            experts=[lambda rows, e=e: expert(rows, e) for e in range(router.shape[1])],
        )
        return file["Experts"].forward(layers, x)

    return answer


def mixture_of_words(file):
    """The same for the words, one text of them all."""

    def answer(expert, x, router, k, words):
        out = torch.zeros_like(x)
        out[words] = mixture(file)(expert, x[words][None], router, k, words)[0]
        return out

    return answer


def counted(scores, k):
    return functional.one_hot(scores.topk(k).indices, scores.shape[-1]).sum((0, 1, 2))


def balance(file):
    """The file's function, layer by layer."""

    def answer(scores, k, words):
        uneven = sum(file["unevenness"](layer, k) for layer in scores)
        return uneven, torch.stack([counted(layer, k) for layer in scores])

    return answer


def balance_at_once(file):
    """The file's function for the words of all layers, as one text."""

    def answer(scores, k, words):
        its = scores[:, words]  # (L, N, E)
        return file["unevenness"](its, k), torch.stack([counted(layer[None], k) for layer in its])

    return answer


def mix_all(file):
    """The file's class, with the task's experts."""

    def answer(x, router, wide, narrow, k, words):
        layers = SimpleNamespace(
            router=lambda x: x @ router,
            k=k,
            experts=[
                nn.Sequential(_Times(a), nn.ReLU(), _Times(b))
                for a, b in zip(wide, narrow, strict=True)
            ],
        )
        return file["Experts"].forward(layers, x)

    return answer


class _Times(nn.Module):
    def __init__(self, matrix):
        super().__init__()
        self.matrix = matrix

    def forward(self, x):
        return x @ self.matrix


def facts(file):
    """The sizes and the push of the page, with fewer steps."""

    def answer(*args):
        sizes = {"experts": 8, "active": 2, "renormalized": True}
        return trained(*args, **sizes, even=0.01, steps=200)

    return answer


def absorbed(file):
    """The page's line for scores, and a softmax of them."""

    def answer(cache, query, turned, words, W_K, W_V):
        H, T, D = query.shape
        rows = torch.cat([query @ W_K.mT, torch.zeros_like(turned)], -1).flatten(0, 1)
        weights = (cache(rows, "match") / D**0.5).softmax(-1)
        return cache(weights, "mix").unflatten(0, (H, T)) @ W_V

    return answer


ANSWERS = [
    ("18-experts/choose", choose, "whole-too-small"),
    ("18-experts/choose", choose_with_bias, "whole-too-small"),
    ("18-experts/mixture", mixture, "padding-takes-part"),
    ("18-experts/mixture", mixture_of_words, "called-for-nothing"),
    ("18-experts/balance", balance, "padding-takes-part"),
    ("18-experts/balance", balance_at_once, "layers-pooled"),
    ("18-experts/repair", mix_all, "padding-takes-part"),
    ("18-experts/facts", facts, "not-all-learned"),
    ("18-experts/absorbed", absorbed, "parts-of-the-score"),
]
