"""Graph attention: attention in which a node sees its neighbors and no other node.

    h = x W, split into H heads of width D
    score(t ← s) = LeakyReLU(a_target · h[t] + a_source · h[s])
    y[t] = Σ softmax(score(t ← ·))[s] h[s]               over the nodes s that send to t

    x (..., n, C)   →   heads (..., H, n, D)   →   side by side (..., n, H·D), or mean (..., n, D)

The paper writes the score as aᵀ[h[t] ‖ h[s]], one long vector times both side by side; cut in two,
it needs two numbers a node and not 2D numbers a pair. `forward` computes all pairs and hides
those that are no edges, the adjacency being the mask; `along_edges` visits the edges only. Both
have the same parameters and give the same. A node to which nobody sends gets zeros: for its own
features to count, it needs a self-loop (`headway.models.graph.with_self_loops`).

Source: Veličković et al. 2018, eq. 1–6.
"""

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional

from headway.models.graph import (
    check_adjacency,
    pass_weighted,
    receivers,
    softmax_over_incoming,
)
from headway.nn.attention import check_width, mix

SLOPE = 0.2  # of the LeakyReLU below zero, as in the paper


def side_by_side(heads: Tensor) -> Tensor:
    """(..., H, n, D) → (..., n, H·D): for hidden layers (eq. 5)."""
    return heads.transpose(-3, -2).flatten(-2)


def mean_of_heads(heads: Tensor) -> Tensor:
    """(..., H, n, D) → (..., n, D): for the last layer (eq. 6)."""
    return heads.mean(dim=-3)


class GraphAttention(nn.Module):
    """One layer of graph attention.

    Args:
        width: C, the numbers of a node.
        head_width: D.
        heads: H.
        generator: draws the weights, after Glorot and Bengio (2010).
        merge: (..., H, n, D) → the output: `side_by_side` or `mean_of_heads`.
    """

    def __init__(
        self,
        width: int,
        head_width: int,
        heads: int,
        generator: torch.Generator,
        merge: Callable[[Tensor], Tensor] = side_by_side,
    ):
        super().__init__()
        self.heads, self.merge = heads, merge
        self.values = nn.Linear(width, heads * head_width, bias=False)  # W
        self.source = nn.Parameter(torch.empty(heads, head_width))  # a_source
        self.target = nn.Parameter(torch.empty(heads, head_width))  # a_target
        for weight in self.parameters():
            nn.init.xavier_uniform_(weight, generator=generator)

    def forward(self, x: Tensor, adjacency: Tensor) -> Tensor:
        """All pairs, with the adjacency as the mask.

        Args:
            x: (..., n, C).
            adjacency: bool (n, n), True where the node of the column sends to that of the row.

        Returns:
            (..., n, H·D), or what `merge` makes of the heads.

        Raises:
            ShapeError: if x is not (..., n, C), or the adjacency is not (n, n).
            TypeError: if the adjacency is not boolean.
        """
        values, sent, received = self.project(x)
        check_adjacency(adjacency, x)
        scores = functional.leaky_relu(received[..., :, None] + sent[..., None, :], SLOPE)
        return self.merge(mix(scores, values, adjacency)[0])  # scores (..., H, n, n)

    def along_edges(self, x: Tensor, edges: Tensor) -> Tensor:
        """What `forward` gives, by gather and scatter along the edges.

        Args:
            x: (..., n, C).
            edges: int64 (2, E), from source to target, each once.

        Returns:
            as `forward`.

        Raises:
            ShapeError, TypeError, IndexError: if x is not (..., n, C), or `edges` is no edge list
                between n nodes.
        """
        values, sent, received = self.project(x)
        n = receivers(x, edges, None)
        scores = sent.index_select(-1, edges[0]) + received.index_select(-1, edges[1])
        scores = functional.leaky_relu(scores, SLOPE)  # (..., H, E)
        weights = softmax_over_incoming(scores, edges[1], n)
        return self.merge(pass_weighted(values, edges, weights, n))

    def project(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """h (..., H, n, D), and each node's two shares of a score: sent, received (..., H, n)."""
        check_width("x", x, self.values.in_features)
        values = self.values(x).unflatten(-1, (self.heads, -1)).transpose(-3, -2)
        sent, received = (
            (values @ vector[..., None]).squeeze(-1) for vector in (self.source, self.target)
        )
        return values, sent, received


class NodeClassifier(nn.Module):
    """Two layers of graph attention: every node sees its neighbors' neighbors.

        logits = mean of heads(layer 2(ELU(side by side(layer 1(x)))))

    Over a graph of self-loops alone, each node sees itself, every softmax is over one score, and
    this is a plain network that is applied to each node.

    Args:
        width: C, the numbers of a node.
        head_width: D, of the first layer.
        heads: H, of both layers.
        classes: K.
        generator: draws the weights.
    """

    def __init__(
        self, width: int, head_width: int, heads: int, classes: int, generator: torch.Generator
    ):
        super().__init__()
        self.hidden = GraphAttention(width, head_width, heads, generator)
        self.output = GraphAttention(heads * head_width, classes, heads, generator, mean_of_heads)

    def forward(self, x: Tensor, edges: Tensor) -> Tensor:
        """Logits (..., n, K) of nodes x (..., n, C) with edges (2, E)."""
        return self.output.along_edges(functional.elu(self.hidden.along_edges(x, edges)), edges)
