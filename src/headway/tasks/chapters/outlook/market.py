"""The towns that assignment 16 trains on, its model, and weights of the model by hand.

    m = enter(x)                                     (n, K) → (n, C)
    h = relu(own(m) + senders(pooled h) + receivers(pooled h))      once a round, from h = m
    logits = leave(h)                                (n, C) → (n, K)

A shop has one of K trades, which stand in a ring: most of what a trade delivers goes to the next
one. A shop's features are the sign at its door, which about half of the shops have kept from
somebody else. Which neighbors are asked, and how, is the model's *arrangement*.
"""

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

K, WIDTH = 4, 8
LINES = ("every line", "each pair once")
NEIGHBORS = ("senders", "receivers", "both together", "both apart")
POOLS = ("sum", "mean", "max")
MOST_ROUNDS = 8
DELIVERIES, TRUE_SIGNS, ALONG = 4, 0.5, 0.9
OFTEN = 200  # lines of a pair, at most


class Rules(NamedTuple):
    """What all towns of a case have in common.

    Attributes:
        buyer: (K,), the trade that most deliveries of each trade go to.
        sign: (K,), the sign that belongs to each trade.
    """

    buyer: np.ndarray
    sign: np.ndarray


class Town(NamedTuple):
    """A town of n shops.

    Attributes:
        signs: float32 (n, K), the one-hot vector of the sign at each door.
        edges: int64 (2, E), who delivers, and to whom; a line for each delivery.
        trades: int64 (n,).
    """

    signs: Tensor
    edges: Tensor
    trades: Tensor


def draw_rules(rng: np.random.Generator) -> Rules:
    """A ring of the trades in an order that is drawn, and a sign for each."""
    order = rng.permutation(K)
    buyer = np.empty(K, dtype=np.int64)
    buyer[order] = np.roll(order, -1)
    return Rules(buyer, rng.permutation(K))


def draw_town(rng: np.random.Generator, rules: Rules, shops: int) -> Town:
    """A town in which every pair of shops has one line; few shops deliver much, many little."""
    trades = rng.integers(K, size=shops)
    busy, liked = (rng.pareto(3.0, shops) + 1 for _ in range(2))
    count = DELIVERIES * shops
    source = rng.choice(shops, count, p=busy / busy.sum())
    astray = rng.random(count) >= ALONG
    bought_by = np.where(astray, rng.integers(K, size=count), rules.buyer[trades[source]])
    target = np.empty(count, dtype=np.int64)
    for trade in range(K):
        shares = liked * (trades == trade)
        to = bought_by == trade
        target[to] = rng.choice(shops, to.sum(), p=shares / shares.sum())
    edges = np.unique(np.stack([source, target])[:, source != target], axis=1)
    taken_over = rng.random(shops) >= TRUE_SIGNS
    named = np.where(taken_over, trades + rng.integers(1, K, shops), trades) % K
    signs = functional.one_hot(torch.from_numpy(rules.sign[named]), K).float()
    return Town(signs, torch.from_numpy(edges), torch.from_numpy(trades))


def with_repeats(rng: np.random.Generator, town: Town) -> Town:
    """The same town with a line for each single delivery: few for most pairs, many for some."""
    often = 1 + np.minimum(rng.pareto(0.6, town.edges.shape[1]), OFTEN - 1).astype(np.int64)
    return town._replace(edges=town.edges.repeat_interleave(torch.from_numpy(often), dim=1))


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


def by_hand(signs: Tensor, edges: Tensor, trades: Tensor, gain: float = 1.5) -> dict[str, Tensor]:
    """Weights for both sides apart and means, made of counts along the edges of a town.

    A shop believes in the trade of its sign, in the one that buys from what its senders believe
    to be, and in the one that sells to what its receivers believe to be.

    Args:
        gain: how much the neighbors count beside the own sign.
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
    weights["senders.weight"][:K, :K] = gain * sells_to.T
    weights["receivers.weight"][:K, :K] = gain * sells_to
    weights["leave.weight"][:, :K] = torch.eye(K)
    return weights


def most_often(counts: Tensor) -> Tensor:
    """One where a row has its largest count, zero elsewhere."""
    return functional.one_hot(counts.argmax(dim=1), K).float()
