"""What the cases of this assignment are drawn with."""

import numpy as np
import torch
from torch import Tensor

from headway.tasks.engine.compare import close

CLOSE = close(atol=1e-4, rtol=1e-4)  # single precision will do
INSIDE = 0.4  # how far from a whole number a weight is, in units of its scale: no half is near


def draw_tensor(rng: np.random.Generator, *shape: int, scale: float = 1.0) -> Tensor:
    """Normal numbers in sixteenths.

    Single precision then holds sums of their products exactly, also where they are large. So no
    exponential hangs on the order of the steps.
    """
    return torch.from_numpy(np.round(16 * scale * rng.normal(size=shape)) / 16).float()


def draw_blocks(
    rng: np.random.Generator, *shape: int, low: int, high: int, largest: int | np.ndarray
) -> tuple[Tensor, Tensor]:
    """Weights (..., K, N) in units of their scale and scales (..., K, 1), which differ much.

    The numbers lie between `low` and `high`, one of each block at `largest`, and no weight lies
    near the middle between two numbers, so that a scale in 16 bits rounds as the exact one does.
    """
    *rows, N = shape
    numbers = rng.integers(low + 1, high, (*rows, N)).astype(float)
    numbers += rng.choice([-1, 1], numbers.shape) * rng.uniform(0.08, INSIDE, numbers.shape)
    np.put_along_axis(numbers, rng.integers(0, N, (*rows, 1)), largest, -1)
    scales = 2.0 ** rng.integers(-3, 2, (*rows, 1)) * rng.uniform(0.4, 0.75, (*rows, 1))
    return torch.from_numpy(numbers), torch.from_numpy(scales)


def draw_shares(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Probabilities (..., V) that differ much."""
    weights = rng.gamma(0.7, size=shape) + 0.05
    return weights / weights.sum(-1, keepdims=True)
