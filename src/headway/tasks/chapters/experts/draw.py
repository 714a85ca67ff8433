"""What the cases of this assignment are drawn with."""

import numpy as np
import torch

from headway.tasks.engine.compare import close

CLOSE = close(atol=1e-4, rtol=1e-4)  # single precision will do
APART = 0.3  # between two scores of a token


def draw_tensor(rng: np.random.Generator, *shape: int, scale: float = 1.0) -> torch.Tensor:
    return torch.from_numpy(np.round(scale * rng.normal(size=shape), 2)).float()


def draw_scores(rng: np.random.Generator, *shape: int) -> torch.Tensor:
    """Scores (..., E), of which no two of a token are near each other, whatever is drawn."""
    places = np.argsort(rng.random(shape), axis=-1)
    shift = np.round(rng.normal(size=(*shape[:-1], 1)), 2)
    return torch.from_numpy(0.6 * (places - shape[-1] / 2) + shift).float()


def draw_words(rng: np.random.Generator, B: int, T: int, padded: bool) -> torch.Tensor:
    """Which places (B, T) are words; `padded`: some are not, in each text another number."""
    words = np.ones((B, T), dtype=bool)
    for b in range(B if padded else 0):
        words[b, T - 1 - (b + int(rng.integers(2))) % (T - 1) :] = False
    return torch.from_numpy(words)


def apart(scores: torch.Tensor) -> bool:
    """Whether no two scores of a token are near each other: rounding shall not choose."""
    ordered = scores.sort(-1).values
    return bool((ordered.diff(dim=-1) > APART / 6).all())


def chosen_by(scores: torch.Tensor, k: int) -> torch.Tensor:
    """The experts (..., k) with the largest scores (..., E)."""
    return scores.topk(k, dim=-1).indices


def right_at_words(mine: np.ndarray, right: np.ndarray, words) -> bool:
    """Whether results (B, T, C) are right at the words (B, T), and there is padding."""
    at = np.asarray(words)
    return not at.all() and mine.shape == right.shape and CLOSE(mine[at], right[at]) is None
