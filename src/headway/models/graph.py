"""Graphs: nodes send messages along edges, and attention is one way of doing so.

    sum        y[t] = Σ x[s]
    mean       y[t] = Σ x[s] / number of s
    max        y[t] = max x[s], each of the C numbers by itself          over all edges s → t
    weighted   y[t] = Σ w[s → t] x[s]

    x (..., S, C)   →   y (..., T, C)        S nodes that send, T that receive, often the same

A graph is written down in two ways. An *edge list* is an int64 tensor (2, E): row 0 holds the
sources, row 1 the targets, and messages flow from source to target. An *adjacency* is a boolean
tensor (T, S), True where s sends to t: the same as a mask, where query t may look at key s. The
`pass_` functions gather and scatter along E edges. A sum weighted by a dense matrix (T, S) is the
product `weights @ x`.

Each listed edge sends one message, so an edge that is listed twice counts twice, which no
adjacency can say; `distinct_edges` makes one of the two. Edges are directed; `both_ways` adds the
way back. A node that receives nothing gets zeros.

Source: Gilmer et al. 2017, section 2; Battaglia et al. 2018, section 4.2.3, for attention.
"""

import math

import torch
from torch import Tensor

from headway.nn.attention import check_fit
from headway.shapes import ShapeError


def edges_of(adjacency: Tensor) -> Tensor:
    """The edge list (2, E) of an adjacency (T, S), in the order of targets, then sources."""
    check_adjacency(adjacency)
    return adjacency.nonzero().T.flip(0)  # nonzero gives (target, source)


def adjacency_of(edges: Tensor, T: int, S: int | None = None) -> Tensor:
    """The adjacency (T, S) of an edge list (2, E); S is T if not given.

    Raises:
        ShapeError, TypeError, IndexError: if `edges` is no edge list between these nodes.
    """
    S = T if S is None else S
    check_edges(edges, T, S)
    adjacency = torch.zeros(T, S, dtype=torch.bool, device=edges.device)
    adjacency[edges[1], edges[0]] = True
    return adjacency


def distinct_edges(edges: Tensor) -> Tensor:
    """Each edge of (2, E) once, sorted by source and then by target."""
    return edges.unique(dim=1)


def both_ways(edges: Tensor) -> Tensor:
    """Every edge and its way back, each once: an undirected graph as a directed one."""
    return distinct_edges(torch.cat((edges, edges.flip(0)), dim=1))


def with_self_loops(edges: Tensor, nodes: int) -> Tensor:
    """The edges that join two nodes, and then one edge from each node to itself."""
    check_edges(edges, nodes, nodes)
    loops = torch.arange(nodes, device=edges.device).expand(2, -1)
    return torch.cat((edges[:, edges[0] != edges[1]], loops), dim=1)


def pass_sum(x: Tensor, edges: Tensor, T: int | None = None) -> Tensor:
    """Sums of the incoming messages, by gather and scatter.

    Args:
        x: (..., S, C), a row for each node that sends.
        edges: (2, E).
        T: number of nodes that receive; S if not given.

    Returns:
        (..., T, C).

    Raises:
        ShapeError, TypeError, IndexError: if `edges` is no edge list between these nodes.
    """
    T = receivers(x, edges, T)
    return scatter_sum(x.index_select(-2, edges[0]), edges[1], T)


def pass_mean(x: Tensor, edges: Tensor, T: int | None = None) -> Tensor:
    """Means of the incoming messages; arguments as for `pass_sum`."""
    T = receivers(x, edges, T)
    received = edges[1].bincount(minlength=T).clamp(min=1)
    return pass_sum(x, edges, T) / received[:, None]


def pass_max(x: Tensor, edges: Tensor, T: int | None = None) -> Tensor:
    """The largest incoming message, each number by itself; arguments as for `pass_sum`."""
    T = receivers(x, edges, T)
    messages = x.index_select(-2, edges[0])  # (..., E, C)
    targets = edges[1][:, None].expand_as(messages)
    result = x.new_zeros(*x.shape[:-2], T, x.shape[-1])
    return result.scatter_reduce(-2, targets, messages, "amax", include_self=False)


def pass_weighted(x: Tensor, edges: Tensor, weights: Tensor, T: int | None = None) -> Tensor:
    """Sums of the incoming messages, each times the weight of its edge.

    Args:
        x, edges, T: as for `pass_sum`.
        weights: (..., E), one number an edge.

    Returns:
        (..., T, C).
    """
    T = receivers(x, edges, T)
    check_one_an_edge("weights", weights, edges)
    return scatter_sum(x.index_select(-2, edges[0]) * weights[..., None], edges[1], T)


