"""Positions that are added to the embeddings: x + P[p], with a table P that is fixed or trained."""

import torch
from torch import Tensor, nn

from headway.nn.position.interface import EmbeddingPosition
from headway.nn.position.rows import rows
from headway.nn.position.waves import sinusoids


class AddedPosition(EmbeddingPosition):
    """What the schemes with one vector a position share: a `table` (N, C), and adding its rows."""

    table: Tensor

    def forward(self, x: Tensor, offset: int | Tensor = 0, past: Tensor | None = None) -> Tensor:
        """x (B, T, C) + table[offset … offset + T − 1], which is (T, C), whatever the past was.

        Padding on the left, at positions below zero, takes row 0.

        Raises:
            ShapeError: if C differs from the table's, or a position lies beyond N − 1.
            IndexError: the latter, where each sentence has its own offset.
        """
        if isinstance(offset, Tensor):
            places = offset[:, None] + torch.arange(x.shape[1], device=x.device)  # (B, T)
            return x + self.table[places.clamp(min=0)]
        return x + rows(self.table, x, offset)


class SinusoidalPosition(AddedPosition):
    """Adds the fixed sinusoidal encoding: no parameters, nothing in the state dict.

    Args:
        length: N, the number of positions tabled; a larger one costs memory, never a parameter.
        width: C, even.
    """

    def __init__(self, length: int, width: int):
        super().__init__()
        self.register_buffer("table", sinusoids(torch.arange(length), width), persistent=False)


class LearnedPosition(AddedPosition):
    """Adds one trained vector for each position: N × C parameters, and none beyond N.

    Args:
        length: N, the longest text that can be read.
        width: C.
        generator: draws the start, N(0, 0.02²) as in GPT and BERT.

    Source: Gehring et al. 2017, section 3.1; Radford et al. 2018.
    """

    def __init__(self, length: int, width: int, generator: torch.Generator):
        super().__init__()
        self.table = nn.Parameter(0.02 * torch.randn(length, width, generator=generator))


class HybridPosition(AddedPosition):
    """Adds trained vectors that start as the sinusoids: N × C parameters, order known at once.

    Args:
        length: N, the longest text that can be read.
        width: C, even.
    """

    def __init__(self, length: int, width: int):
        super().__init__()
        self.table = nn.Parameter(sinusoids(torch.arange(length), width))
