"""What answers of several chapters are made of."""

import torch
from torch import nn


class Says(nn.Module):
    """In the place of a layer: says what it was given, whatever comes in."""

    def __init__(self, said):
        super().__init__()
        self.said = said

    def forward(self, x):
        return self.said


def masked_early(query, key, value, mask):
    """Chapter 8, −∞ before the softmax."""
    scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(dim=-1)
    return weights @ value, weights
