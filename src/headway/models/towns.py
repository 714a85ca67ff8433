"""A graph to learn on: towns whose shops deliver to each other, mostly around a ring of trades.

    P(a delivery goes to the trade that follows the sender's in the ring) = ALONG + (1 − ALONG) / K
    P(the sign at a shop's door is that of its trade) = TRUE_SIGNS

Neighbors are mostly of another trade than a shop's own, and edges have a direction. The order of
the ring and the signs are the `Rules` of a town; towns under the same rules can be learned from
each other.
"""

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

K = 4  # trades
DELIVERIES, TRUE_SIGNS, ALONG = 4, 0.5, 0.9
OFTEN = 200  # lines of a pair, at most


class Rules(NamedTuple):
    """What towns have in common, so that one can be learned from another.

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
