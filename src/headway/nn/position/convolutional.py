"""Positions that a mixture of neighbors shows: x + conv(x)."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from headway.nn.position.interface import EmbeddingPosition
from headway.shapes import ShapeError


class ConvolutionalPosition(EmbeddingPosition):
    """Adds to each word a mixture of itself and the K − 1 words before it, column by column.

    y[t] = x[t] + bias + Σ_j weight[:, j] ⊙ x[t − j],  j in 0 … K − 1, and x = 0 before the text

    Order shows because each distance j has its own weights; the zeros before the text mark its
    start. C × (K + 1) parameters, whatever the length. The convolution is causal, so that it
    serves decoders, and padding *after* a text changes nothing in it.

    Args:
        width: C.
        size: K, the number of words in a window.
        generator: draws the weights, uniform in ±1/√K; the bias starts at zero.

    Source: after the conditional encoding of Chu et al. 2021, made causal.
    """

    def __init__(self, width: int, size: int, generator: torch.Generator):
        super().__init__()
        uniform = 2 * torch.rand(width, size, generator=generator) - 1
        self.weight = nn.Parameter(uniform / size**0.5)
        self.bias = nn.Parameter(torch.zeros(width))
        self.lookback = size - 1

    def forward(self, x: Tensor, offset: int | Tensor = 0, past: Tensor | None = None) -> Tensor:
        """(B, T, C) from x (B, T, C) and the K − 1 embeddings before it, wherever the text stands.

        Raises:
            ShapeError: if C is not the module's width.
        """
        width, size = self.weight.shape
        if x.shape[-1] != width:
            raise ShapeError(
                f"x {tuple(x.shape)} needs {width} columns, one for each row of weights"
            )
        if not x.shape[1]:
            return x  # `conv1d` wants a word at least
        seen = x if past is None else torch.cat((past, x), dim=1)
        missing = x.shape[1] + size - 1 - seen.shape[1]  # if below zero, `pad` crops the past
        seen = functional.pad(seen, (0, 0, missing, 0)).mT  # (B, C, T + K − 1)
        filters = self.weight.flip(1)[:, None]  # (C, 1, K), the oldest word first
        mixed = functional.conv1d(seen, filters, self.bias, groups=width)  # (B, C, T)
        return x + mixed.mT
