"""Masks: which query may look at which key.

A mask is a boolean tensor, `True` where a query may attend. Its shape is, or broadcasts to,
(B, 1, T, S): batch, heads, queries, keys. Masks combine with the operators of logic: `a & b`
lets through what both let through, `a | b` what either does.

Queries stand at the end of the keys: with T queries and S ≥ T keys, query t has position
S − T + t. So the same mask serves a whole sentence (T = S) and the steps of cached decoding,
where T new tokens look back at S tokens, themselves included.
"""

from functools import reduce
from operator import and_

import torch
from torch import Tensor

from headway.shapes import ShapeError


def causal_mask(T: int, S: int | None = None, device: torch.device | str | None = None) -> Tensor:
    """Each query sees its own position and what came before.

    mask[t, s] = s ≤ S − T + t

    Args:
        T: number of queries.
        S: number of keys; T if not given.
        device: where the mask is made.

    Returns:
        (T, S) bool; lower triangular, with its diagonal in the bottom right corner.

    Raises:
        ShapeError: if there are fewer keys than queries.
    """
    S = T if S is None else S
    if S < T:
        raise ShapeError(
            f"a causal mask of shape (T, S) = ({T}, {S}) has fewer keys than queries; the queries "
            "are the last T of the S positions. Were T and S swapped, or is this cross-attention, "
            "which needs no causal mask?"
        )
    return torch.ones(T, S, dtype=torch.bool, device=device).tril(S - T)


def window_mask(
    window: int, T: int, S: int | None = None, device: torch.device | str | None = None
) -> Tensor:
    """Each query sees the newest `window` positions up to its own (sliding window, causal).

    mask[t, s] = p − window < s ≤ p, where p = S − T + t

    Args:
        window: how many positions a query sees, its own included; at least 1.
        T, S, device: as for `causal_mask`.

    Returns:
        (T, S) bool; a band of width `window` below and on the diagonal.

    Raises:
        ValueError: if `window` is below 1.
        ShapeError: if there are fewer keys than queries.
    """
    if window < 1:
        raise ValueError(f"window must be at least 1 (the query's own position), got {window}")
    return causal_mask(T, S, device).triu((T if S is None else S) - T - window + 1)


def padding_mask(lengths: Tensor, S: int) -> Tensor:
    """The keys that are tokens and not padding, for sentences padded on the right.

    mask[b, 0, 0, s] = s < lengths[b]

    Args:
        lengths: (B,) int; the number of tokens in each sentence.
        S: the padded length.

    Returns:
        (B, 1, 1, S) bool, on the device of `lengths`; all heads and queries share it.

    Raises:
        ShapeError: if `lengths` is not one number for each sentence.
        ValueError: if a length is not in 0 … S.
    """
    if lengths.dim() != 1:
        raise ShapeError(
            f"lengths must have shape (B,), got {tuple(lengths.shape)} for S = {S}. "
            "For a batch of token ids use token_mask."
        )
    outside = lengths[(lengths < 0) | (lengths > S)]
    if len(outside):
        raise ValueError(f"lengths must be in 0 … {S}, got {outside[0]}")
    positions = torch.arange(S, device=lengths.device)
    return (positions < lengths[:, None])[:, None, None, :]  # (B, S) → (B, 1, 1, S)


def token_mask(ids: Tensor, padding: int) -> Tensor:
    """The keys that are tokens and not padding, wherever the padding stands.

    mask[b, 0, 0, s] = ids[b, s] ≠ padding

    Args:
        ids: (B, S) int token ids.
        padding: the id of the padding symbol.

    Returns:
        (B, 1, 1, S) bool; all heads and queries share it.

    Raises:
        ShapeError: if `ids` is not (B, S).
    """
    if ids.dim() != 2:
        raise ShapeError(
            f"ids must have shape (B, S), got {tuple(ids.shape)}. Is the batch dimension missing?"
        )
    return (ids != padding)[:, None, None, :]  # (B, S) → (B, 1, 1, S)


def combine(*masks: Tensor | None) -> Tensor | None:
    """What all of the masks let through; `None` stands for a mask that hides nothing.

    Args:
        masks: bool tensors that broadcast together, or None.

    Returns:
        bool tensor of the broadcast shape; None if nothing but None is given.

    Raises:
        ShapeError: if two of the masks do not broadcast together.
    """
    given = [mask for mask in masks if mask is not None]
    try:
        return reduce(and_, given) if given else None
    except RuntimeError as error:
        shapes = " and ".join(str(tuple(mask.shape)) for mask in given)
        raise ShapeError(
            f"masks of shapes {shapes} do not combine; each must broadcast to (B, 1, T, S). "
            "A (B, S) padding mask needs two more dimensions: mask[:, None, None, :]."
        ) from error
