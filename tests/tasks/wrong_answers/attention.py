"""Wrong answers to assignment 08, in other words than the catalogue's.

`WRONG_ANSWERS[what it does] = (task, answer, the name that it should get, or None)`.
"""

import math

import numpy as np
import torch
from torch.nn import functional


class LibraryAcrossFeatures:
    """A softmax for each number of the products, then their mean: no scores at all."""

    def __init__(self, keys, values):
        self.k, self.v = torch.tensor(keys), torch.tensor(values)

    def add(self, key, value):
        self.k = torch.cat([self.k, torch.tensor(key)[None]])
        self.v = torch.cat([self.v, torch.tensor(value)[None]])

    def look_up(self, query):
        a = (self.k * torch.tensor(query)).softmax(0).mean(1)
        return a @ self.v, a


def attend_minus_thousand(query, key, value, mask=None):
    """Low enough for most, and rows without a key are emptied."""
    s = query @ key.mT / math.sqrt(query.shape[-1])
    if mask is None:
        a = s.softmax(-1)
    else:
        a = s.masked_fill(~mask, -1000.0).softmax(-1) * mask.any(-1, keepdim=True)
    return a @ value, a


def past_softmax_again(query, key, value):
    T, S = query.shape[-2], key.shape[-2]
    a = torch.softmax(query @ key.transpose(-1, -2) / math.sqrt(query.size(-1)), -1)
    a = a + torch.triu(torch.full((T, S), -1e9), S - T + 1)
    return torch.softmax(a, -1) @ value


def past_shared_out_anew(query, key, value):
    """A softmax over everything; what is left of a row is made whole again."""
    T, S = query.shape[-2], key.shape[-2]
    a = functional.softmax(
        torch.einsum("...td,...sd->...ts", query, key) / query.size(-1) ** 0.5, -1
    )
    a = a * torch.tril(torch.ones(T, S), S - T)
    return (a / a.sum(-1, keepdim=True).clamp_min(1e-12)) @ value


def _train(
    keys, values, asked, answers, sizes, steps, rate, rows=None, zero=(), sign=1, zeroed=True
):
    """A loop of its own, on the first rows if given; `zero` names matrices that begin at zero."""
    draw = torch.Generator().manual_seed(1)
    shapes = [(sizes[0], 16), (sizes[1], 16), (16, 16), (16, 16), (16, 16), (16, sizes[1])]
    p = [torch.randn(shape, generator=draw) / 4 for shape in shapes]
    p = [(tensor * (i not in zero)).requires_grad_() for i, tensor in enumerate(p)]
    opt = torch.optim.Adam(p, rate)
    for _ in range(steps):
        b = torch.randint(rows or len(keys), (128,), generator=draw)
        pairs = p[0][keys[b]] + p[1][values[b]]
        q, k, v = p[0][asked[b]][:, None] @ p[2], pairs @ p[3], pairs @ p[4]
        mixed = functional.scaled_dot_product_attention(q, k, v)[:, 0]
        loss = functional.cross_entropy(mixed @ p[5], answers[b])
        if zeroed:
            opt.zero_grad()
        (sign * loss).backward()
        opt.step()
    return p


def recall_from_zeros(*given):
    return _train(*given, steps=100, rate=0.01, zero=(2, 3))


def recall_too_far(*given):
    return _train(*given, steps=60, rate=1.0)


def _past(query, key):
    T, S = query.shape[-2], key.shape[-2]
    visible = torch.ones(T, S, dtype=torch.bool).tril(S - T)
    return query @ key.mT / math.sqrt(query.shape[-1]), visible


def head_scales_its_matrix(x, memory, W_Q, W_K, W_V):
    W_Q /= math.sqrt(W_Q.shape[1])
    return ((x @ W_Q) @ (memory @ W_K).mT).softmax(-1) @ (memory @ W_V)


def _recall_by(model, keys, values, asked, answers, sizes):
    shapes = [(sizes[0], 16), (sizes[1], 16), (16, 16), (16, 16), (16, 16), (16, sizes[1])]
    tensors = [(torch.randn(shape) / 4).requires_grad_() for shape in shapes]
    optimizer = torch.optim.Adam(tensors, lr=0.01)
    for _ in range(400):
        b = torch.randint(len(keys), (100,))
        loss = functional.cross_entropy(model(tensors, keys[b], values[b], asked[b]), answers[b])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return tensors


def _look_up(tensors, asked, named, worth):
    _, _, W_Q, W_K, W_V, W_O = tensors
    scores = (tensors[0][asked][:, None] @ W_Q) @ (named @ W_K).mT / 4
    return (scores.softmax(-1) @ (worth @ W_V))[:, 0] @ W_O


def recall_in_two_vectors(keys, values, asked, answers, sizes):
    def model(p, keys, values, asked):
        return _look_up(p, asked, p[0][keys], p[1][values])

    return _recall_by(model, keys, values, asked, answers, sizes)


