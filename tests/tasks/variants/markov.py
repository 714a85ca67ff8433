"""Right answers to assignment 02 that are written in other ways than the reference."""

import bisect
import math
from collections import Counter, defaultdict
from itertools import accumulate, pairwise

import numpy as np
import torch

# --- transitions -----------------------------------------------------------------------------


def transitions_lists(counts, smoothing):
    table = []
    for row in counts.tolist():
        values = [n + smoothing for n in row]
        if not any(values):
            values = [1] * len(row)
        table.append([v / sum(values) for v in values])
    return np.array(table).reshape(counts.shape)


def transitions_torch(counts, smoothing):
    smoothed = torch.tensor(counts).double() + smoothing
    total = smoothed.sum(1)[:, None]
    return torch.where(total > 0, smoothed / total, torch.tensor(1 / counts.shape[1]).double())


# --- chain -----------------------------------------------------------------------------------


class CounterOfTuples:
    def __init__(self, log, order):
        self.order = order
        self.seen = Counter()
        for sentence, times in log:
            text = ["<b>"] * order + sentence + ["<b>"]
            for i in range(len(sentence) + 1):
                self.seen[tuple(text[i : i + order + 1])] += times

    def __len__(self):
        return len({gram[:-1] for gram in self.seen})

    def predict(self, words):
        text = ["<b>"] * self.order + words
        context = tuple(text[len(text) - self.order :])
        found = {gram[-1]: n for gram, n in self.seen.items() if gram[:-1] == context}
        return {word: n / sum(found.values()) for word, n in found.items()}


class ShortContexts:
    """No boundaries before a sentence: near its start contexts are shorter."""

    def __init__(self, log, order):
        self.order = order
        self.rows = defaultdict(list)
        for sentence, times in log:
            for t in range(len(sentence) + 1):
                word = sentence[t] if t < len(sentence) else "<b>"
                self.rows[self.key(sentence[:t])].append((word, times))

    def key(self, words):
        return " ".join(words[max(len(words) - self.order, 0) :]), min(len(words), self.order)

    def __len__(self):
        return len(self.rows)

    def predict(self, words):
        urn = self.rows.get(self.key(words), [])
        whole = sum(times for _, times in urn)
        kinds = {word for word, _ in urn}
        return {w: sum(times for word, times in urn if word == w) / whole for w in kinds}


# --- score -----------------------------------------------------------------------------------


def score_bits(P, sentences):
    """In bits, and changed to nats at the end."""
    end, bits, number = len(P) - 1, 0.0, 0
    for sentence in sentences:
        now = end
        for word in [*sentence, end]:
            bits += float(np.log2(P[now, word]))
            number, now = number + 1, word
    return bits * math.log(2), 2 ** (-bits / number)


def score_torch(P, sentences):
    logs = torch.tensor(P).log()
    end = len(P) - 1
    nats = [logs[a, b] for s in sentences for a, b in pairwise([end, *s, end])]
    total = torch.stack(nats).sum()
    return torch.stack([total, torch.exp(-total / len(nats))])


# --- sample ----------------------------------------------------------------------------------


def sample_choice(counts, seed, count, longest):
    rng = np.random.default_rng(seed)
    P, end, sentences = counts / counts.sum(axis=1)[:, None], len(counts) - 1, []
    for _ in range(count):
        sentence = []
        for _ in range(longest):
            word = rng.choice(end + 1, p=P[sentence[-1] if sentence else end])
            if word == end:
                break
            sentence.append(word)
        sentences.append(sentence)
    return sentences


def sample_bisect(counts, seed, count, longest):
    rng, end = np.random.default_rng(seed), len(counts) - 1
    sums = [list(accumulate(row)) for row in counts.tolist()]

    def go_on(now, left):
        if not left:
            return []
        word = bisect.bisect_right(sums[now], rng.random() * sums[now][-1])
        return [] if word == end else [word, *go_on(word, left - 1)]

    return [np.array(go_on(end, longest), dtype=int) for _ in range(count)]


# --- neighbors -------------------------------------------------------------------------------


def neighbors_given_mended(sentences):
    counts = {}
    text = "<b> " + " <b> ".join(sentences) + " <b>"
    words = text.split()
    for word, after in pairwise(words):
        row = counts.setdefault(word, {})
        row[after] = row.get(after, 0) + 1
    return counts


