"""Norms: the numbers of one token, moved and scaled to a size that the next layer expects.

    layer norm   (x − mean) / √(variance + eps) · weight + bias     Ba, Kiros and Hinton 2016
    RMS norm      x / √(mean of squares + eps) · weight             Zhang and Sennrich 2019

Both look at the C numbers of one token only, so other tokens and other sentences of the batch
never matter; both are the same for x and 10 x. RMS norm leaves the mean where it is: half the
parameters, and one pass less over the numbers. Where the mean is zero the two are equal.

These are the explicit forms of `torch.nn.LayerNorm` and `torch.nn.RMSNorm`, with their names;
models use torch's, which do it in one kernel.
"""

import torch
from torch import Tensor, nn

from headway.nn.attention import check_width


class LayerNorm(nn.Module):
    """Each token's numbers moved to mean 0 and variance 1, then to a learned gain and shift.

        (x − mean) / √(variance + eps) · weight + bias

    Mean and variance are over the C numbers of one token; the variance is divided by C.

    Args:
        width: C.
        eps: keeps the root away from zero.

    Raises:
        ShapeError: when called with another width.
    """

    def __init__(self, width: int, eps: float = 1e-5):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.bias = nn.Parameter(torch.zeros(width))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        """(..., C) → (..., C)."""
        check_width("x", x, len(self.weight))
        centered = x - x.mean(dim=-1, keepdim=True)
        variance = centered.square().mean(dim=-1, keepdim=True)  # divided by C, not C − 1
        return centered / (variance + self.eps).sqrt() * self.weight + self.bias


class RMSNorm(nn.Module):
    """Each token's numbers scaled to a mean square of 1, then by a learned gain.

        x / √(mean of squares + eps) · weight

    Args:
        width: C.
        eps: keeps the root away from zero; Llama has 1e-5, Qwen 1e-6.

    Raises:
        ShapeError: when called with another width.

    Source: Zhang and Sennrich 2019, eq. 4.
    """

    def __init__(self, width: int, eps: float = 1e-5):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        """(..., C) → (..., C)."""
        check_width("x", x, len(self.weight))
        mean_square = x.square().mean(dim=-1, keepdim=True)
        return x / (mean_square + self.eps).sqrt() * self.weight
