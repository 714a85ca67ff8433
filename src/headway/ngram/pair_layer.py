"""Features of several words at once, made by one layer whose weights are set by hand.

Feature f is a group of inputs, the earlier word and the latest one, say. The layer adds up the
group, and its bias takes away so much that only the whole group gets above zero:

    features = ReLU(x W + b),   W[i, f] = 1 for i in group f, else 0,   b[f] = 1 − size of group f

Shapes: x (..., C), W (C, F), b (F,), features (..., F). Inputs between 0 and 1 may be weights of a
mask: a pair whose latest word is fully there comes out as the weight of its earlier word. (Weights
by hand: B. Rohrer, "Transformers from Scratch", 2021.)
"""

from collections.abc import Sequence

import numpy as np

from headway.text.vocabulary import check_ids, one_hot


def group_layer(groups: Sequence[Sequence[int]], size: int) -> tuple[np.ndarray, np.ndarray]:
    """Weights and bias of a layer with one output for each group of inputs.

    Args:
        groups: F groups of input numbers, each in 0 … C−1; no group names an input twice.
        size: C, the number of inputs.

    Returns:
        W float64 (C, F), b float64 (F,).

    Raises:
        IndexError: if an input is not in 0 … C−1.
        ValueError: if a group is empty or names an input twice.
    """
    weights = np.zeros((size, len(groups)))
    for f, group in enumerate(groups):
        places = check_ids(group, size)
        if len(places) == 0 or len(np.unique(places)) < len(places):
            raise ValueError(
                f"group {f} must name one input or more, each once, got {list(group)}; "
                "an input named twice counts twice in the bias and once in the sum"
            )
        weights[places, f] = 1.0
    return weights, 1.0 - weights.sum(axis=0)


def pair_layer(pairs: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    """The layer for pairs (earlier word, latest word); its inputs are those of `word_inputs`.

    Args:
        pairs: int (F, 2), each id in 0 … V−1, as `SkipBigrams.pairs`.
        size: V.

    Returns:
        W float64 (2V, F), b float64 (F,).
    """
    return group_layer(check_ids(pairs, size) + np.array([0, size]), 2 * size)


def word_inputs(prefix: Sequence[int], size: int) -> np.ndarray:
    """Which words stood earlier, and which word is the latest: float64 (2V,) of zeros and ones.

    The first V places are for the words before the latest one, the last V for the latest. In
    one vector of V places, nobody could tell which of the words came last.

    Raises:
        IndexError: if an id is not in 0 … V−1.
        ValueError: if the prefix is empty.
    """
    prefix = check_ids(prefix, size)
    if len(prefix) == 0:
        raise ValueError("a prefix needs a latest word, got none")
    earlier = np.zeros(size)
    earlier[prefix[:-1]] = 1.0
    return np.concatenate([earlier, one_hot(prefix[-1], size)])


def relu(x: np.ndarray) -> np.ndarray:
    """max(x, 0), number by number; same shape."""
    return np.maximum(x, 0.0)


def make_features(x: np.ndarray, weights: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """ReLU(x W + b): (..., C) → (..., F)."""
    return relu(x @ weights + bias)
