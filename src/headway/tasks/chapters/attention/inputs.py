"""Tensors to try attention on."""

import numpy as np
import torch


def far_below(rng: np.random.Generator, query, key, value):
    """Inputs of width 4 whose scores are near −20,000, a few apart, without any rounding."""
    key = torch.full_like(key, -80.0)
    steps = rng.permuted(np.tile(np.arange(key.shape[-2]), (*key.shape[:-2], 1)), axis=-1)
    key[..., 0] += torch.from_numpy(steps) / 64
    return torch.full_like(query, 128.0), key, value


def tensors(rng: np.random.Generator, *shapes, size=1.0):
    """Float tensors of these shapes, with two decimals."""
    return tuple(
        torch.from_numpy(np.round(rng.normal(size=shape) * size, 2)).float() for shape in shapes
    )
