"""Tensors to try attention on."""

import numpy as np
import torch


def tensors(rng: np.random.Generator, *shapes, size=1.0):
    """Float tensors of these shapes, with two decimals."""
    return tuple(
        torch.from_numpy(np.round(rng.normal(size=shape) * size, 2)).float() for shape in shapes
    )