def softmax_over_incoming(scores: Tensor, targets: Tensor, T: int) -> Tensor:
    """Softmax over the edges that end in the same node.

        weight[e] = exp(score[e] − m_t) / Σ exp(score[e'] − m_t)      over all e' that end in t

    with m_t the largest score among them, so that nothing overflows.

    Args:
        scores: (..., E).
        targets: int64 (E,), where each edge ends.
        T: number of nodes that receive.

    Returns:
        (..., E); the weights of the edges into one node sum to one.
    """
    to = targets.expand_as(scores)
    largest = scores.new_zeros(*scores.shape[:-1], T)
    largest = largest.scatter_reduce(-1, to, scores.detach(), "amax", include_self=False)
    powers = (scores - largest.gather(-1, to)).exp()
    totals = torch.zeros_like(largest).index_add(-1, targets, powers)
    return powers / totals.gather(-1, to)


def attend_edges(query: Tensor, key: Tensor, value: Tensor, edges: Tensor) -> tuple[Tensor, Tensor]:
    """Scaled dot-product attention as message passing: a weighted sum over incoming edges.

    Over the complete graph it is `headway.nn.attention.attend`; over fewer edges it is `attend`
    under their adjacency as the mask. It visits E pairs instead of T·S.

    Args:
        query: (..., T, D), of the nodes that receive.
        key: (..., S, D), of the nodes that send.
        value: (..., S, C), the messages.
        edges: (2, E), from sources in 0 … S−1 to targets in 0 … T−1.

    Returns:
        mixed (..., T, C), weights (..., E).

    Raises:
        ShapeError: as `attend`; ShapeError, TypeError, IndexError: if `edges` is no edge list
            between these nodes.
    """
    check_fit(query, key, value, None, None)
    T = receivers(key, edges, query.shape[-2])
    pairs = query.index_select(-2, edges[1]) * key.index_select(-2, edges[0])  # (..., E, D)
    scores = pairs.sum(dim=-1) / math.sqrt(query.shape[-1])
    weights = softmax_over_incoming(scores, edges[1], T)
    return pass_weighted(value, edges, weights, T), weights


def scatter_sum(messages: Tensor, targets: Tensor, T: int) -> Tensor:
    """(..., E, C) added up by target: (..., T, C)."""
    result = messages.new_zeros(*messages.shape[:-2], T, messages.shape[-1])
    return result.index_add(-2, targets, messages)


def receivers(x: Tensor, edges: Tensor, T: int | None) -> int:
    """T, or the number of nodes of x (..., S, C) if it is None; raises as `check_edges`."""
    if x.dim() < 2:
        raise ShapeError(f"x has shape {tuple(x.shape)}, expected (..., S, C): a row for each node")
    S = x.shape[-2]
    T = S if T is None else T
    check_edges(edges, T, S)
    return T


def check_edges(edges: Tensor, T: int, S: int) -> None:
    """Raise unless `edges` lists edges from S nodes to T nodes.

    On CUDA the ids are not read back; a wrong one is a device-side assertion there.
    """
    if edges.dim() != 2 or edges.shape[0] != 2:
        raise ShapeError(
            f"edges have shape {tuple(edges.shape)}, expected (2, E): sources in the first row, "
            "targets in the second. Is it a list of pairs, (E, 2), or an adjacency?"
        )
    if edges.dtype != torch.int64:
        raise TypeError(f"edges hold numbers of nodes, torch.int64; got {edges.dtype}")
    if edges.is_cuda or not edges.shape[1]:
        return
    for row, nodes, what in ((edges[0], S, "sources"), (edges[1], T, "targets")):
        low, high = row.aminmax()
        if low < 0 or high >= nodes:
            raise IndexError(
                f"{what} must be in 0 … {nodes - 1}, got {low} … {high}. Are sources and targets "
                "swapped, or do the nodes count from one?"
            )


def check_adjacency(adjacency: Tensor, x: Tensor | None = None) -> None:
    """Raise unless an adjacency is boolean and (T, S), with S nodes in x (..., S, C)."""
    if adjacency.dtype != torch.bool:
        raise TypeError(
            f"adjacency has type {adjacency.dtype}, expected torch.bool: True where the node of "
            "the column sends to the node of the row. For numbers, multiply: weights @ x."
        )
    S = None if x is None else x.shape[-2]
    if adjacency.dim() != 2 or S not in (None, adjacency.shape[1]):
        beside = "" if x is None else f" beside x {tuple(x.shape)}"
        raise ShapeError(
            f"adjacency has shape {tuple(adjacency.shape)}{beside}, expected (T, S): a row for "
            "each node that receives, a column for each that sends. Is it an edge list?"
        )


def check_one_an_edge(name: str, given: Tensor, edges: Tensor) -> None:
    """Raise ShapeError unless the last dimension of a tensor counts the edges."""
    if given.dim() < 1 or given.shape[-1] != edges.shape[1]:
        raise ShapeError(
            f"{name} {tuple(given.shape)} and edges {tuple(edges.shape)} do not fit; there is "
            f"one number an edge, (..., {edges.shape[1]})"
        )
