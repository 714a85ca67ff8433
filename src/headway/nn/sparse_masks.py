"""Sparse patterns for long sequences: masks under which a query sees few keys, wherever they are.

    block      p and s stand in the same block of positions
    strided    p − s is a multiple of the stride
    dilated    the same, and at most `reach` strides away
    global     p or s is one of a few tokens that see all and are seen by all

p = S − T + t is the position of query t, as in `headway.nn.masks`; masks are (T, S), bool, True
where a query may look, and look both ways: `combine(causal_mask(T), …)` takes the future away,
and `|` joins patterns. Every query sees its own position, but under `global_mask`, where only the
chosen tokens do. Over a pattern with k keys a query, two layers reach k² keys and more.

A mask alone saves no work: the kernels compute all T·S scores and hide some. The work is saved by
visiting the pairs alone, as `headway.models.graph.attend_edges` does.

Source: Child et al. 2019 (strided); Beltagy et al. 2020 (dilated, global); Zaheer et al. 2020.
"""

import torch
from torch import Tensor

from headway.shapes import ShapeError

Device = torch.device | str | None


def block_mask(block: int, T: int, S: int | None = None, device: Device = None) -> Tensor:
    """Each query sees the positions of its own block, itself included.

    mask[t, s] = ⌊p / block⌋ = ⌊s / block⌋

    Args:
        block: positions in a block, at least 1; the last one may be shorter.
        T: number of queries, the last T of the S positions.
        S: number of keys; T if not given.
        device: where the mask is made.

    Returns:
        (T, S) bool.

    Raises:
        ShapeError: if there are fewer keys than queries.
        ValueError: if a block has no position.
    """
    check_positive("block", block)
    query, key = positions(T, S, device)
    return query // block == key // block


def strided_mask(stride: int, T: int, S: int | None = None, device: Device = None) -> Tensor:
    """Each query sees every `stride`-th position before and after it, itself included.

    mask[t, s] = stride divides p − s

    Arguments, result and errors as for `block_mask`.
    """
    check_positive("stride", stride)
    query, key = positions(T, S, device)
    return (query - key) % stride == 0


def dilated_mask(
    reach: int, stride: int, T: int, S: int | None = None, device: Device = None
) -> Tensor:
    """A window with gaps: `reach` positions on each side, `stride` apart, and the query's own.

    mask[t, s] = stride divides p − s  and  −reach · stride ≤ p − s ≤ reach · stride

    With stride 1 it is a plain window on both sides.

    Args:
        reach: how many positions on each side, at least 0.
        stride: from one to the next, at least 1.
        T, S, device: as for `block_mask`.

    Returns:
        (T, S) bool.

    Raises:
        ShapeError, ValueError: as `block_mask`.
    """
    if reach < 0:
        raise ValueError(f"reach counts positions on each side, 0 or more; got {reach}")
    query, key = positions(T, S, device)
    return strided_mask(stride, T, S, device) & ((query - key).abs() <= reach * stride)


def global_mask(tokens: Tensor, T: int, S: int | None = None) -> Tensor:
    """A few tokens see everyone and are seen by everyone; the others see only them.

    mask[t, s] = p ∈ tokens  or  s ∈ tokens

    Args:
        tokens: int64 (K,), positions in 0 … S−1.
        T, S: as for `block_mask`.

    Returns:
        (T, S) bool, on the device of `tokens`.

    Raises:
        ShapeError: if there are fewer keys than queries, or tokens are not (K,).
        IndexError: if a token is not a position.
    """
    query, key = positions(T, S, tokens.device)
    S = key.shape[1]
    if tokens.dim() != 1:
        raise ShapeError(f"tokens must have shape (K,), got {tuple(tokens.shape)}")
    outside = tokens[(tokens < 0) | (tokens >= S)]
    if len(outside):
        raise IndexError(f"tokens must be positions in 0 … {S - 1}, got {outside[0]}")
    chosen = torch.zeros(S, dtype=torch.bool, device=tokens.device)
    chosen[tokens] = True
    return chosen[query] | chosen[key]


def positions(T: int, S: int | None, device: Device) -> tuple[Tensor, Tensor]:
    """Positions of the queries, (T, 1), and of the keys, (1, S)."""
    S = T if S is None else S
    if S < T:
        raise ShapeError(
            f"a mask of shape (T, S) = ({T}, {S}) has fewer keys than queries; the queries are the "
            "last T of the S positions. Were T and S swapped?"
        )
    key = torch.arange(S, device=device)
    return key[S - T :, None], key[None]


def check_positive(name: str, given: int) -> None:
    """Raise ValueError unless a number of positions is at least 1."""
    if given < 1:
        raise ValueError(f"{name} must be at least 1 position, got {given}")
