"""The model that assignment 16 hands out for training, and weights of it by hand.

    m = enter(x)                                     (n, K) → (n, C)
    h = relu(own(m) + senders(pooled h) + receivers(pooled h))      once a round, from h = m
    logits = leave(h)                                (n, C) → (n, K)

A shop's features are the sign at its door. Which lines count, which neighbors are asked, how
several messages become one and how often is the model's *arrangement*.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional

from headway.models.towns import K

WIDTH = 8
LINES = ("every line", "each pair once")
NEIGHBORS = ("senders", "receivers", "both together", "both apart")
POOLS = ("sum", "mean", "max")
MOST_ROUNDS = 8


class Market(nn.Module):
    """Rounds of messages between a sign and the logits of a trade: (n, K) → (n, K).

    Args:
        lines: which lines of the list count, one of `LINES`.
        neighbors: whose messages a shop gets, one of `NEIGHBORS`.
        pool: what becomes of several messages, one of `POOLS`.
        rounds: how many times messages are sent, 0 to 8.
    """

    def __init__(self, lines: str, neighbors: str, pool: str, rounds: int):
        super().__init__()
        self.lines, self.neighbors, self.pool, self.rounds = lines, neighbors, pool, rounds
        self.enter, self.own = nn.Linear(K, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.senders = nn.Linear(WIDTH, WIDTH, bias=False)
        self.receivers = nn.Linear(WIDTH, WIDTH, bias=False)
        self.leave = nn.Linear(WIDTH, K)

    def forward(self, signs: Tensor, edges: Tensor) -> Tensor:
        """Logits (n, K) of signs (n, K) and edges (2, E)."""
        if self.lines == "each pair once":
            n = len(signs)
            pairs = (edges[0] * n + edges[1]).unique()  # a number for each pair
            edges = torch.stack([pairs // n, pairs % n])
        m = h = self.enter(signs)
        for _ in range(self.rounds):
            h = functional.relu(self.own(m) + self.received(h, *edges))
        return self.leave(h)

    def received(self, h: Tensor, source: Tensor, target: Tensor) -> Tensor:
        """What a shop has learned from its neighbors: (n, C)."""
        if self.neighbors == "both together":
            ends = torch.cat([source, target]), torch.cat([target, source])
            return self.senders(pooled(h, *ends, self.pool))
        parts = []
        if self.neighbors in ("senders", "both apart"):
            parts.append(self.senders(pooled(h, source, target, self.pool)))
        if self.neighbors in ("receivers", "both apart"):
            parts.append(self.receivers(pooled(h, target, source, self.pool)))
        return sum(parts)


def pooled(h: Tensor, at: Tensor, to: Tensor, pool: str) -> Tensor:
    """The sum, mean or largest of the rows `at`, for each of the shops `to`: (n, C)."""
    messages, nothing = h[at], torch.zeros_like(h)
    if pool == "max":
        ends = to[:, None].expand_as(messages)
        return nothing.scatter_reduce(0, ends, messages, "amax", include_self=False)
    total = nothing.index_add(0, to, messages)
    return total if pool == "sum" else total / to.bincount(minlength=len(h)).clamp(min=1)[:, None]


def by_hand(signs: Tensor, edges: Tensor, trades: Tensor) -> dict[str, Tensor]:
    """Weights for both sides apart and means, made of counts along the edges of a town.

    A shop believes in the trade of its sign, in the one that buys from what its senders believe
    to be, and in the one that sells to what its receivers believe to be.
    """
    weights = {
        name: torch.zeros_like(value)
        for name, value in Market(LINES[1], "both apart", "mean", 1).state_dict().items()
    }
    trade = functional.one_hot(trades, K).float()
    belongs = most_often(trade.T @ signs)  # (trade, sign)
    sells_to = most_often(trade[edges[0]].T @ trade[edges[1]])  # (seller, buyer)
    weights["enter.weight"][:K] = belongs
    weights["own.weight"][:K, :K] = torch.eye(K)
    weights["own.bias"][:K] = -0.3
    weights["senders.weight"][:K, :K] = 1.5 * sells_to.T
    weights["receivers.weight"][:K, :K] = 1.5 * sells_to
    weights["leave.weight"][:, :K] = torch.eye(K)
    return weights


def most_often(counts: Tensor) -> Tensor:
    """One where a row has its largest count, zero elsewhere."""
    return functional.one_hot(counts.argmax(dim=1), K).float()
