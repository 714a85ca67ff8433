"""Positions inside the scores, by turning queries and keys: (R_p q)·(R_s k).

Two layouts of pairs of columns are in use, and `RotaryPosition` knows both by name:

    "halves"         column i with column i + D/2        GPT-NeoX, Hugging Face's Llama
    "interleaved"    column 2i with column 2i + 1        RoFormer, GPT-J, Meta's Llama

The layout is a convention, and `halves_order` leads from one to the other; but a query and its key
must share it.
"""

import torch
from torch import Tensor, nn

from headway.nn.position.rows import rows
from headway.shapes import ShapeError

PAIRS = ("halves", "interleaved")


def halves_order(width: int) -> Tensor:
    """The order of interleaved columns in which they are halves: 0, 2, 4, …, 1, 3, 5, …

    With `halves` and `interleaved`, two rotary positions of the same frequencies,

        halves(x[..., order]) = interleaved(x)[..., order]

    So weights that were trained in one layout serve in the other, once the rows of W_Q and W_K
    that make a head's queries and keys are put into this order.

    Returns:
        (D,) int64, a permutation.

    Raises:
        ShapeError: if the width is odd.
    """
    if width % 2:
        raise ShapeError(f"rotary turns pairs of columns: the width must be even, got {width}")
    return torch.arange(width).view(-1, 2).T.flatten()


class RotaryPosition(nn.Module):
    """Turns queries and keys (never values) by angles that grow with the position.

    (a, b) ↦ (a cos pω_i − b sin pω_i,  b cos pω_i + a sin pω_i)

    for pair i of columns, (x_i, x_(i+D/2)) in halves and (x_2i, x_(2i+1)) interleaved. The product
    of a query turned by p and a key turned by s is that of the two turned by p − s only: the score
    knows the distance and not the place. No parameters, nothing in the state dict. At frequency 0
    nothing turns, and the model has no position.

    Args:
        length: N, the number of positions tabled.
        speeds: ω (D/2,), usually `frequencies(D)`; half of it stretches the context to twice the
            length (position interpolation).
        pairs: which columns make a pair, "halves" or "interleaved".
        amplitude: what the turned vectors are multiplied by, as YaRN does; 1 keeps their length.

    Raises:
        ValueError: if `pairs` is neither of the two.

    Source: Su et al. 2021, eq. 34, interleaved; halves as in GPT-NeoX and Hugging Face's Llama.
    """

    cos: Tensor
    sin: Tensor

    def __init__(self, length: int, speeds: Tensor, pairs: str = "halves", amplitude: float = 1.0):
        if pairs not in PAIRS:
            raise ValueError(f"pairs must be one of {', '.join(PAIRS)}; got {pairs!r}")
        super().__init__()
        self.pairs = pairs
        angles = torch.arange(length, dtype=torch.float64)[:, None] * speeds  # (N, D/2)
        cos, sin = (amplitude * wave.float() for wave in (angles.cos(), angles.sin()))
        self.register_buffer("cos", self.lay_out(cos, cos), persistent=False)  # (N, D)
        self.register_buffer("sin", self.lay_out(-sin, sin), persistent=False)  # (N, D)

    def lay_out(self, first: Tensor, second: Tensor) -> Tensor:
        """Columns (..., D) from the first and the second of each pair, (..., D/2) both."""
        if self.pairs == "halves":
            return torch.cat((first, second), dim=-1)
        return torch.stack((first, second), dim=-1).flatten(-2)

    def partners(self, x: Tensor) -> Tensor:
        """x (..., D) with the two columns of each pair exchanged."""
        if self.pairs == "halves":
            return x.roll(x.shape[-1] // 2, dims=-1)
        return x.unflatten(-1, (-1, 2)).flip(-1).flatten(-2)

    def forward(self, x: Tensor, offset: int = 0) -> Tensor:
        """x (..., T, D), turned; queries and keys go through the same module.

        Raises:
            ShapeError: if D is not twice the number of frequencies, or a position lies beyond
                N − 1.
        """
        cos, sin = rows(self.cos, x, offset), rows(self.sin, x, offset)  # (T, D)
        return torch.addcmul(x * cos.to(x.dtype), self.partners(x), sin.to(x.dtype))


class PartialRotaryPosition(nn.Module):
    """Turns the first R columns of queries and keys; what the others say is the same everywhere.

    Args:
        turn: a `RotaryPosition` of R/2 frequencies.

    Source: Black et al. 2022, section 2.1.1 (GPT-NeoX, which turns a quarter of each head).
    """

    def __init__(self, turn: RotaryPosition):
        super().__init__()
        self.turn = turn

    def forward(self, x: Tensor, offset: int = 0) -> Tensor:
        """x (..., T, D), its first columns turned; errors as in `RotaryPosition`, of R."""
        R = self.turn.cos.shape[-1]
        return torch.cat((self.turn(x[..., :R], offset), x[..., R:]), dim=-1)