class LibraryByScores:
    """A right library, but for what its children make of the scores and of the weights."""

    def __init__(self, keys, values):
        self.keys, self.values = keys, values

    def score(self, query):
        return self.keys @ query / math.sqrt(len(query))

    def add(self, key, value):
        self.keys, self.values = np.vstack([self.keys, key]), np.vstack([self.values, value])

    def look_up(self, query):
        scores = self.score(query)
        weights = np.exp(scores - scores.max())
        weights = weights / weights.sum()
        return self.mix(weights), weights

    def mix(self, weights):
        return weights @ self.values


class LibraryOfWholeScores(LibraryByScores):
    def score(self, query):
        scores = np.zeros_like(self.keys[:, 0])
        scores[:] = super().score(query)
        return scores


def _attending(hide):
    """Attention that is right but for how scores are hidden."""

    def attention(query, key, value, mask=None):
        s = query @ key.mT / query.size(-1) ** 0.5
        a = s.softmax(-1) if mask is None else hide(s, mask).softmax(-1).masked_fill(~mask, 0.0)
        return a @ value, a

    return attention


attend_mended = _attending(lambda s, mask: s.masked_fill(~mask, -torch.inf))


def recall_read_by_the_table(keys, values, asked, answers, sizes):
    """The last matrix is never used: logits are what the values' vectors have in common with."""

    def model(p, keys, values, asked):
        pairs = p[0][keys] + p[1][values]
        scores = (p[0][asked][:, None] @ p[2]) @ (pairs @ p[3]).mT / 4
        return (scores.softmax(-1) @ (pairs @ p[4]))[:, 0] @ p[1].T

    return _recall_by(model, keys, values, asked, answers, sizes)


class LibraryWithAnOldTotal(LibraryByScores):
    """What the weights are divided by is never set to zero."""

    total = 0.0

    def look_up(self, query):
        scores = self.score(query)
        parts = np.exp(scores - scores.max())
        self.total += parts.sum()
        return parts @ self.values / self.total, parts / self.total


def attend_mixing_backwards(query, key, value, mask=None):
    mixed, weights = attend_mended(query, key, value, mask)
    return mixed.flip(-1), weights


def _window_pushed_ahead(window, T, S):
    """Always as many keys as the window has, also at the beginning."""
    first = np.maximum(np.arange(S - T, S) - window + 1, 0)[:, None]
    return (np.arange(S) >= first) & (np.arange(S) < first + window)


def additive_voting_inside(query, key, value, W_q, W_k, v):
    a = (((query @ W_q)[..., None, :] + (key @ W_k)[..., None, :, :]) * v).tanh().sum(-1)
    return a.softmax(-1) @ value, a.softmax(-1)


def past_of_two_words(query, key, value):
    scores, visible = _past(query, key)
    visible &= ~visible.tril(scores.shape[-1] - scores.shape[-2] - 2)
    return scores.masked_fill(~visible, -torch.inf).softmax(-1) @ value


def head_of_both(x, memory, W_Q, W_K, W_V):
    both = torch.cat([x, memory], dim=1)
    return functional.scaled_dot_product_attention(x @ W_Q, both @ W_K, both @ W_V)


def near_twice_too_sharp(sharpness):
    b = (sharpness * math.sqrt(5)) ** 2
    W_Q, W_K = np.zeros((5, 5)), np.diag([0.0, 2 * b, 2 * b, -b, 0])
    W_Q[1, 1] = W_Q[2, 2] = W_Q[0, 3] = 1
    return W_Q, W_K, np.eye(5)[:, 4:]


WRONG_ANSWERS = {
    "a total of all questions": ("library", LibraryWithAnOldTotal, "library-changed-in-place"),
    "a mixture read backwards": ("attend", attend_mixing_backwards, "weights-right-mixture-not"),
    "the last key for the last query": (
        "causal",
        lambda T, S: (np.arange(S) < S - 1) | (np.arange(T)[:, None] == T - 1),
        "future-visible",
    ),
    "pushed ahead": ("window", _window_pushed_ahead, "before-the-first-key"),
    "votes inside": ("additive", additive_voting_inside, "tanh-misplaced"),
    "two words only": ("past", past_of_two_words, "seen-without-weight"),
    "both sequences": ("head", head_of_both, "query-and-memory-mixed-up"),
    "a factor in both matrices": ("near", near_twice_too_sharp, "scale-not-undone"),
    "read by the table of values": ("recall", recall_read_by_the_table, "found-and-not-read"),
    "scores of the keys' kind": ("library", LibraryOfWholeScores, "kind-of-numbers"),
    "a matrix scaled where it stands": ("head", head_scales_its_matrix, "argument-changed"),
    "keys and values apart": ("recall", recall_in_two_vectors, "another-model-trained"),
    "a softmax for each number": ("library", LibraryAcrossFeatures, "other-scores"),
    "minus a thousand": ("attend", attend_minus_thousand, "hidden-score-too-high"),
    "softmax again": ("past", past_softmax_again, "mask-after-softmax"),
    "made whole again": ("past", past_shared_out_anew, "mask-after-softmax"),
    "from zeros": ("recall", recall_from_zeros, "equal-weights"),
    "thirty steps": ("recall", lambda *given: _train(*given, steps=30, rate=0.01), "half-trained"),
    "steps of one": ("recall", recall_too_far, "training-diverged"),
    "no step": ("recall", lambda *given: _train(*given, steps=0, rate=0.01), "not-trained"),
}
