"""Attention: every query takes a weighted mean of the values.

    scores = Q Kᵀ / √D                how well each query matches each key
    weights = softmax(scores)         over the keys; hidden keys get weight zero
    mixed = weights V

    query (..., T, D)   key (..., S, D)   value (..., S, E)   →   mixed (..., T, E)

`attend` computes these three lines one by one and shows the weights; `attend_fused` leaves them
to one kernel, which never stores the weights. Scores need not be dot products: `AdditiveScores`
(Bahdanau et al. 2015) and `MultiplicativeScores` (Luong et al. 2015) are older ways, and `mix`
takes scores of any kind.
"""

import math

import torch
from torch import Tensor, nn
from torch.nn import functional

from headway.nn.masks import causal_mask, combine
from headway.shapes import ShapeError


def attend(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None = None,
    score_bias: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """Scaled dot-product attention.

    softmax(Q Kᵀ / √D) V: each query takes a weighted mean of the values, weighted by how
    well it matches each key (Vaswani et al. 2017, eq. 1).

    Args:
        query: (..., T, D) float tensor.
        key: (..., S, D); D as in `query`.
        value: (..., S, E).
        mask: bool, broadcastable to (..., T, S); True where a query may look. A query that
            may look nowhere gets zeros, not NaN.
        score_bias: float, broadcastable to (..., T, S); added to the scaled scores (relative
            positions enter this way).

    Returns:
        mixed (..., T, E), weights (..., T, S); each row of `weights` sums to one (or to zero
        where nothing is visible).

    Raises:
        ShapeError: if the widths of query and key, the lengths of key and value, or the batches
            differ, or the mask or the bias does not fit the scores; the message names the shapes.
        TypeError: if the mask is not boolean.
    """
    check_fit(query, key, value, mask, score_bias)
    scores = query @ key.mT / math.sqrt(query.shape[-1])  # (..., T, S)
    if score_bias is not None:
        scores = scores + score_bias
    return mix(scores, value, mask)


def mix(scores: Tensor, value: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """The mean of the values under the softmax of the scores.

    Args:
        scores: (..., T, S) float; any number for how well query t matches key s.
        value: (..., S, E).
        mask: bool, broadcastable to (..., T, S); True where a query may look.

    Returns:
        mixed (..., T, E), weights (..., T, S).

    Raises:
        ShapeError: if there is not one score for each value, or the mask does not fit.
        TypeError: if the mask is not boolean.
    """
    if scores.shape[-1] != value.shape[-2]:
        raise ShapeError(
            f"scores {tuple(scores.shape)} and value {tuple(value.shape)} do not fit: the last "
            "dimension of the scores counts the keys, one for each value. Are they transposed?"
        )
    check_mask(mask, scores.shape)
    weights = masked_softmax(scores, mask)
    return weights @ value, weights


def masked_softmax(scores: Tensor, mask: Tensor | None = None) -> Tensor:
    """Softmax over the keys that the mask shows; zero for the others.

    Hidden scores become −∞ before the softmax, so that what is visible shares the whole weight.
    A row with nothing visible is 0/0 there; the second fill makes it zeros.

    Args:
        scores: (..., T, S) float.
        mask: bool, broadcastable to (..., T, S).

    Returns:
        (..., T, S); each row sums to one, or to zero where nothing is visible.
    """
    if mask is None:
        return scores.softmax(dim=-1)
    hidden = ~mask
    return scores.masked_fill(hidden, -torch.inf).softmax(dim=-1).masked_fill(hidden, 0.0)


def attend_fused(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None = None,
    score_bias: Tensor | None = None,
    causal: bool = False,
) -> Tensor:
    """What `attend` mixes, from one kernel that stores no weights.

    Equal to `attend(...)[0]` to rounding, in memory that grows with T + S instead of T·S.

    Args:
        query, key, value, mask, score_bias: as for `attend`.
        causal: hide later keys too, as `causal_mask(T, S)` does; where nothing else is masked
            no mask is made and the kernel skips the hidden half.

    Returns:
        mixed (..., T, E).

    Raises:
        ShapeError, TypeError: as `attend`; also if `causal` has fewer keys than queries.
    """
    check_fit(query, key, value, mask, score_bias)
    T, S = query.shape[-2], key.shape[-2]
    skip = causal and T == S and mask is None and score_bias is None
    if causal and not skip and T > 1:  # a single query, the newest, sees every key
        mask = combine(mask, causal_mask(T, S, query.device))
    if score_bias is not None:
        mask = score_bias if mask is None else score_bias.masked_fill(~mask, -torch.inf)
    return functional.scaled_dot_product_attention(
        query, key, value, attn_mask=mask, is_causal=skip
    )


class AdditiveScores(nn.Module):
    """How well a query matches a key, by a small network (Bahdanau et al. 2015, appendix A.1.2).

        score(q, k) = vᵀ tanh(W q + U k)

    Query and key may have different widths. All T·S sums are stored before the tanh, A numbers
    each: the price that made the dot product win.

    Args:
        query_width, key_width: D_q and D_k.
        hidden: A, the width of the network.
    """

    def __init__(self, query_width: int, key_width: int, hidden: int):
        super().__init__()
        self.query = nn.Linear(query_width, hidden, bias=False)  # W
        self.key = nn.Linear(key_width, hidden, bias=False)  # U
        self.vote = nn.Linear(hidden, 1, bias=False)  # v

    def forward(self, query: Tensor, key: Tensor) -> Tensor:
        """Scores (..., T, S) of query (..., T, D_q) and key (..., S, D_k), ready for `mix`."""
        check_width("query", query, self.query.in_features)
        check_width("key", key, self.key.in_features)
        pairs = self.query(query).unsqueeze(-2) + self.key(key).unsqueeze(-3)  # (..., T, S, A)
        return self.vote(pairs.tanh()).squeeze(-1)


class MultiplicativeScores(nn.Module):
    """How well a query matches a key, by a learned product (Luong et al. 2015, "general").

        score(q, k) = qᵀ W k

    With W = I/√D it is the scaled dot product of `attend`.

    Args:
        query_width, key_width: D_q and D_k.
    """

    def __init__(self, query_width: int, key_width: int):
        super().__init__()
        self.key = nn.Linear(key_width, query_width, bias=False)  # W

    def forward(self, query: Tensor, key: Tensor) -> Tensor:
        """Scores (..., T, S) of query (..., T, D_q) and key (..., S, D_k), ready for `mix`."""
        check_width("query", query, self.key.out_features)
        check_width("key", key, self.key.in_features)
        return query @ self.key(key).mT


def check_width(name: str, given: Tensor, width: int) -> None:
    """Raise ShapeError unless the last dimension of a tensor is `width`."""
    if given.shape[-1] != width:
        raise ShapeError(
            f"{name} has shape {tuple(given.shape)}, expected (..., {width}): the last dimension "
            "is the model's width. Was it transposed, or built for another width?"
        )


def check_fit(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, score_bias: Tensor | None
) -> None:
    """Raise ShapeError or TypeError, as `attend` says, unless these fit together."""
    if query.shape[-1] != key.shape[-1]:
        raise ShapeError(
            f"query {tuple(query.shape)} and key {tuple(key.shape)} differ in width (the last "
            "dimension); a dot product needs equal widths. Is the key transposed already?"
        )
    if key.shape[-2] != value.shape[-2]:
        raise ShapeError(
            f"key {tuple(key.shape)} and value {tuple(value.shape)} differ in length (the last "
            "dimension but one); each key names one value. Do both come from the same source?"
        )
    batch = query.shape[:-2]
    if not batch == key.shape[:-2] == value.shape[:-2]:
        try:
            batch = torch.broadcast_shapes(batch, key.shape[:-2], value.shape[:-2])
        except RuntimeError as error:
            raise ShapeError(
                f"query {tuple(query.shape)}, key {tuple(key.shape)} and value "
                f"{tuple(value.shape)} differ in batch or heads (all but the last two dimensions). "
                "Do they come from the same batch?"
            ) from error
    scores = (*batch, query.shape[-2], key.shape[-2])
    check_mask(mask, scores)
    if score_bias is not None:
        check_broadcast("score_bias", score_bias, scores)


def check_mask(mask: Tensor | None, scores: tuple[int, ...]) -> None:
    """Raise unless a mask is boolean and fits scores of this shape."""
    if mask is None:
        return
    if mask.dtype != torch.bool:
        raise TypeError(
            f"mask has type {mask.dtype}, expected torch.bool: True where a query may look. "
            "Numbers to add to the scores are a score_bias."
        )
    check_broadcast("mask", mask, scores)


def check_broadcast(name: str, given: Tensor, scores: tuple[int, ...]) -> None:
    """Raise ShapeError unless a tensor broadcasts to the shape of the scores."""
    pairs = zip(reversed(given.shape), reversed(scores), strict=False)
    if given.dim() > len(scores) or any(size not in (1, full) for size, full in pairs):
        advice = {
            (2, 3): " A (B, S) padding mask needs one more dimension: mask[:, None, :].",
            (2, 4): " A (B, S) padding mask needs two more dimensions: mask[:, None, None, :].",
            (3, 4): " A (B, T, S) mask needs a dimension for the heads: mask[:, None].",
        }.get((given.dim(), len(scores)), "")
        raise ShapeError(
            f"{name} {tuple(given.shape)} does not broadcast to the scores, {tuple(scores)}: "
            f"(..., queries, keys).{advice}"
        )
