"""Weights of a multi-head attention, and the cases that it is checked with."""

import numpy as np
import torch

from headway.tasks.chapters.many_heads.heads import draw
from headway.tasks.engine.task import Case

LAYERS = ("query", "key", "value", "output")


def weights(rng: np.random.Generator, width: int, std: float = 0.5) -> dict[str, torch.Tensor]:
    """A weight and a bias for each of the four layers, by their names."""
    sizes = {"weight": (width, width), "bias": (width,)}
    return {
        f"{layer}.{name}": std * draw(rng, *size)
        for layer in LAYERS
        for name, size in sizes.items()
    }


def attention_cases(rng: np.random.Generator) -> list[Case]:
    def visible(*shape):
        """A mask that shows something to each query, and never everything."""
        shown = rng.random(shape) < 0.5
        order = rng.permuted(np.broadcast_to(np.arange(shape[-1]), shape), axis=-1)
        np.put_along_axis(shown, order[..., :1], True, axis=-1)
        np.put_along_axis(shown, order[..., 1:2], False, axis=-1)
        return torch.from_numpy(shown)

    x = draw(rng, 2, 5, 12)
    nowhere = visible(2, 4, 4)
    nowhere[0, 2] = False
    causal = torch.ones(5, 5, dtype=torch.bool).tril().expand(2, 5, 5).clone()
    return [
        Case("self-attention", (12, 3), weights(rng, 12), (x,), core=True),
        Case(
            "masks that differ in the batch, as many sentences as heads",
            (12, 3),
            weights(rng, 12),
            (draw(rng, 3, 4, 12), None, visible(3, 4, 4)),
            core=True,
        ),
        Case(
            "a memory of another length",
            (8, 2),
            weights(rng, 8),
            (draw(rng, 3, 2, 8), draw(rng, 3, 4, 8)),
            path="a memory",
        ),
        Case("a causal mask", (12, 3), weights(rng, 12), (x.clone(), None, causal), path="a mask"),
        Case(
            "a memory with a mask",
            (12, 4),
            weights(rng, 12),
            (draw(rng, 2, 3, 12), draw(rng, 2, 6, 12), visible(2, 3, 6)),
            path="a mask",
        ),
        Case(
            "a query that may look nowhere",
            (8, 4),
            weights(rng, 8),
            (draw(rng, 2, 4, 8), None, nowhere),
        ),
        Case("one head", (4, 1), weights(rng, 4), (draw(rng, 2, 3, 4),)),
        Case("a single token", (6, 2), weights(rng, 6), (draw(rng, 2, 1, 6),)),
        # Not run: a width that is checked only when the module runs is checked too late.
        Case("a width that does not divide", (8, 3), None, ()),
    ]
