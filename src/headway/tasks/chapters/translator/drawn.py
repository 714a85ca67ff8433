"""What the cases of several tasks are drawn from: numbers, and sentences of different lengths."""

import numpy as np
import torch


def draw_tensor(rng: np.random.Generator, *shape: int) -> torch.Tensor:
    return torch.from_numpy(np.round(rng.normal(size=shape), 2)).float()


def seen(*lengths: int, width: int) -> torch.Tensor:
    """Sentences of these lengths, padded on the right: bool (B, S)."""
    return torch.arange(width) < torch.tensor(lengths)[:, None]
