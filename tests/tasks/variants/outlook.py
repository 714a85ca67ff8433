"""Right answers to assignment 16 that are written in other ways than the reference."""

import math

import numpy as np
import torch
from torch.nn import functional

from headway.tasks.chapters.outlook.market import by_hand
from headway.tasks.chapters.outlook.nodes import RIGHT, trained
from headway.tasks.chapters.outlook.recurrent import feature

# --- attention along edges -------------------------------------------------------------------


def attention_edge_by_edge(query, key, value, edges, both_ways=False):
    """A running softmax: a node's largest score, sum of powers and sum of messages so far."""
    listed = edges.T.tolist() + (edges.flip(0).T.tolist() if both_ways else [])
    heads, n, width = query.shape
    most = np.full((heads, n), -np.inf)
    total, mixed = np.zeros((heads, n)), np.zeros((heads, n, value.shape[2]))
    q, k, v = (x.double().numpy() for x in (query, key, value))
    for s, t in {tuple(pair) for pair in listed}:
        score = (q[:, t] * k[:, s]).sum(-1) / width**0.5
        larger = np.maximum(most[:, t], score)
        old, new = np.exp(most[:, t] - larger), np.exp(score - larger)
        total[:, t] = total[:, t] * old + new
        mixed[:, t] = mixed[:, t] * old[:, None] + new[:, None] * v[:, s]
        most[:, t] = larger
    return mixed / np.where(total, total, 1)[..., None]


def attention_sorted_by_targets(query, key, value, edges, both_ways=False):
    """Edges in the order of their targets, split into a piece for each of them."""
    if both_ways:
        edges = torch.hstack([edges, edges.flipud()])
    target, source = edges.flip(0).unique(dim=1)  # sorted by target
    scores = torch.einsum("hed,hed->he", query[:, target], key[:, source]) * query.shape[2] ** -0.5
    counts = target.bincount(minlength=query.shape[1]).tolist()
    pieces = zip(scores.split(counts, 1), value[:, source].split(counts, 1), strict=True)
    return torch.stack([torch.einsum("he,hec->hc", s.softmax(1), v) for s, v in pieces], dim=1)


# --- blocks ----------------------------------------------------------------------------------


def mask_token_by_token(T, block, pairs, causal=False):
    listed = {tuple(pair) for pair in pairs}
    mask = []
    for t in range(T):
        row = []
        for s in range(T):
            i, j = t // block, s // block
            row.append((i == j or (i, j) in listed) and not (causal and s > t))
        mask.append(row)
    return np.array(mask)


def mask_by_a_product(T, block, pairs, causal=False):
    """One-hot rows of the tokens' blocks around a table of blocks, cut to the text."""
    count = math.ceil(T / block)
    table = torch.eye(count)
    if len(pairs):
        rows, columns = torch.tensor(pairs).T
        table[rows, columns] = 1
    mask = torch.kron(table, torch.ones(block, block))[:T, :T] > 0
    return mask & torch.ones(T, T).tril().bool() if causal else mask


# --- cost ------------------------------------------------------------------------------------


def cost_by_formulas(T, C, M, H, pattern="full", size=None):
    if pattern == "window":
        w = min(size, T)
        pairs = T * w - w * (w - 1) // 2
    elif pattern == "blocks":
        whole, rest = divmod(T, size)
        pairs = whole * size * size + rest * rest
    else:
        pairs = T * T
    state = C * C // H
    along = 4 * T * state if pattern == "linear" else 4 * pairs * C
    numbers = state if pattern == "linear" else H * pairs
    return [8 * T * C**2 + 4 * T * C * M + along, 4 * numbers]


