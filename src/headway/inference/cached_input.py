"""The way into a model for new tokens only: positions go on, and what they look back at is kept."""

import torch
from torch import Tensor

from headway.models.parts import InputLayer


class CachedInput:
    """An `InputLayer` that is given the embeddings of a text piece by piece.

    A convolution mixes embeddings of earlier tokens into a new one; the last few of them are kept
    for it. For positions that look at no other token nothing is kept.

    Args:
        layer: the model's.
        batch: B.
        like: (..., C), a tensor with the width, the device and the type of the embeddings.
    """

    def __init__(self, layer: InputLayer, batch: int, like: Tensor):
        self.layer = layer
        self.past = like.new_zeros(batch, 0, like.shape[-1]) if layer.lookback else None

    def __call__(self, x: Tensor, offset: int | Tensor) -> Tensor:
        """(B, T, C) → (B, T, C); x comes after all that was given before, `offset` is its place."""
        y = self.layer(x, offset, self.past)
        if self.past is not None:
            self.past = torch.cat((self.past, x), dim=1)[:, -self.layer.lookback :]
        return y

    def select(self, rows: Tensor) -> None:
        """Go on with these texts of the batch, (R,) int64, reordered, repeated or dropped."""
        if self.past is not None:
            self.past = self.past[rows]
