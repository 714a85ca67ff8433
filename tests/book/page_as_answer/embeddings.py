"""What a student makes of the lines of chapter 6, and what is then still missing."""

from collections import Counter
from functools import partial

import numpy as np
import torch
from torch import nn


def squeezed(file, damped=lambda table: table):
    """Chapter 6, counts of neighbors and the strongest directions."""

    def answer(sentences, size, window, rank):
        near = Counter(file["pairs_within"](sentences, window))
        table = np.array([[near[a, b] for b in range(size)] for a in range(size)], dtype=float)
        L, S, _ = np.linalg.svd(damped(table))
        return L[:, :rank] * S[:rank]

    return answer


def positive_information(counts):
    """Chapter 6, PPMI; a word without neighbors has none."""
    expected = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0) / max(counts.sum(), 1)
    met = counts > 0
    return np.log(np.where(met, counts, 1) / np.where(met, expected, 1)).clip(min=0)


def guessed_pairs(file):
    """The file's pairs, with the page's loss of the next word."""

    def answer(ids, given, guessed, window):
        c, o = torch.tensor(file["pairs_within"]([ids.tolist()], window)).T
        return nn.functional.cross_entropy(given[c] @ guessed.T, o)

    return answer


def sampled(file):
    """The file's cost, for centers whose rows are there."""

    def answer(hidden, guessed, targets, negatives):
        return file["cost"](hidden, guessed, torch.arange(len(hidden)), targets, negatives)

    return answer


def tied(file, root=lambda W: 1):
    """Chapter 6's two formulas, and its step."""

    class Tied:
        def __init__(self, table):
            self.W = table.clone().requires_grad_()

        def embed(self, ids):
            return root(self.W) * self.W[ids]

        def deembed(self, hidden):
            return hidden @ self.W.T

        def learn(self, ids, targets, rate):
            optimizer = torch.optim.Adam([self.W], lr=rate)
            loss = nn.functional.cross_entropy(self.deembed(self.embed(ids)), targets)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            return loss.detach()

    return Tied


def word_rows(file, C=24, steps=500):
    """The rows that the file learns."""

    def answer(sentences, asks, size):
        torch.manual_seed(0)
        pairs = torch.tensor(file["pairs_within"](sentences, 2))
        *_, (E, _) = file["learn"](pairs, size, C, steps)
        return E

    return answer


ANSWERS = [
    ("06-embeddings/latent", squeezed, "not-dampened-as-asked"),
    (
        "06-embeddings/latent",
        partial(squeezed, damped=positive_information),
        "not-dampened-as-asked",
    ),
    ("06-embeddings/skip-gram", guessed_pairs, "sum-and-mean"),
    ("06-embeddings/negatives", sampled, "left-out-or-kept"),
    ("06-embeddings/tied", tied, "root-of-the-width"),
    ("06-embeddings/tied", partial(tied, root=lambda W: W.shape[1] ** 0.5), "rate-without-effect"),
    ("06-embeddings/purity", word_rows, "sides-not-told-apart"),
]
NO_ANSWER = {
    # The file counts neighbors; nothing that the page shows counts documents.
    "06-embeddings/tf-idf",
}
