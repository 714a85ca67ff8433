"""Wrong answers to assignment 06, in other words than the catalogue's.

`WRONG_ANSWERS[what it does] = (task, answer, the name that it should get, or None)`.
"""

import math
from collections import Counter
from itertools import pairwise

import numpy as np
import torch
from torch.nn import functional

from headway.tasks.chapters.embeddings.purity import both_sides, strongest, turned_back

# --- TF-IDF ----------------------------------------------------------------------------------


def rare_in_the_whole_text(documents):
    everything = [word for document in documents for word in document]
    return [
        {w: d.count(w) * np.log(len(documents) / everything.count(w)) for w in d} for d in documents
    ]


def as_the_library_does(documents):
    """Smoothed, and each document brought to length one."""
    df = Counter(w for d in documents for w in set(d))
    found = []
    for d in documents:
        rarity = {w: math.log((1 + len(documents)) / (1 + df[w])) + 1 for w in d}
        row = {w: n * rarity[w] for w, n in Counter(d).items()}
        length = math.sqrt(sum(x * x for x in row.values()))
        found.append({w: x / length for w, x in row.items()})
    return found


def in_other_documents(documents):
    """The word's own document is not counted among those that have it."""
    rows = []
    for i, d in enumerate(documents):
        others = documents[:i] + documents[i + 1 :]
        rows.append(
            {
                w: d.count(w) * math.log(len(documents) / max(1, sum(w in e for e in others)))
                for w in d
            }
        )
    return rows


# --- latent semantic analysis ----------------------------------------------------------------


def counted(sentences, size, reaches):
    A = np.zeros((size, size))
    for words in sentences:
        for i in range(len(words)):
            for j in range(len(words)):
                if reaches(i, j):
                    A[words[i], words[j]] += 1
    return A


def cut(A, rank):
    U, S, _ = np.linalg.svd(A)
    return U[:, :rank] @ np.diag(S[:rank])


def up_to_but_not(sentences, size, window, rank):
    return cut(np.log1p(counted(sentences, size, lambda i, j: 0 < abs(i - j) < window)), rank)


def dampened_on_the_way(sentences, size, window, rank):
    """The logarithm is taken of each pair as it is found."""
    A = counted(sentences, size, lambda i, j: 0 < abs(i - j) <= window)
    return cut(A * math.log(2), rank)


# --- skip-gram -------------------------------------------------------------------------------


def windows(ids, window):
    for t, center in enumerate(ids):
        for s in range(t - window, t + window + 1):
            if s != t and 0 <= s < len(ids):
                yield center, ids[s]


def cross_entropy_of_shares(ids, given, guessed, window):
    """The loss takes logits, and is given probabilities."""
    found = list(windows(ids, window))
    if not found:
        return torch.zeros(())
    centers, neighbors = (torch.stack(side) for side in zip(*found, strict=True))
    shares = (given[centers] @ guessed.T).softmax(dim=1)
    return functional.cross_entropy(shares, neighbors, reduction="sum") / len(ids)


# --- one matrix, in and out ------------------------------------------------------------------


class InPlaceOfTheTable:
    """The table that was handed over is the model's own."""

    def __init__(self, table):
        self.t = table.requires_grad_()

    def embed(self, ids):
        return self.t.shape[1] ** 0.5 * self.t[ids]

    def deembed(self, hidden):
        return hidden @ self.t.T

    def learn(self, ids, targets, rate):
        loss = functional.cross_entropy(self.deembed(self.embed(ids)), targets)
        slope = torch.autograd.grad(loss, self.t)[0]
        with torch.no_grad():
            self.t -= rate * slope
        return loss.detach()


# --- negative sampling -----------------------------------------------------------------------


# --- vectors for categories ------------------------------------------------------------------


