"""The models of the course in the browser: their weights as data, and the scripts that run them.

    pack(config, weights)     a model as JSON: its sizes, and its numbers in half precision
    tensors.js                weights out of that packing, and what layers do to rows of numbers
    attention.js              multi-head attention
    transformer.js            a translator and a language model, with their caches, a masked model
    search.js                 greedy decoding and beam search
    sampling.js               temperature, top-k and top-p, and draws from what they leave

A number in half precision has 11 binary digits, three decimal ones, and takes two bytes; written
in base 64, which a script can hold, 2⅔. The scripts give torch's logits for the same rounded
weights to 0.001, and its sentences (tests/figures/test_engine.py).
"""

import base64
from collections.abc import Mapping

import numpy as np

HALF = np.dtype("<f2")


def pack(config: Mapping[str, object], weights: Mapping[str, np.ndarray]) -> dict:
    """A model as the scripts read it.

    Args:
        config: sizes and conventions, `dataclasses.asdict(model.config)`.
        weights: by the names of the model's state dict, arrays of any float type; a weight with
            two names is stored with both.

    Returns:
        {"config", "tensors": [[name, shape], …], "data": base 64}, which JSON can hold.

    Raises:
        ValueError: if a number is none that half precision has: nan, infinite or beyond 65,504.
    """
    halves = {}
    for name, array in weights.items():
        with np.errstate(over="ignore"):
            halves[name] = np.asarray(array).astype(HALF)
        if not np.isfinite(halves[name]).all():
            raise ValueError(
                f"{name} holds numbers that half precision has not: the largest is 65,504, and "
                "there is no nan. Did the training diverge?"
            )
    numbers = b"".join(half.tobytes() for half in halves.values())
    return {
        "config": dict(config),
        "tensors": [[name, list(half.shape)] for name, half in halves.items()],
        "data": base64.b64encode(numbers).decode(),
    }
