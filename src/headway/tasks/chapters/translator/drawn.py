"""What the cases of several tasks are drawn from, and how what comes out is compared with ideas."""

import numpy as np
import torch


def draw_tensor(rng: np.random.Generator, *shape: int) -> torch.Tensor:
    return torch.from_numpy(np.round(rng.normal(size=shape), 2)).float()


def visible(*lengths: int, width: int) -> torch.Tensor:
    """Sentences of these lengths, padded on the right: bool (B, S)."""
    return torch.arange(width) < torch.tensor(lengths)[:, None]


def near(got, *ideas) -> bool:
    """Whether numbers are, up to rounding, what one of several ideas makes of the same case."""
    got = np.asarray(got, dtype=float)
    ideas = [np.asarray(idea, dtype=float) for idea in ideas]
    return any(
        got.shape == idea.shape and np.allclose(got, idea, rtol=1e-3, atol=1e-4, equal_nan=True)
        for idea in ideas
    )
