"""Models that are tables: a context of n tokens has one row of logits."""

import torch

from headway.inference.predictor import Uncached


def random_table(seed, size, order, spread=1.5):
    """Logits (V,)·(n+1) of a chain of order n, drawn from a normal distribution."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randn((size,) * (order + 1), generator=generator, dtype=torch.float64) * spread


class Reads(Uncached):
    """A table as a predictor, which also notes the shape of all that it is fed."""

    def __init__(self, table):
        n = table.dim() - 1
        super().__init__(lambda ids: table[ids[:, -n:].unbind(1)][:, None])
        self.fed = []

    def feed(self, ids):
        self.fed.append(tuple(ids.shape))
        return super().feed(ids)
