"""The way into the heads and the way out of them, and random numbers to take it with."""

import numpy as np
import torch


def draw(rng: np.random.Generator, *shape: int) -> torch.Tensor:
    """Normal numbers as a float32 tensor."""
    return torch.from_numpy(rng.normal(size=shape).astype(np.float32))


def into_heads(x, heads):
    """(B, T, C) → (B, H, T, D)."""
    B, T, C = x.shape
    return x.reshape(B, T, heads, C // heads).transpose(1, 2)


def out_of_heads(x):
    """(B, H, T, D) → (B, T, C)."""
    return x.transpose(1, 2).flatten(2)
