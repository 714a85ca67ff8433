"""Right answers to assignment 06 that are written in other ways than the reference."""

import math
from collections import Counter, defaultdict
from fractions import Fraction

import numpy as np
import torch
from torch import nn
from torch.nn import functional

# --- TF-IDF ----------------------------------------------------------------------------------


def weights_by_table(documents):
    """A table of counts, as the page has it, and out of it again."""
    words = sorted({word for document in documents for word in document})
    if not words:
        return [{} for _ in documents]
    counts = np.array([[d.count(w) for w in words] for d in documents])
    idf = np.log(len(documents)) - np.log((counts > 0).sum(axis=0))
    return [
        {w: float(x) for w, x, n in zip(words, row, row_n, strict=True) if n}
        for row, row_n in zip(counts * idf, counts, strict=True)
    ]


def weights_added_up(documents):
    """Each occurrence adds its document's share of surprise."""
    having = defaultdict(set)
    for number, document in enumerate(documents):
        for word in document:
            having[word].add(number)
    found = []
    for document in documents:
        weights = defaultdict(float)
        for word in document:
            weights[word] += math.log(len(documents)) - math.log(len(having[word]))
        found.append(weights)
    return tuple(found)


# --- latent semantic analysis ----------------------------------------------------------------


def latent_by_eigenvalues(sentences, size, window, rank):
    """The table is symmetric: its singular values are the sizes of its eigenvalues."""
    pairs = Counter(
        (sentence[t], sentence[s])
        for sentence in sentences
        for t in range(len(sentence))
        for s in range(len(sentence))
        if 0 < abs(t - s) <= window
    )
    A = np.zeros((size, size))
    for (center, word), n in pairs.items():
        A[center, word] = math.log1p(n)
    values, U = np.linalg.eigh(A)
    strong = sorted(range(size), key=lambda i: -abs(values[i]))[:rank]
    return U[:, strong] * values[strong]


def latent_in_torch(sentences, size, window, rank):
    A = torch.zeros(size, size, dtype=torch.float64)
    for sentence in map(torch.tensor, sentences):
        place = torch.arange(len(sentence))
        away = (place[:, None] - place).abs()
        t, s = torch.nonzero((away > 0) & (away <= window), as_tuple=True)
        if len(t):
            A.index_put_((sentence[t], sentence[s]), torch.ones((), dtype=A.dtype), accumulate=True)
    _, strengths, right = torch.linalg.svd(A.log1p())
    return (right.mT * strengths)[:, :rank]


# --- skip-gram -------------------------------------------------------------------------------


def neighbors_of(ids, window):
    for t in range(len(ids)):
        yield t, [s for s in range(len(ids)) if s != t and abs(s - t) <= window]


def skip_gram_by_pairs(ids, given, guessed, window):
    pairs = [(ids[t], ids[s]) for t, near in neighbors_of(ids, window) for s in near]
    if not pairs:
        return 0.0
    centers, contexts = (torch.stack(side) for side in zip(*pairs, strict=True))
    scores = functional.linear(given[centers], guessed)
    return functional.cross_entropy(scores, contexts, reduction="sum") / len(ids)


def skip_gram_in_numpy(ids, given, guessed, window):
    ids, E, U = ids.tolist(), given.double().numpy(), guessed.double().numpy()
    costs = []
    for t, near in neighbors_of(ids, window):
        for s in near:
            scores = U @ E[ids[t]]
            top = scores.max()
            costs.append(top + np.log(np.exp(scores - top).sum()) - scores[ids[s]])
    return sum(costs) / len(ids)


# --- one matrix, in and out ------------------------------------------------------------------


class TiedModule(nn.Module):
    """A torch module with its own optimizer."""

    def __init__(self, table):
        super().__init__()
        self.words = nn.Embedding.from_pretrained(table.clone(), freeze=False)

    def embed(self, ids):
        return self.words(ids) * self.words.embedding_dim**0.5

    def deembed(self, hidden):
        return functional.linear(hidden, self.words.weight)

    def learn(self, ids, targets, rate):
        optimizer = torch.optim.SGD(self.parameters(), lr=rate)
        optimizer.zero_grad()
        loss = functional.cross_entropy(self.deembed(self.embed(ids)), targets)
        loss.backward()
        optimizer.step()
        return loss


class TiedByHand:
    """The slope by hand: p − y reaches the rows that come out and those that go in."""

    def __init__(self, table):
        self.W = table.numpy().astype(np.float64)

    def embed(self, ids):
        return np.sqrt(self.W.shape[1]) * self.W[ids.numpy()]

    def deembed(self, hidden):
        return np.asarray(hidden) @ self.W.T

    def learn(self, ids, targets, rate):
        h, rows = self.embed(ids), np.arange(len(ids))
        scores = self.deembed(h)
        scores -= scores.max(axis=1, keepdims=True)
        p = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
        loss = -np.log(p[rows, targets.numpy()]).mean()
        p[rows, targets.numpy()] -= 1
        p /= len(ids)
        slope = p.T @ h
        np.add.at(slope, ids.numpy(), np.sqrt(self.W.shape[1]) * (p @ self.W))
        self.W = self.W - rate * slope
        return float(loss)


# --- negative sampling -----------------------------------------------------------------------


def sampled_in_loops(hidden, guessed, targets, negatives):
    losses = []
    for h, true, drawn in zip(hidden, targets, negatives, strict=True):
        loss = functional.softplus(-(h @ guessed[true]))
        for word in drawn:
            if word != true:
                loss = loss + functional.softplus(h @ guessed[word])
        losses.append(loss)
    return torch.stack(losses).mean()


