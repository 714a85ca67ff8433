"""Right answers to assignment 08 that are written in other ways than the reference."""

import math

import numpy as np
import torch
from torch import nn
from torch.nn import functional

# --- the library -----------------------------------------------------------------------------


def weights_of(query, keys):
    scores = [math.fsum(map(math.prod, zip(query, key, strict=True))) for key in keys]
    scores = [score / len(query) ** 0.5 for score in scores]
    return [1 / math.fsum(math.exp(min(other - s, 700)) for other in scores) for s in scores]


class LibraryOfPairs:
    """Keeps what it needs under other names; weights by differences of scores."""

    def __init__(self, keys, values):
        self.shelf = list(zip(keys.tolist(), values.tolist(), strict=True))

    def add(self, key, value):
        self.shelf.append((key.tolist(), value.tolist()))

    def look_up(self, query):
        weights = weights_of(query.tolist(), [key for key, _ in self.shelf])
        columns = zip(*(value for _, value in self.shelf), strict=True)
        mixed = [sum(map(math.prod, zip(weights, c, strict=True))) for c in columns]
        return mixed, weights


class LibraryOneByOne:
    """One key after the other, with a running maximum: no list of scores is kept at first."""

    def __init__(self, keys, values):
        self.keys, self.values = list(keys), list(values)

    def add(self, key, value):
        self.keys.append(key)
        self.values.append(value)

    def look_up(self, query):
        top, total, mixed, scores = -math.inf, 0.0, 0.0 * self.values[0], []
        for key, value in zip(self.keys, self.values, strict=True):
            score = float(np.dot(key, query)) / math.sqrt(key.size)
            new = max(top, score)
            fade, share = math.exp(top - new), math.exp(score - new)
            top, total, mixed = new, total * fade + share, mixed * fade + share * value
            scores.append(score)
        return mixed / total, np.array([math.exp(s - top) / total for s in scores])


# --- attention in batches --------------------------------------------------------------------


def attend_by_exponentials(query, key, value, mask=None):
    """The softmax written out; the mask multiplies the exponentials, before they are summed."""
    mask = torch.ones(()) if mask is None else mask.to(query.dtype)
    s = torch.matmul(query / math.sqrt(query.shape[-1]), key.transpose(-1, -2))
    top = (s - 1e30 * (1 - mask)).amax(-1, keepdim=True)
    e = (s.minimum(top) - top).exp() * mask
    weights = e / e.sum(-1, keepdim=True).clamp(min=1e-30)
    return weights @ value, weights


def attend_numpy_double(query, key, value, mask=None):
    q, k, v = (tensor.double().numpy() for tensor in (query, key, value))
    s = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    seen = np.broadcast_to(True if mask is None else mask.numpy(), s.shape)
    s = np.where(seen, s, -1e300)
    e = np.where(seen, np.exp(s - s.max(-1, keepdims=True)), 0)
    a = e / np.where(seen.any(-1, keepdims=True), e.sum(-1, keepdims=True), 1)
    return a @ v, a


# --- masks -----------------------------------------------------------------------------------


def causal_lists(T, S):
    return [[s <= S - T + t for s in range(S)] for t in range(T)]


def causal_bottom_rows(T, S):
    return torch.ones(S, S).tril().bool()[-T:]


def window_lists(window, T, S):
    rows = []
    for p in range(S - T, S):
        row = [False] * S
        for back in range(window):
            if p - back >= 0:
                row[p - back] = True
        rows.append(row)
    return rows


def window_distance(window, T, S):
    back = torch.arange(S - T, S).unsqueeze(1) - torch.arange(S)
    return back.ge(0) & back.lt(window)


# --- additive attention ----------------------------------------------------------------------


def additive_as_concatenation(query, key, value, W_q, W_k, v):
    """[q, k] times the stacked matrices: the form in which Bahdanau's network is often drawn."""
    T, S = query.shape[-2], key.shape[-2]
    q = query.unsqueeze(-2).expand(*query.shape[:-1], S, -1)
    k = key.unsqueeze(-3).expand(*key.shape[:-2], T, *key.shape[-2:])
    both = torch.cat([q, k], dim=-1) @ torch.cat([W_q, W_k])
    weights = functional.softmax((both.tanh() * v).sum(-1), dim=-1)
    return torch.matmul(weights, value), weights


def additive_numpy(query, key, value, W_q, W_k, v):
    query, key, value, W_q, W_k, v = (t.double().numpy() for t in (query, key, value, W_q, W_k, v))
    pairs = (query @ W_q)[..., :, None, :] + (key @ W_k)[..., None, :, :]
    scores = np.einsum("...a,a->...", np.tanh(pairs), v)
    weights = np.exp(scores - np.logaddexp.reduce(scores, axis=-1, keepdims=True))
    return weights @ value, weights


# --- the repair ------------------------------------------------------------------------------


def past_top_of_the_visible(query, key, value):
    """The exponentials are measured against the largest score that may be seen."""
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    visible = torch.tensor(causal_lists(*scores.shape[-2:]))
    top = torch.where(visible, scores, -torch.inf).max(-1, keepdim=True).values
    parts = torch.where(visible, (scores - top).exp(), 0.0)
    return parts @ value / parts.sum(-1, keepdim=True)


def past_very_low(query, key, value):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    later = torch.ones_like(scores).triu(scores.shape[-1] - scores.shape[-2] + 1)
    return (scores - 1e9 * later).softmax(-1) @ value


def past_kernel(query, key, value):
    T, S = query.shape[-2], key.shape[-2]
    visible = torch.tensor(causal_lists(T, S))
    return functional.scaled_dot_product_attention(query, key, value, attn_mask=visible)


