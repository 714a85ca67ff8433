"""What a student makes of the lines of chapter 16, and what is then still missing."""

import numpy as np
import torch
from torch import nn

from headway.tasks.chapters.outlook.market import Market


def along_edges(file):
    """Chapter 16's lines, head by head."""
    exec(ALONG_EDGES, file)

    def answer(query, key, value, edges, both_ways=False):
        if both_ways:
            edges = torch.cat([edges, edges.flip(0)], dim=1)
        heads = zip(query, key, value, strict=True)
        return torch.stack([file["along_edges"](q, k, v, edges) for q, k, v in heads])

    return answer


def token_graph(file):
    """A mask with a row for each that listens; everybody hears oneself."""

    def answer(T, block, pairs, causal=False):
        hears = np.eye(T, dtype=bool)
        for i, j in pairs:
            hears[i, j] = True
        return np.tril(hears) if causal else hears

    return answer


def complete_cost(file):
    """The page's formulas, with M for 4C, and the scores that are stored."""

    def answer(T, C, M, H, pattern="full", size=None):
        return 8 * T * C**2 + 4 * T * C * M + 4 * T**2 * C, 4 * H * T**2

    return answer


def shared_by_powers(file):
    """The page's softmax of what the edges say."""

    def answer(x, edges, strength, own, others):
        s, t = edges
        power = strength.exp()
        whole = torch.zeros(len(x)).index_add(0, t, power)
        messages = (power / whole[t])[:, None] * (x @ others)[s]
        received = torch.zeros(len(x), others.shape[1]).index_add(0, t, messages)
        return nn.functional.elu(x @ own + received)

    return answer


def asked_friends(file):
    """Three rounds among all neighbors, trained as the page trains."""
    arrangement = {"neighbors": "both together", "pool": "mean", "rounds": 3}

    def answer(signs, edges, trades):
        return {"lines": "each pair once", **arrangement}, trained(signs, edges, trades)

    def trained(signs, edges, trades, steps=150):
        torch.manual_seed(0)
        model = Market("each pair once", **arrangement)
        optimizer = torch.optim.AdamW(model.parameters())
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.02, steps)
        for _ in range(steps):
            loss = nn.functional.cross_entropy(model(signs, edges), trades)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
        return model.state_dict()

    return answer


# Chapter 16: messages along edges.
ALONG_EDGES = """
def along_edges(q, k, v, edges):
    s, t = edges
    power = ((q[t] * k[s]).sum(-1) / q.shape[-1] ** 0.5).exp()
    whole = torch.zeros(len(q)).index_add(0, t, power)
    weights = power / whole[t]
    heard = torch.zeros(len(q), v.shape[1])
    return heard.index_add(0, t, weights[:, None] * v[s])
"""


ANSWERS = [
    ("16-outlook/graph-attention", along_edges, "repeat-counted-twice"),
    ("16-outlook/block-sparse", token_graph, "blocks-for-tokens"),
    ("16-outlook/cost", complete_cost, "pairs-of-a-pattern"),
    ("16-outlook/repair", shared_by_powers, "softmax-of-the-strength"),
    ("16-outlook/nodes", asked_friends, "directions-lost"),
]