def sampled_by_cross_entropy(hidden, guessed, targets, negatives):
    words = torch.cat([targets[:, None], negatives], dim=1)
    scores = torch.einsum("bc,bkc->bk", hidden, guessed[words])
    wanted = torch.zeros_like(scores)
    wanted[:, 0] = 1
    kept = torch.cat([torch.ones(len(words), 1), (negatives != targets[:, None]).float()], dim=1)
    return functional.binary_cross_entropy_with_logits(
        scores, wanted, weight=kept, reduction="sum"
    ) / len(words)


# --- vectors for categories ------------------------------------------------------------------


def pairs_with_sides(sentences, asks, size, window):
    """Pairs of a word and its neighbor; questions have their sides exchanged."""
    return [
        (center, sentence[s] + (size if (s > t) != asked else 0))
        for sentence, asked in zip(sentences, asks, strict=True)
        for t, center in enumerate(sentence)
        for s in range(max(0, t - window), min(len(sentence), t + window + 1))
        if s != t
    ]


def table_with_sides(sentences, asks, size, window):
    table = np.zeros((size, 2 * size))
    for center, neighbor in pairs_with_sides(sentences, asks, size, window):
        table[center, neighbor] += 1
    return table


def by_skip_gram(sentences, asks, size, steps=250):
    draw = torch.Generator().manual_seed(0)
    centers, neighbors = torch.tensor(pairs_with_sides(sentences, asks, size, 2)).T
    E, U = (0.1 * torch.randn(rows, 24, generator=draw) for rows in (size, 2 * size))
    optimizer = torch.optim.Adam([E.requires_grad_(), U.requires_grad_()], lr=0.02)
    for _ in range(steps):
        batch = torch.randint(len(centers), (512,), generator=draw)
        loss = functional.cross_entropy(E[centers[batch]] @ U.mT, neighbors[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return E


def by_sampling(sentences, asks, size):
    """Negative sampling, with neighbors on the two sides in rows of their own."""
    draw = torch.Generator().manual_seed(1)
    centers, neighbors = torch.tensor(pairs_with_sides(sentences, asks, size, 2)).T
    noise = torch.bincount(neighbors, minlength=2 * size).float() ** 0.75
    E, U = (0.1 * torch.randn(rows, 24, generator=draw) for rows in (size, 2 * size))
    optimizer = torch.optim.Adam([E.requires_grad_(), U.requires_grad_()], lr=0.02)
    for _ in range(300):
        batch = torch.randint(len(centers), (512,), generator=draw)
        drawn = torch.multinomial(noise, 512 * 5, replacement=True, generator=draw).view(512, 5)
        loss = sampled_by_cross_entropy(E[centers[batch]], U, neighbors[batch], drawn)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return E


def by_mutual_information(sentences, asks, size):
    """What is seen together more often than chance has it, cut to 30 directions."""
    table = table_with_sides(sentences, asks, size, 2)
    rows, columns = table.sum(axis=1, keepdims=True), table.sum(axis=0, keepdims=True)
    with np.errstate(divide="ignore"):
        information = np.log(table * table.sum() / np.maximum(rows @ columns, 1))
    left, strengths, _ = np.linalg.svd(np.maximum(information, 0))
    return left[:, :30] * strengths[:30] ** 0.5


def by_two_tables(sentences, asks, size):
    """LSA of each side for itself, and both laid side by side."""
    table = np.log1p(table_with_sides(sentences, asks, size, 2))
    parts = []
    for side in np.hsplit(table, 2):
        left, strengths, _ = np.linalg.svd(side)
        parts.append(left[:, :16] * strengths[:16])
    return np.hstack(parts).tolist()


# --- vectors for a table ---------------------------------------------------------------------


def by_the_first_word(P, width):
    """The first word has the vector zero."""
    scores = np.log(P) - np.log(P[:, :1])
    left, strengths, right = np.linalg.svd(scores)
    k = min(width, len(strengths))
    return left[:, :k] * strengths[:k] ** 0.5, right[:k].T * strengths[:k] ** 0.5


def by_projection(P, width):
    """The words' vectors are the strongest directions of what is left; the contexts follow."""
    scores = torch.from_numpy(P).log()
    scores = scores - scores.mean(dim=1, keepdim=True)
    words = torch.linalg.svd(scores).Vh[:width].mT
    return scores @ words, words


VARIANTS = {
    "06-embeddings/weight": {
        "two decimals": 7.08,
        "from NumPy": np.float64(3) * (5 / 3 + np.log(2.0)),
    },
    "06-embeddings/similarity": {
        "a fraction": Fraction(16, 25),
        "two decimals": 0.64,
    },
    "06-embeddings/parameters": {
        "an array": np.array([6_000 * 100, 100 - 1]),
        "floats": [6e5, 99.0],
    },
    "06-embeddings/tf-idf": {
        "a table": weights_by_table,
        "one occurrence at a time": weights_added_up,
    },
    "06-embeddings/latent": {
        "eigenvalues": latent_by_eigenvalues,
        "in torch, from the other side": latent_in_torch,
    },
    "06-embeddings/skip-gram": {
        "a list of pairs": skip_gram_by_pairs,
        "in NumPy": skip_gram_in_numpy,
    },
    "06-embeddings/tied": {
        "a module with an optimizer": TiedModule,
        "slopes by hand": TiedByHand,
    },
    "06-embeddings/faulty-line": {
        "float": 6.0,
        "array": np.array(6),
    },
    "06-embeddings/negatives": {
        "loops and softplus": sampled_in_loops,
        "binary cross-entropy": sampled_by_cross_entropy,
    },
    "06-embeddings/purity": {
        "skip-gram": by_skip_gram,
        "negative sampling": by_sampling,
        "mutual information": by_mutual_information,
        "two decompositions": by_two_tables,
    },
    "06-embeddings/by-hand": {
        "against the first word": by_the_first_word,
        "a projection": by_projection,
    },
}
