"""The deep stack that assignment 10 hands out for training, and its weights by hand.

A sub-layer f takes its place in the stream x by

    x ← norm(keep · x + add · f(x))

where the norm may be switched off, but not moved. The last matrix of every sub-layer is drawn far
too large. Every token has a partner, drawn anew for every set of texts; at each place but the
first, the answer is the partner of the token before.
"""

import numpy as np
import torch
from torch import Tensor, nn

from headway.nn.multihead import MultiHeadAttention

WIDTH, HEADS, PLACES = 32, 2, 8
LARGE = 32.0  # times as large as torch draws it is the last matrix of every sub-layer
SHARP = 100.0


class Deep(nn.Module):
    """`depth` blocks between a table of tokens and logits: ids (B, T) → (B, T, V)."""

    def __init__(self, words, depth, keep=0.0, add=1.0, norm=False):
        super().__init__()
        self.keep, self.add, self.norm = keep, add, norm
        self.word, self.place = nn.Embedding(words, WIDTH), nn.Embedding(PLACES, WIDTH)
        self.layers = nn.ModuleList()
        for _ in range(depth):
            attention = MultiHeadAttention(WIDTH, HEADS)
            expand, contract = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
            with torch.no_grad():
                attention.output.weight *= LARGE
                contract.weight *= LARGE
            self.layers += [attention, nn.Sequential(expand, nn.GELU(), contract)]
        self.norms = nn.ModuleList(nn.LayerNorm(WIDTH) for _ in self.layers)
        self.last_norm, self.logits = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, words)

    def forward(self, ids: Tensor) -> Tensor:
        """Logits (B, T, V) for ids (B, T), T at most 8."""
        x = self.word(ids) + self.place.weight[: ids.shape[1]]
        for place, (layer, norm) in enumerate(zip(self.layers, self.norms, strict=True)):
            update = layer(x, causal=True) if place % 2 == 0 else layer(x)
            x = self.keep * x + self.add * update
            if self.norm:
                x = norm(x)
        return self.logits(self.last_norm(x))


def texts(rng: np.random.Generator, count: int, words: int) -> Tensor:
    """Ids (count, 8) drawn alike and independently."""
    return torch.from_numpy(rng.integers(words, size=(count, PLACES)))


def by_hand(partner: Tensor, depth: int) -> dict[str, Tensor]:
    """Weights for keep = add = 1 and no norm: the first head of all looks one place back.

    A token is the one-hot vector of its word and that of its place; all other sub-layers add
    nothing.

    Args:
        partner: (V,), the answer to each token.
    """
    words = len(partner)
    model = Deep(words, depth, keep=1.0)
    weights = {name: torch.zeros_like(value) for name, value in model.state_dict().items()}
    D, first = WIDTH // HEADS, WIDTH - PLACES  # the last columns hold the place
    weights["word.weight"][:, :words] = torch.eye(words)
    weights["place.weight"][:, first:] = torch.eye(PLACES)
    qkv, output = weights["layers.0.qkv.weight"], weights["layers.0.output.weight"]
    for place in range(PLACES):
        qkv[max(place - 1, 0), first + place] = SHARP  # the query names a place …
        qkv[WIDTH + place, first + place] = 1.0  # … and a key is one
    qkv[2 * WIDTH : 2 * WIDTH + D, :D] = torch.eye(D)
    output[:D, :D] = SHARP * torch.eye(D)
    weights["last_norm.weight"] += 1.0
    weights["logits.weight"][partner, torch.arange(words)] = SHARP
    return weights
