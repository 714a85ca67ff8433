"""Waves of a position: how fast each pair of columns turns, its sines and cosines, and a step.

Sine and cosine of a pair stand side by side, in columns 2i and 2i + 1, as Vaswani et al. print it.
"""

import torch
from torch import Tensor

from headway.shapes import ShapeError


def frequencies(width: int, base: float = 10_000.0) -> Tensor:
    """How fast each pair of columns turns: ω_i = base^(−2i / width), for i in 0 … width/2 − 1.

    Returns:
        (width/2,) float64, falling from 1 radian a position towards 1/base.

    Raises:
        ShapeError: if the width is odd.

    Source: Vaswani et al. 2017, section 3.5.
    """
    if width % 2:
        raise ShapeError(f"sines and cosines come in pairs: the width must be even, got {width}")
    return base ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)


def sinusoids(positions: Tensor, width: int, base: float = 10_000.0) -> Tensor:
    """The sinusoidal encoding of positions, in closed form.

    PE[p, 2i] = sin(p ω_i),  PE[p, 2i + 1] = cos(p ω_i)

    Args:
        positions: (...) of any number type; halves and negative positions are fine.
        width: C, even.

    Returns:
        (..., C) float32, computed in double precision.

    Raises:
        ShapeError: if the width is odd.

    Source: Vaswani et al. 2017, section 3.5.
    """
    speeds = frequencies(width, base).to(positions.device)
    angles = positions.double()[..., None] * speeds  # (..., C/2)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2).float()


def rotation(offset: float, width: int, base: float = 10_000.0) -> Tensor:
    """The matrix that moves the sinusoidal encoding of any position by `offset`.

    PE(p + k) = R_k PE(p): a block of R_k turns the pair (sine, cosine) by the angle k ω_i,

        [ cos kω_i   sin kω_i]
        [−sin kω_i   cos kω_i]

    Returns:
        (C, C) float32, orthogonal; R_j R_k = R_(j+k), and R_0 is the identity.

    Raises:
        ShapeError: if the width is odd.
    """
    angles = offset * frequencies(width, base)
    cos, sin = angles.cos(), angles.sin()
    blocks = torch.stack((cos, sin, -sin, cos), dim=-1).view(-1, 2, 2)  # (C/2, 2, 2)
    return torch.block_diag(*blocks).float()