def neighbors_counter(sentences):
    text = [*" ".join(f"<b> {sentence}" for sentence in sentences).split(), "<b>"]
    counts = {word: {} for word in text}
    for (word, after), number in Counter(pairwise(text)).items():
        counts[word][after] = number
    return counts


# --- unigram and next word -------------------------------------------------------------------


def unigram_bincount(sentences, size):
    text = [word for sentence in sentences for word in [*sentence, size]]
    return (np.bincount(text, minlength=size + 1) + 1) / (len(text) + size + 1)


def unigram_counter(sentences, size):
    counts = Counter(word for sentence in sentences for word in sentence)
    counts[size] = len(sentences)
    total = counts.total() + size + 1
    return [(counts[symbol] + 1) / total for symbol in range(size + 1)]


def _pairs(train, size):
    counts = np.zeros((size + 1, size + 1))
    for sentence in train:
        for a, b in pairwise([size, *sentence, size]):
            counts[a, b] += 1
    return counts


def _later(train, size):
    """Counts of what came two places after each symbol."""
    counts = np.zeros((size + 1, size + 1))
    for sentence in train:
        text = np.array([size, *sentence, size])
        np.add.at(counts, (text[:-2], text[2:]), 1)
    return counts


def next_word_prior(train, size, prefixes):
    """The two rows are smoothed by the unigram model, more where more kinds were seen."""
    P, later = _pairs(train, size), _later(train, size)
    share = unigram_bincount(train, size)

    def grown(counts):
        kinds = (counts > 0).sum() / 2 + 1
        return (counts + kinds * share) / (counts.sum() + kinds)

    rows = []
    for prefix in prefixes:
        latest = grown(P[[size, *prefix][-1]])
        rows.append((latest + grown(later[[size, *prefix][-2]])) / 2 if prefix else latest)
    return np.stack(rows)


def next_word_three_models(train, size, prefixes):
    share, after, later = unigram_counter(train, size), defaultdict(Counter), defaultdict(Counter)
    for sentence in train:
        text = [size, *sentence, size]
        for a, b in pairwise(text):
            after[a][b] += 1
        for a, b in zip(text, text[2:], strict=False):
            later[a][b] += 1
    result = []
    for prefix in prefixes:
        text, row = [size, *prefix], 0.1 * np.array(share)
        for counts in (after[text[-1]], later[text[-2]] if prefix else after[text[-1]]):
            for c, n in counts.items():
                row[c] += 0.45 * n / counts.total()
        result.append(row / row.sum())
    return torch.tensor(np.array(result))


# --- stationary ------------------------------------------------------------------------------


def stationary_eigenvector(P):
    values, vectors = np.linalg.eig(P.T)
    pi = np.real(vectors[:, np.argmin(abs(values - 1))])
    return pi / pi.sum()


def stationary_solved(P):
    A = P.T - np.eye(len(P))
    A[-1] = 1
    return torch.linalg.solve(torch.tensor(A), torch.eye(len(P)).double()[-1])


VARIANTS = {
    "02-markov/after": {
        "array": np.array([3, 1]) / 4,
        "tensor": torch.tensor([0.75, 0.25]),
    },
    "02-markov/sizes": {
        "array": np.array([[10, 10], [1000, 10]]),
        "floats": [[10.0, 10.0], [1e3, 10.0]],
    },
    "02-markov/by-hand": {
        "root": 4096 ** (1 / 4),
        "array": np.exp2(np.array([1, 4, 3, 4]).mean()),
    },
    "02-markov/transitions": {
        "lists": transitions_lists,
        "torch": transitions_torch,
    },
    "02-markov/chain": {
        "counter of tuples": CounterOfTuples,
        "shorter contexts at the start": ShortContexts,
    },
    "02-markov/score": {
        "bits": score_bits,
        "torch": score_torch,
    },
    "02-markov/sample": {
        "choice": sample_choice,
        "bisection and recursion": sample_bisect,
    },
    "02-markov/faulty-line": {
        "float": 3.0,
        "array": np.array(3),
    },
    "02-markov/neighbors": {
        "the given one, mended": neighbors_given_mended,
        "counter": neighbors_counter,
    },
    "02-markov/unigram": {
        "bincount": unigram_bincount,
        "counter": unigram_counter,
    },
    "02-markov/beat-unigram": {
        "unigram as a prior": next_word_prior,
        "three models": next_word_three_models,
    },
    "02-markov/stationary": {
        "eigenvector": stationary_eigenvector,
        "solved": stationary_solved,
    },
}