def usual_skip_gram(sentences, asks, size, side=lambda s, t: True, steps=250, rate=0.02):
    draw = torch.Generator().manual_seed(3)
    pairs = [
        (c, x[s])
        for x in sentences
        for t, c in enumerate(x)
        for s in range(max(0, t - 2), min(len(x), t + 3))
        if s != t and side(s, t)
    ]
    centers, contexts = torch.tensor(pairs).T
    E, U = (torch.randn(size, 24, generator=draw) * 0.1 for _ in range(2))
    optimizer = torch.optim.Adam([E.requires_grad_(), U.requires_grad_()], lr=rate)
    for _ in range(steps):
        rows = torch.randint(len(centers), (512,), generator=draw)
        loss = functional.cross_entropy(E[centers[rows]] @ U.mT, contexts[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return E.detach()


def barely_moved(sentences, asks, size):
    return usual_skip_gram(sentences, asks, size, steps=3)


def documents_for_neighbors(sentences, asks, size):
    """Words by the sentences that they stand in."""
    table = np.zeros((size, len(sentences)))
    for number, sentence in enumerate(sentences):
        for word in sentence:
            table[word, number] += 1
    U, S, _ = np.linalg.svd(np.log1p(table), full_matrices=False)
    return U[:, :32] * S[:32]


def rows_of_bigrams(sentences, asks, size):
    """Chapter 2's counts of what comes next, uncut."""
    counts = np.zeros((size, size))
    for sentence in sentences:
        for a, b in pairwise(sentence):
            counts[a, b] += 1
    return counts


def bigrams_cut(sentences, asks, size):
    U, S, _ = np.linalg.svd(np.log1p(rows_of_bigrams(sentences, asks, size)))
    return U[:, :24] * S[:24]


def hyperspace_analogue(sentences, asks, size):
    """The rows and columns of HAL, cut as LSA does."""
    before = np.zeros((size, size))
    for sentence in sentences:
        for t, word in enumerate(sentence):
            for away, other in enumerate(reversed(sentence[:t][-3:])):
                before[word, other] += 3 - away
    U, S, _ = np.linalg.svd(np.log1p(np.hstack([before, before.T])), full_matrices=False)
    return U[:, :32] * S[:32]


def both_sides_few(sentences, asks, size):
    sentences = [s[::-1] if asked else s for s, asked in zip(sentences, asks, strict=True)]
    left, right = rows_of_bigrams(sentences, asks, size).T, rows_of_bigrams(sentences, asks, size)
    U, S, _ = np.linalg.svd(np.hstack([left, right]), full_matrices=False)
    return U[:, :5] * S[:5]


# --- vectors for a table ---------------------------------------------------------------------


WRONG_ANSWERS = {
    "the weight taken for the quotient": ("weight", 3 * math.log(2 * 5), None),
    "nothing but “the” in common": ("similarity", 0, None),
    "rare in the whole text": ("tf-idf", rare_in_the_whole_text, "documents-miscounted"),
    "as the library does": ("tf-idf", as_the_library_does, "another-recipe"),
    "in other documents": ("tf-idf", in_other_documents, None),
    "up to, but not": ("latent", up_to_but_not, "window-off-by-one"),
    "dampened on the way": ("latent", dampened_on_the_way, None),
    "cross-entropy of shares": ("skip-gram", cross_entropy_of_shares, "softmax-before-the-loss"),
    "in place of the table": ("tied", InPlaceOfTheTable, "argument-changed"),
    "barely moved": ("purity", barely_moved, "like-a-guess"),
    "documents for neighbors": ("purity", documents_for_neighbors, "sides-not-told-apart"),
    "rows of bigrams": ("purity", rows_of_bigrams, "table-for-vectors"),
    "bigrams cut": ("purity", bigrams_cut, "one-side-only"),
    "HAL, then LSA": ("purity", hyperspace_analogue, "questions-like-statements"),
    "the whole sentence on either side": (
        "purity",
        lambda *text: strongest(np.log1p(both_sides(turned_back(*text[:2]), text[2], 99)), 24),
        "half-way",
    ),
    "logarithms of 0": (
        "purity",
        lambda sentences, asks, size: np.log(rows_of_bigrams(sentences, asks, size))[:, :24],
        "no-numbers-left",
    ),
    "both sides, few": ("purity", both_sides_few, "too-few-directions"),
}
