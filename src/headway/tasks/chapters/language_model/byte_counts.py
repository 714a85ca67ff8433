"""Counts of bytes: how often each comes, after the byte before it, and after up to three.

They are learned from the docstrings of `headway.tasks.chapters.language_model.docstring_texts`.
"""

import math
from functools import cache, lru_cache

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from headway.tasks.chapters.language_model.docstring_texts import known

BYTES, FIRST = 256, 10  # a text begins as if a line had ended
ORDER, SEEN_TWICE = 4, 0.1


@cache
def pairs() -> Tensor:
    """Logits (256, 256) of the byte after each byte, by counts of pairs."""
    counts = torch.bincount(BYTES * known()[:-1] + known()[1:], minlength=BYTES**2)
    return (counts.view(BYTES, BYTES) + SEEN_TWICE).log()


def shifted(ids: Tensor) -> Tensor:
    """What stands before each byte of a text (T,)."""
    return torch.cat([torch.tensor([FIRST]), ids[:-1]])


def by_pairs(ids: Tensor) -> Tensor:
    """The bigram's logits (T, 256) for the bytes ids (T,)."""
    return pairs()[shifted(ids)]


@cache
def longer_counts() -> list[tuple[np.ndarray, np.ndarray]]:
    """For one byte before, two and three: the runs that were seen, in order, and how often."""
    text = known().numpy()
    found = []
    for before in range(1, ORDER):
        key = np.zeros(len(text) - before, dtype=np.int64)
        for place in range(before + 1):
            key = key * BYTES + text[place : len(text) - before + place]
        found.append(np.unique(key, return_counts=True))
    return found


@cache
def shares() -> np.ndarray:
    """How large a part of the text each byte is (256,), and none of them none."""
    counts = np.bincount(known(), minlength=BYTES) + SEEN_TWICE
    return counts / counts.sum()


@lru_cache(maxsize=1 << 14)
def after(read: bytes) -> np.ndarray:
    """Log-probabilities (256,) of the byte after three, mixed with those after fewer.

    Each count takes as much from the shorter ones as there are kinds of bytes (Witten–Bell).
    """
    mixed = shares().copy()
    for before, (runs, counts) in enumerate(longer_counts(), start=1):
        key = int.from_bytes(read[-before:])
        first, last = np.searchsorted(runs, [key * BYTES, (key + 1) * BYTES])
        if first < last:
            seen, kinds = counts[first:last], last - first
            mixed *= kinds / (seen.sum() + kinds)
            mixed[runs[first:last] - key * BYTES] += seen / (seen.sum() + kinds)
    return np.log(mixed).astype(np.float32)


def scores(ids):
    """Logits (T, 256), each row from the three bytes before it."""
    read = bytes([FIRST] * (ORDER - 1) + ids.tolist())
    return torch.from_numpy(np.stack([after(read[t : t + ORDER - 1]) for t in range(len(ids))]))


def bits(logits: Tensor, ids: Tensor) -> float:
    """The mean cost of bytes (T,), in bits a byte."""
    return functional.cross_entropy(logits, ids).item() / math.log(2)


def single_bytes(ids):
    """Logits of how often each byte comes, whatever stands before it."""
    return (torch.bincount(known(), minlength=BYTES) + SEEN_TWICE).log().repeat(len(ids), 1)
