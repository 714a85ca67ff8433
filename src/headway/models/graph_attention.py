"""Graph attention: attention in which a node sees its neighbors and no other node.

    h = x W, split into H heads of width D
    score(t ← s) = LeakyReLU(a_target · h[t] + a_source · h[s])
    y[t] = Σ softmax(score(t ← ·))[s] h[s]               over the nodes s that send to t

    x (..., n, C)   →   heads (..., H, n, D)   →   side by side (..., n, H·D)

The paper writes the score as aᵀ[h[t] ‖ h[s]], one long vector times both side by side; cut in two,
it needs two numbers a node and not 2D numbers a pair. `forward` computes all pairs and hides
those that are no edges, the adjacency being the mask; `along_edges` visits the edges only. Both
have the same parameters and give the same. A node to which nobody sends gets zeros: for its own
features to count, it needs a self-loop (`headway.models.graph.with_self_loops`).

Source: Veličković et al. 2018, eq. 1–5.
"""

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
    """(..., H, n, D) → (..., n, H·D)."""
    return heads.transpose(-3, -2).flatten(-2)


class GraphAttention(nn.Module):
    """One layer of graph attention.

    Args:
        width: C, the numbers of a node.
        head_width: D.
        heads: H.
        generator: draws the weights, after Glorot and Bengio (2010).
    """

    def __init__(self, width: int, head_width: int, heads: int, generator: torch.Generator):
        super().__init__()
        self.heads = heads
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
            (..., n, H·D).

        Raises:
            ShapeError: if x is not (..., n, C), or the adjacency is not (n, n).
            TypeError: if the adjacency is not boolean.
        """
        values, sent, received = self.project(x)
        check_adjacency(adjacency, x)
        scores = functional.leaky_relu(received[..., :, None] + sent[..., None, :], SLOPE)
        return side_by_side(mix(scores, values, adjacency)[0])  # scores (..., H, n, n)

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
        return side_by_side(pass_weighted(values, edges, weights, n))

    def project(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """h (..., H, n, D), and each node's two shares of a score: sent, received (..., H, n)."""
        check_width("x", x, self.values.in_features)
        values = self.values(x).unflatten(-1, (self.heads, -1)).transpose(-3, -2)
        sent, received = (
            (values @ vector[..., None]).squeeze(-1) for vector in (self.source, self.target)
        )
        return values, sent, received
