"""What the cases of this assignment are drawn with, and attention with parts that can be wrong."""

import math

import numpy as np
import torch

from headway.tasks.engine.compare import close

CLOSE = close(atol=1e-4, rtol=1e-4)  # single precision will do


def alike(got, expected, case=None):
    """Whether an answer makes a known mistake: NaN, a plain softmax over nothing, is `look`'s 0."""
    return CLOSE(_without_nan(got), _without_nan(expected), case)


def _without_nan(value):
    if isinstance(value, list):
        return [_without_nan(part) for part in value]
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        return np.where(np.isnan(value), 0.0, value)
    return value


def draw_tensor(rng: np.random.Generator, *shape: int, scale: float = 1.0) -> torch.Tensor:
    return torch.from_numpy(np.round(scale * rng.normal(size=shape), 2)).float()


def look(query, key, value, mask=None, scale=None, axis=-1):
    """Mixed (…, T, E); a query that may look nowhere gets zeros."""
    scores = query @ key.mT / (math.sqrt(query.shape[-1]) if scale is None else scale)
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    return scores.softmax(axis).nan_to_num(0.0) @ value


def past(T: int, S: int, diagonal: int | None = None) -> torch.Tensor:
    """What the newest T of S tokens see, bool (T, S); `diagonal` is the first one's newest key."""
    return torch.ones(T, S, dtype=torch.bool).tril(S - T if diagonal is None else diagonal)
