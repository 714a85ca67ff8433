"""Right answers to assignment 18 that are written in other ways than the reference."""

import math

import numpy as np
import torch
from torch.nn import functional

from headway.nn.attention import attend
from headway.nn.experts import balancing_loss, expert_counts
from headway.nn.experts import choose as package_choose
from headway.tasks.chapters.experts.facts import by_hand_answer, trained

# --- the choice ------------------------------------------------------------------------------


def choose_loops(scores, k, renormalized=True, bias=None):
    """Row by row, with lists; of equal scores, the last one."""
    rows, E = scores.reshape(-1, scores.shape[-1]).double().numpy(), scores.shape[-1]
    added = np.zeros(E) if bias is None else bias.double().numpy()
    weights, chosen = [], []
    for row in rows:
        best = sorted(range(E), key=lambda e: (-(row[e] + added[e]), -e))[:k]
        whole = best if renormalized else range(E)
        top = max(row)
        total = sum(math.exp(row[e] - top) for e in whole)
        weights.append([math.exp(row[e] - top) / total for e in best])
        chosen.append(best)
    shape = (*scores.shape[:-1], k)
    return np.reshape(weights, shape), np.reshape(chosen, shape)


def choose_divided(scores, k, renormalized=True, bias=None):
    """Shares of all, divided by their sum."""
    ranked = scores.clone() if bias is None else scores + bias
    chosen = ranked.sort(dim=-1, descending=True, stable=True).indices[..., :k]
    hidden = torch.full_like(scores, -torch.inf).scatter(-1, chosen, 0.0)
    shares = (scores + hidden if renormalized else scores).softmax(-1)
    return shares.gather(-1, chosen), chosen


# --- the mixture -----------------------------------------------------------------------------


def mixture_sorted(expert, x, router, k, words):
    """All pairs of a token and an expert side by side, by experts."""
    B, T, C = x.shape
    tokens = x.reshape(-1, C)
    places = words.flatten().nonzero()[:, 0]
    weights, chosen = package_choose(tokens[places] @ router, k)
    order = chosen.flatten().argsort(stable=True)
    rows = places.repeat_interleave(k)[order]
    counts = torch.bincount(chosen.flatten(), minlength=router.shape[1]).tolist()
    made = [expert(piece, e) for e, piece in enumerate(tokens[rows].split(counts)) if len(piece)]
    out = torch.zeros(B * T, C)
    if made:
        out.index_add_(0, rows, weights.flatten()[order, None] * torch.cat(made))
    return out.view(B, T, C)


def mixture_numpy(expert, x, router, k, words):
    """With a table of weights, (N, E), and experts that are asked for its columns."""
    x, router, words = x.double().numpy(), router.double().numpy(), words.numpy()
    tokens = x[words]
    scores = tokens @ router
    best = np.argsort(-scores, axis=-1)[:, :k]
    powers = np.zeros_like(scores)
    largest = scores.max(-1, keepdims=True) if len(scores) else 0
    np.put_along_axis(powers, best, np.take_along_axis(np.exp(scores - largest), best, -1), -1)
    out = np.zeros_like(x)
    mixed = np.zeros_like(tokens)
    for e, column in enumerate(powers.T):
        (its,) = column.nonzero()
        if its.size:
            share = column[its] / powers[its].sum(-1)
            mixed[its] += share[:, None] * np.asarray(expert(tokens[its], e))
    out[words] = mixed
    return out


# --- balance ---------------------------------------------------------------------------------


def balance_package(scores, k, words):
    flat = [layer[words] for layer in scores]
    counts = torch.stack([expert_counts(layer, k) for layer in flat])
    return sum(balancing_loss(layer, k) for layer in flat), counts


def balance_loops(scores, k, words):
    """Token by token, with sums of shares and numbers."""
    L, E = len(scores), scores.shape[-1]
    total, counts = 0.0, torch.zeros(L, E, dtype=torch.int64)
    for n, layer in enumerate(scores):
        likely = [0.0] * E
        for row in layer[words]:
            for e in sorted(range(E), key=lambda e, row=row: -row[e])[:k]:
                counts[n, e] += 1
            likely = [sum(pair) for pair in zip(likely, row.softmax(0), strict=True)]
        total = total + E * sum(a * b for a, b in zip(counts[n].tolist(), likely, strict=True))
    return total / words.sum() ** 2, counts


