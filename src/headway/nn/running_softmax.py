"""Attention in blocks of keys, which never holds all the scores: a softmax that is added to.

A softmax needs its largest score and its sum before it can divide. Both can run along. What N keys
give is kept as three numbers a query,

    largest = maxₛ score[s]     total = Σₛ exp(score[s] − largest)     mixed = Σₛ exp(…) value[s]

and two such results, of different keys, make the one of both, which only has to bring them to the
larger of the two maxima:

    largest = max(a.largest, b.largest)
    total   = a.total · exp(a.largest − largest) + b.total · exp(b.largest − largest)

and `mixed` like `total`. The attention of all the keys is mixed / total at the end. In any order
and any grouping it is the same to rounding, so the keys may come in blocks, from two caches, or
from two machines. The scores of one block are held at a time: T·N numbers instead of T·S.

`headway.nn.attention.attend_fused` is such a kernel, in the processor's fast memory. It also cuts
the queries into blocks, and computes the scores a second time for the gradient, where this module
lets torch keep them.

Source: Milakov and Gimelshein 2018, "Online normalizer calculation for softmax", algorithm 3;
Dao et al. 2022, FlashAttention, section 3.1.
"""

import math
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from headway.nn.attention import check_fit


class Partial(NamedTuple):
    """What the queries found among some of the keys.

    - largest: (..., T, 1), the largest score; −∞ where nothing was visible.
    - total: (..., T, 1), the sum of exp(score − largest).
    - mixed: (..., T, E), the values, weighted by the same.
    """

    largest: Tensor
    total: Tensor
    mixed: Tensor

    def merge(self, other: "Partial") -> "Partial":
        """What they found among the keys of both."""
        largest = torch.maximum(self.largest, other.largest)
        mine, theirs = (decay(part.largest, largest) for part in (self, other))
        return Partial(
            largest,
            mine * self.total + theirs * other.total,
            mine * self.mixed + theirs * other.mixed,
        )

    def attention(self) -> Tensor:
        """The mean of the values, (..., T, E); zeros for a query that saw nothing."""
        return self.mixed / torch.where(self.total == 0, 1.0, self.total)


def look(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None = None,
    score_bias: Tensor | None = None,
) -> Partial:
    """What the queries find among these keys.

    Arguments and errors as for `headway.nn.attention.attend`.
    """
    check_fit(query, key, value, mask, score_bias)
    scores = query @ key.mT / math.sqrt(query.shape[-1])  # (..., T, N)
    if score_bias is not None:
        scores = scores + score_bias
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    # Whatever is taken off cancels in the end, so no gradient has to go through it.
    largest = scores.detach().amax(dim=-1, keepdim=True)
    weights = decay(scores, largest)
    return Partial(largest, weights.sum(dim=-1, keepdim=True), weights @ value)


def attend_in_blocks(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    block: int,
    mask: Tensor | None = None,
    score_bias: Tensor | None = None,
) -> Tensor:
    """What `headway.nn.attention.attend` mixes, from a block of keys at a time.

    Args:
        query: (..., T, D) float tensor.
        key: (..., S, D).
        value: (..., S, E).
        block: N, how many keys are looked at together; the last block may be shorter.
        mask, score_bias: as for `attend`.

    Returns:
        mixed (..., T, E); equal to `attend(...)[0]` to rounding for every N.

    Raises:
        ShapeError, TypeError: as `attend`.
        ValueError: if there is no key, or the block is below 1.
    """
    check_fit(query, key, value, mask, score_bias)
    S = key.shape[-2]
    if block < 1 or S < 1:
        raise ValueError(f"a block holds 1 key or more, of 1 or more; got {block} of {S} keys")
    mask, score_bias = along(mask, S), along(score_bias, S)
    found = None
    for start in range(0, S, block):
        keys = slice(start, start + block)
        part = look(
            query,
            key[..., keys, :],
            value[..., keys, :],
            None if mask is None else mask[..., keys],
            None if score_bias is None else score_bias[..., keys],
        )
        found = part if found is None else found.merge(part)
    assert found is not None  # S is 1 at least
    return found.attention()


class LargestArray(TorchDispatchMode):
    """Counts, while it is entered, the numbers in the largest array that torch makes.

    Views of an array that is there already count as nothing.

    ::

        with LargestArray() as made:
            attend(query, key, value)
        made.numbers                        # T·S of each head
    """

    def __init__(self):
        super().__init__()
        self.numbers = 0

    def __torch_dispatch__(
        self, function: Any, types: Any, given: Any = (), named: dict[str, Any] | None = None
    ) -> Any:
        made = function(*given, **(named or {}))
        if isinstance(made, Tensor):
            there = [x.untyped_storage().data_ptr() for x in given if isinstance(x, Tensor)]
            if made.untyped_storage().data_ptr() not in there:
                self.numbers = max(self.numbers, made.numel())
        return made


def decay(scores: Tensor, largest: Tensor) -> Tensor:
    """exp(score − largest); zero where the score is −∞, whatever the largest is."""
    return (scores - torch.where(largest == -torch.inf, 0.0, largest)).exp()


def along(given: Tensor | None, S: int) -> Tensor | None:
    """A mask or a bias with all S keys in its last dimension, without a copy."""
    return None if given is None else given.expand(*given.shape[:-1], S)
