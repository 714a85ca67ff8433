"""A graph to learn on: groups of nodes that mostly know each other (a stochastic block model).

    P(edge between i and j) = inside    if both are of the same group
                              between   otherwise
    P(i names its own group) = honest; otherwise it names any other, each equally likely

A node's features are the one-hot vector of the group that it *names*. So whatever looks at one
node alone is right for a share of `honest` nodes at most; who also asks the neighbors can do
better, because neighbors are mostly of the same group.

Source: Holland, Laskey and Leinhardt 1983, for the graph.
"""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from headway.models.graph import both_ways, with_self_loops


@dataclass(frozen=True)
class Communities:
    """A graph of n nodes in K groups.

    Attributes:
        features: float32 (n, K), the one-hot vector of the group that each node names.
        labels: int64 (n,), its true group.
        edges: int64 (2, E), both ways and with self-loops, each once.
    """

    features: Tensor
    labels: Tensor
    edges: Tensor


def communities(
    rng: np.random.Generator,
    nodes: int = 400,
    groups: int = 4,
    inside: float = 0.1,
    between: float = 0.005,
    honest: float = 0.5,
) -> Communities:
    """Draw a graph, with groups of equal sizes (to one node) in a random order.

    Args:
        rng: the source of chance; same seed, same graph.
        nodes: n.
        groups: K, at least 2.
        inside, between: the chance of an edge within a group, and across groups.
        honest: the chance that a node names its own group.

    Raises:
        ValueError: if there are fewer than two groups, or a chance is not in 0 … 1.
    """
    if groups < 2:
        raise ValueError(f"there must be at least 2 groups to tell apart, got {groups}")
    for name, chance in (("inside", inside), ("between", between), ("honest", honest)):
        if not 0 <= chance <= 1:
            raise ValueError(f"{name} is a probability, in 0 … 1; got {chance}")
    labels = np.argsort(rng.random(nodes), kind="stable") % groups
    same = labels[:, None] == labels
    drawn = rng.random((nodes, nodes)) < np.where(same, inside, between)
    pairs = np.stack(np.nonzero(np.triu(drawn, 1)))  # each pair is drawn once
    liars = rng.random(nodes) >= honest
    others = 1 + (rng.random(nodes) * (groups - 1)).astype(np.int64)  # 1 … K−1 groups further on
    named = torch.from_numpy((labels + np.where(liars, others, 0)) % groups)
    edges = with_self_loops(both_ways(torch.from_numpy(pairs)), nodes)
    return Communities(functional.one_hot(named, groups).float(), torch.from_numpy(labels), edges)