# --- all experts -----------------------------------------------------------------------------


def mix_all_loop(x, router, wide, narrow, k, words):
    weights, chosen = package_choose(x @ router, k)
    table = torch.zeros(*x.shape[:2], router.shape[1]).scatter(-1, chosen, weights)
    made = [(x @ a).relu() @ b for a, b in zip(wide, narrow, strict=True)]
    mixed = sum(table[..., e, None] * each for e, each in enumerate(made))
    return mixed.masked_fill(~words[..., None], 0)


def mix_all_divided(x, router, wide, narrow, k, words):
    scores = x @ router
    order = scores.argsort(-1, descending=True).argsort(-1)
    powers = (scores - scores.amax(-1, keepdim=True)).exp() * (order < k)
    shares = powers / powers.sum(-1, keepdim=True)
    hidden = functional.relu(x[:, :, None, None] @ wide)
    return words[..., None] * (shares[..., None] * (hidden @ narrow)[..., 0, :]).sum(2)


# --- facts -----------------------------------------------------------------------------------


def pushed_alone(*args):
    """Fewer experts, and a router that has no slope but that of the chapter's small push."""
    torch.manual_seed(0)
    return trained(*args, experts=8, even=0.01, renormalized=True)


def renormalized(*args):
    """By hand, where one expert has all the weight in either way."""
    sizes, weights = by_hand_answer(*args)
    return {**sizes, "renormalized": True}, weights


# --- latents ---------------------------------------------------------------------------------


def absorbed_rows(cache, query, turned, words, W_K, W_V):
    """One head and token after the other."""
    (H, T, D), P, S = query.shape, turned.shape[2], len(words)
    out = torch.zeros(H, T, W_V.shape[2])
    for h in range(H):
        for t in range(T):
            row = torch.cat([W_K[h] @ query[h, t], turned[h, t]])
            scores = cache(row[None] / (D + P) ** 0.5, "match")[0]
            scores[~words] = -torch.inf
            scores[S - T + t + 1 :] = -torch.inf
            out[h, t] = cache(scores.softmax(0)[None], "mix")[0] @ W_V[h]
    return out


def absorbed_heads(cache, query, turned, words, W_K, W_V):
    """Head by head; the cache is one wide key and one wide value for `attend`."""
    S, T = len(words), query.shape[1]
    later = torch.arange(S) > torch.arange(S - T, S)[:, None]
    mixed = []
    for q, r, K, V in zip(query, turned, W_K, W_V, strict=True):
        scores = cache(np.concatenate([q @ K.T, r], -1), "match")
        # queries that have the scores as products with unit keys
        scale = math.sqrt(S) / math.sqrt(q.shape[1] + r.shape[1])
        _, shares = attend(scores * scale, torch.eye(S), torch.eye(S), ~later & words)
        mixed.append(cache(shares, "mix") @ V)
    return torch.stack(mixed)


VARIANTS = {
    "18-experts/weights": {
        "fractions": (2 / 3, 1 / 3, 1 / 2, 1 / 4),
        "array": np.array([2 / 3, 1 / 3, 0.5, 0.25]),
    },
    "18-experts/parameters": {
        "tuple": (6_299_648, 794_624, 5.28125),
        "array": np.array([6_299_648, 794_624, 5.28]),
    },
    "18-experts/cache": {
        "tuple": (64, 28),
        "array": np.array([64.0, 28.0]),
    },
    "18-experts/choose": {
        "loops": choose_loops,
        "divided by the sum": choose_divided,
    },
    "18-experts/mixture": {
        "sorted by experts": mixture_sorted,
        "numpy": mixture_numpy,
    },
    "18-experts/balance": {
        "the package's": balance_package,
        "loops": balance_loops,
    },
    "18-experts/faulty-line": {
        "float": 5.0,
        "numpy": np.int64(5),
    },
    "18-experts/repair": {
        "a loop over experts": mix_all_loop,
        "divided by the sum": mix_all_divided,
    },
    "18-experts/facts": {
        "eight experts, renormalized": pushed_alone,
        "by hand, renormalized": renormalized,
    },
    "18-experts/absorbed": {
        "rows": absorbed_rows,
        "heads": absorbed_heads,
    },
}