def cost_of_tables(T, C, M, H, pattern="full", size=None):
    """Pairs counted in a table that is made, of the pairs of a part where there are many."""
    part = min(T, 1024)
    apart = np.arange(part)[:, None] - np.arange(part)
    tables = {"full": apart == apart}
    if size is not None:
        of = np.arange(part) // size
        tables |= {"window": (apart >= 0) & (apart < size), "blocks": of[:, None] == of}
    D = C // H
    weights = T * C * (4 * C + 2 * M)
    if pattern == "linear":
        return 2 * weights + 4 * T * H * D * D, 4 * H * D * D
    pairs = int(tables[pattern].sum()) * (T // part) ** 2
    return 2 * (weights + 2 * H * pairs * D), 4 * H * pairs


# --- the layer -------------------------------------------------------------------------------


def layer_by_a_table(x, edges, strength, own, others):
    table = torch.zeros(len(x), len(x)).index_put((edges[1], edges[0]), strength, accumulate=True)
    table = functional.normalize(table, p=1, dim=1)
    return functional.elu(x @ own + table @ x @ others)


def layer_node_by_node(x, edges, strength, own, others):
    rows = []
    for node, row in enumerate(x):
        here = edges[1] == node
        mean = torch.zeros(others.shape[1])
        if here.any():
            shares = strength[here] / strength[here].sum()
            mean = shares @ (x[edges[0][here]] @ others)
        rows.append(functional.elu(row @ own + mean))
    return torch.stack(rows)


# --- trades ----------------------------------------------------------------------------------


def trades_in_six_rounds(signs, edges, trades):
    torch.manual_seed(1)
    return trained(signs, edges, trades, RIGHT | {"rounds": 6})


def trades_by_hand_in_five_rounds(signs, edges, trades):
    weights = {name: w.numpy() for name, w in by_hand(signs, edges, trades).items()}
    return RIGHT | {"rounds": 5}, weights


# --- recurrence ------------------------------------------------------------------------------


def recurrence_from_a_table(query, key, value, fade, state=None):
    """A table for the pairs of new tokens, and the old state faded as long as they are late."""
    T = query.shape[2]
    late = torch.arange(T)[:, None] - torch.arange(T)
    powers = torch.where(late >= 0, fade[:, None, None] ** late.clamp(min=0), 0.0)
    q, k = feature(query), feature(key)
    weights = q @ k.mT * powers
    top, bottom = weights @ value, weights.sum(-1)
    at_end = powers[:, -1, :, None] * k  # (B, H, T, D)
    S, z = at_end.mT @ value, at_end.sum(2)
    if state is not None:
        since = fade[:, None] ** torch.arange(1, T + 1)
        top = top + since[..., None] * (q @ state[0])
        bottom = bottom + since * (q * state[1][:, :, None]).sum(-1)
        S, z = S + fade[:, None, None] ** T * state[0], z + fade[:, None] ** T * state[1]
    return top / bottom[..., None], S, z


def recurrence_head_by_head(query, key, value, fade, state=None):
    B, H, T, D = query.shape
    q, k, v = feature(query).numpy(), feature(key).numpy(), value.numpy()
    S = np.zeros((B, H, D, v.shape[3])) if state is None else state[0].double().numpy()
    z = np.zeros((B, H, D)) if state is None else state[1].double().numpy()
    S, z, mixed = S.copy(), z.copy(), np.zeros(v.shape)
    for b, h in np.ndindex(B, H):
        for t in range(T):
            S[b, h] = float(fade[h]) * S[b, h] + np.outer(k[b, h, t], v[b, h, t])
            z[b, h] = float(fade[h]) * z[b, h] + k[b, h, t]
            mixed[b, h, t] = q[b, h, t] @ S[b, h] / (q[b, h, t] @ z[b, h])
    return mixed, S, z


VARIANTS = {
    "16-outlook/friends": {
        "rounded": [17.0, 5.667, 9.0, 4.25, 4],
        "array": np.array([17, 17 / 3, 9, 34 / 8, 4]),
    },
    "16-outlook/crossing": {
        "floats": [640.0, 2944.0, 5888.0],
        "array": np.array([512 + 128, 640 + 1.5 * 1536, 2 * 2944]),
    },
    "16-outlook/memory": {
        "floats": [1152.0, 11_520.0, 8_000.0, 72.0, 0.0],
        "array": np.array([3 * 12 * 4000**2 * 2 / 1e6, 11_520, 8_000, 72, 0]),
    },
    "16-outlook/graph-attention": {
        "edge by edge": attention_edge_by_edge,
        "sorted by targets": attention_sorted_by_targets,
    },
    "16-outlook/block-sparse": {
        "token by token": mask_token_by_token,
        "a product": mask_by_a_product,
    },
    "16-outlook/cost": {
        "formulas": cost_by_formulas,
        "tables": cost_of_tables,
    },
    "16-outlook/faulty-line": {
        "float": 9.0,
        "numpy": np.int64(9),
    },
    "16-outlook/repair": {
        "a table": layer_by_a_table,
        "node by node": layer_node_by_node,
    },
    "16-outlook/nodes": {
        "six rounds": trades_in_six_rounds,
        "by hand, five rounds": trades_by_hand_in_five_rounds,
    },
    "16-outlook/recurrent": {
        "a table": recurrence_from_a_table,
        "head by head": recurrence_head_by_head,
    },
}