# --- the head --------------------------------------------------------------------------------


def head_fused(x, memory, W_Q, W_K, W_V):
    return functional.scaled_dot_product_attention(x @ W_Q, memory @ W_K, memory @ W_V)


def head_one_matrix(x, memory, W_Q, W_K, W_V):
    """W_Q W_Kᵀ as one matrix of scores, and the words mixed before they are projected."""
    scores = x @ (W_Q @ W_K.T) @ memory.mT / math.sqrt(W_K.shape[1])
    return scores.softmax(-1) @ memory @ W_V


# --- recall ----------------------------------------------------------------------------------


def logits_of(parameters, keys, values, asked):
    key_table, value_table, W_Q, W_K, W_V, W_O = parameters
    pairs = functional.embedding(keys, key_table) + functional.embedding(values, value_table)
    question = functional.embedding(asked, key_table).unsqueeze(1)
    return head_fused(question, pairs, W_Q, W_K, W_V).squeeze(1) @ W_O


class Model(nn.Module):
    """A module with its own start, wider than asked."""

    def __init__(self, keys, values, width=24):
        super().__init__()
        self.key, self.value = nn.Embedding(keys, width), nn.Embedding(values, width)
        self.Q, self.K, self.V = (nn.Linear(width, width, bias=False) for _ in range(3))
        self.out = nn.Linear(width, values, bias=False)

    def parts(self):
        layers = (self.Q, self.K, self.V, self.out)
        return [self.key.weight, self.value.weight, *(layer.weight.T for layer in layers)]


def recall_module(keys, values, asked, answers, sizes):
    model = Model(*sizes)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    for start in range(0, 25_600, 128):
        rows = torch.arange(start, start + 128) % len(keys)
        logits = logits_of(model.parts(), keys[rows], values[rows], asked[rows])
        optimizer.zero_grad()
        functional.cross_entropy(logits, answers[rows]).backward()
        optimizer.step()
    return model.parts()


def recall_rmsprop(keys, values, asked, answers, sizes):
    """Batches of 64 as a shuffled list, RMSprop, the matrices begun at the identity."""
    width = 20
    tables = [torch.randn(size, width) / width**0.5 for size in sizes]
    parameters = [*tables, *(torch.eye(width) for _ in range(3)), tables[1].T.clone()]
    for parameter in parameters:
        parameter.requires_grad_()
    optimizer = torch.optim.RMSprop(parameters, lr=0.005)
    for _ in range(4):
        for rows in torch.randperm(len(keys)).split(64):
            logits = logits_of(parameters, keys[rows], values[rows], asked[rows])
            optimizer.zero_grad()
            functional.cross_entropy(logits, answers[rows]).backward()
            optimizer.step()
    return tuple(parameter.detach().numpy() for parameter in parameters)


# --- near ------------------------------------------------------------------------------------


def near_four_wide(sharpness):
    """All four terms of the squared distance, each where it stands."""
    W_Q = np.array([[0, 0, 0, -1], [2, 0, 0, 0], [0, 2, 0, 0], [0, 0, -1, 0], [0, 0, 0, 0]])
    W_K = np.array([[0, 0, 1, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0]])
    return W_Q * sharpness * math.sqrt(4), W_K, np.eye(5)[:, 4:]


def near_roots(sharpness):
    """The sharpness shared between both matrices, as its square root."""
    root = math.sqrt(sharpness * math.sqrt(3))
    W_Q = [[0, 0, -root], [2 * root, 0, 0], [0, 2 * root, 0], [0, 0, 0], [0, 0, 0]]
    W_K = [[0, 0, 0], [root, 0, 0], [0, root, 0], [0, 0, root], [0, 0, 0]]
    return np.array(W_Q), np.array(W_K), np.array([[0], [0], [0], [0], [1]])


VARIANTS = {
    "08-attention/shapes": {
        "tuples": ((2, 5, 7), (2, 5, 6)),
        "array": np.array([[2, 5, 7], [2, 5, 6]]),
    },
    "08-attention/mixture": {
        "integers": [7, 2],
        "array": np.array([1 / 6, 2 / 6, 3 / 6]) @ np.array([[6, 0], [0, 6], [12, 0]]),
    },
    "08-attention/masked-rows": {
        "rounded": [[0, 0, 0], [0, 1, 0], [0, 0.33, 0.67]],
        "tensor": torch.tensor([[0, 0, 0], [0, 1, 0], [0, 1 / 3, 2 / 3]]),
    },
    "08-attention/library": {
        "pairs": LibraryOfPairs,
        "one by one": LibraryOneByOne,
    },
    "08-attention/attend": {
        "exponentials": attend_by_exponentials,
        "NumPy": attend_numpy_double,
    },
    "08-attention/causal": {
        "lists": causal_lists,
        "bottom rows": causal_bottom_rows,
    },
    "08-attention/window": {
        "lists": window_lists,
        "distance": window_distance,
    },
    "08-attention/additive": {
        "concatenation": additive_as_concatenation,
        "NumPy": additive_numpy,
    },
    "08-attention/faulty-line": {
        "float": 6.0,
        "array": np.array(6),
    },
    "08-attention/past": {
        "the top of the visible": past_top_of_the_visible,
        "very low": past_very_low,
        "torch's kernel": past_kernel,
    },
    "08-attention/head": {
        "fused": head_fused,
        "one matrix": head_one_matrix,
    },
    "08-attention/recall": {
        "a module": recall_module,
        "RMSprop": recall_rmsprop,
    },
    "08-attention/near": {
        "four terms": near_four_wide,
        "square roots": near_roots,
    },
}
