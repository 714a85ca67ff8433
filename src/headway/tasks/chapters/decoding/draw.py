"""What the cases of this assignment are drawn with."""

import numpy as np

CLEAR = 1e-4  # how far a random number must be from where the choice changes


def draw_weights(rng: np.random.Generator, B: int, V: int) -> np.ndarray:
    """Weights (B, V), no two of a row alike, the likely ones anywhere."""
    ratio = rng.uniform(0.6, 0.82, (B, 1))
    falling = 40 * ratio ** np.arange(V) * rng.uniform(0.95, 1.05, (B, V))
    return np.round(rng.permuted(falling, axis=1), 2)


def draw_logits(rng: np.random.Generator, *shape: int, scale: float = 1.5) -> np.ndarray:
    return np.round(scale * rng.normal(size=shape), 2)


def log_softmax(x: np.ndarray) -> np.ndarray:
    x = x - x.max(axis=-1, keepdims=True)
    return x - np.log(np.exp(x).sum(axis=-1, keepdims=True))


def softmax(x: np.ndarray) -> np.ndarray:
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)
