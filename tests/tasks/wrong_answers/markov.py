"""Wrong answers to assignment 02, in other words than the catalogue's.

`WRONG_ANSWERS[what it does] = (task, answer, the name that it should get, or None)`.
"""

import math
from collections import Counter, defaultdict
from itertools import pairwise

import numpy as np

from headway.tasks.chapters.markov.beat_unigram import next_word
from headway.tasks.chapters.markov.unigram import unigram


def columns_by_transposing(counts, smoothing):
    table = []
    for column in counts.T:
        smoothed = [c + smoothing for c in column]
        table.append([c / sum(smoothed) for c in smoothed])
    return np.array(table).T.reshape(counts.shape)


class CountsRightly:
    def __init__(self, log, order):
        self.n, self.table = order, defaultdict(Counter)
        for words, times in log:
            text = ["<b>"] * order + words + ["<b>"]
            for t in range(order, len(text)):
                self.table[tuple(text[t - order : t])][text[t]] += times

    def __len__(self):
        return len(self.table)

    def look_up(self, context):
        row = self.table.get(context, Counter())
        return {word: times / row.total() for word, times in row.items()}


def boundaries_put_into_the_prefixes(train, size, prefixes):
    for prefix in prefixes:
        prefix.insert(0, size)
    return next_word(train, size, [prefix[1:] for prefix in prefixes])


def pairs_plus_one(train, size, prefixes):
    after = defaultdict(Counter)
    for sentence in train:
        for a, b in zip([size, *sentence], [*sentence, size], strict=True):
            after[a][b] += 1
    rows = []
    for prefix in prefixes:
        row = after[prefix[-1] if prefix else size]
        rows.append([(row[j] + 1) / (row.total() + size + 1) for j in range(size + 1)])
    return np.array(rows)


def pairs_or_else_single_words(train, size, prefixes):
    """Falls back on the unigram share cell by cell; the rows sum to more than one."""
    share, after = unigram(train, size), np.zeros((size + 1, size + 1))
    for sentence in train:
        for a, b in pairwise([size, *sentence, size]):
            after[a, b] += 1
    P = after / np.maximum(after.sum(axis=1, keepdims=True), 1)
    rows = P[[prefix[-1] if prefix else size for prefix in prefixes]]
    return np.where(rows > 0, rows, share)


def pairs_and_a_little_of_all(train, size, prefixes):
    """Order 1, with ten more observations as the unigram model has them."""
    share, after = unigram(train, size), np.zeros((size + 1, size + 1))
    for sentence in train:
        np.add.at(after, ([size, *sentence], [*sentence, size]), 1)
    latest = [[size, *prefix][-1] for prefix in prefixes]
    return (after[latest] + 10 * share) / (after[latest].sum(axis=1) + 10)[:, None]


def found_in_a_longer_one(train, size, prefixes):
    """Reads what comes next out of prefixes that go on; single words where none does."""
    rows = np.tile(unigram(train, size), (len(prefixes), 1))
    for i, prefix in enumerate(prefixes):
        for other in prefixes:
            if len(other) == len(prefix) + 1 and other[:-1] == prefix:
                rows[i] = unigram(train, size) / 50
                rows[i, other[-1]] += 0.98
                break
    return rows


def lazy_for_a_while(P):
    return np.linalg.matrix_power((P + np.eye(len(P))) / 2, 200).mean(axis=0)


class FillsUpWhatItIsGiven(CountsRightly):
    def predict(self, words):
        while len(words) < self.n:
            words.insert(0, "<b>")
        return self.look_up(tuple(words[len(words) - self.n :]))


def triples_and_hardly_more(train, size, prefixes):
    after = defaultdict(lambda: np.full(size + 1, 0.01))
    for sentence in train:
        text = [size, size, *sentence, size]
        for a, b, c in zip(text, text[1:], text[2:], strict=False):
            after[a, b][c] += 1
    rows = [after[tuple([size, size, *prefix][-2:])] for prefix in prefixes]
    return np.array([row / row.sum() for row in rows])


def mean_of_sentence_means(P, sentences):
    V, likelihoods, means = len(P) - 1, [], []
    for sentence in sentences:
        text = [V, *sentence, V]
        steps = [P[a][b] for a, b in pairwise(text)]
        if min(steps) == 0:
            return -math.inf, math.inf
        likelihoods.append(sum(math.log(p) for p in steps))
        means.append(likelihoods[-1] / len(steps))
    return sum(likelihoods), math.exp(-sum(means) / len(means))


def mean_of_a_thousand_steps(P):
    P = np.asarray(P, dtype=float)
    x, total = np.zeros(len(P)), np.zeros(len(P))
    x[0] = 1.0
    for _ in range(1000):
        total += x
        x = x @ P
    return total / total.sum()


def latest_rows(P, size, prefixes):
    return P[[[size, *prefix][-1] for prefix in prefixes]]


def pair_shares(train, size, smoothing=0.05, padded=True):
    """Shares (V+1, V+1) of what comes after each word."""
    counts = np.full((size + 1, size + 1), smoothing)
    for sentence in train:
        for a, b in pairwise([size, *sentence, size] if padded else sentence):
            counts[a, b] += 1
    return counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-9)


def pairs_by(change=lambda train: train, **options):
    """Shares after the last word, from changed sentences or with other options."""

    def answer(train, size, prefixes):
        return latest_rows(pair_shares(change(train), size, **options), size, prefixes)

    return answer


def pairs_of_the_first_word(train, size, prefixes):
    return latest_rows(pair_shares(train, size), size, [prefix[:1] for prefix in prefixes])


def two_back(train, size, prefixes):
    """Shares after one word, with a part of those after two where the two were counted."""
    after = defaultdict(Counter)
    for sentence in train:
        text = [size, size, *sentence, size]
        for a, b, c in zip(text, text[1:], text[2:], strict=False):
            after[a, b][c] += 1
    rows = latest_rows(pair_shares(train, size), size, prefixes)
    for row, prefix in zip(rows, prefixes, strict=True):
        counted = after.get(tuple([size, size, *prefix][-2:]), Counter())
        row *= 0.7 if counted else 1
        for c, n in counted.items():
            row[c] += 0.3 * n / counted.total()
    return rows


def nothing_where_a_pair_is_new(train, size, prefixes):
    rows, known = two_back(train, size, prefixes), set()
    for sentence in train:
        known |= set(pairwise([size, size, *sentence]))
    rows[[tuple([size, size, *prefix][-2:]) not in known for prefix in prefixes]] = 0
    return rows


def a_little_of_two_back(train, size, prefixes):
    """One word back, and a part of what comes two words on, everywhere."""
    P = pair_shares(train, size)
    skipping = pair_shares([s[i::2] for s in train for i in (0, 1)], size)
    rows = latest_rows(P, size, prefixes)
    before = skipping[[[size, size, *prefix][-2] for prefix in prefixes]]
    return 0.95 * rows + 0.05 * before


WRONG_ANSWERS = {
    "mean of the sentences' means": ("score", mean_of_sentence_means, "predictions-miscounted"),
    "mean of a thousand steps": ("stationary", mean_of_a_thousand_steps, "periodic-limit"),
    "columns divided by transposing": ("transitions", columns_by_transposing, "columns-for-rows"),
    "pairs plus one": ("beat-unigram", pairs_plus_one, "one-for-any-smoothing"),
    "pairs and a little of all": ("beat-unigram", pairs_and_a_little_of_all, "one-word-back"),
    "found in a longer one": ("beat-unigram", found_in_a_longer_one, "reads-ahead"),
    "single words where a pair is unknown": (
        "beat-unigram",
        pairs_or_else_single_words,
        "rows-not-distributions",
    ),
    "fills up what it is given": ("chain", FillsUpWhatItIsGiven, "argument-changed"),
    "triples and hardly more": ("beat-unigram", triples_and_hardly_more, "order-too-high"),
    "boundaries put into the prefixes": (
        "beat-unigram",
        boundaries_put_into_the_prefixes,
        "argument-changed",
    ),
    "lazy for a while": ("stationary", lazy_for_a_while, None),
    "new pairs left out": (
        "beat-unigram",
        nothing_where_a_pair_is_new,
        "rows-without-counts",
    ),
    "words alone": (
        "beat-unigram",
        lambda train, size, prefixes: np.tile(unigram(train, size), (len(prefixes), 1)),
        "context-ignored",
    ),
    "pairs as they were counted": ("beat-unigram", pairs_by(smoothing=0.0), "not-smoothed"),
    "pairs within sentences": ("beat-unigram", pairs_by(padded=False), "boundary-missing"),
    "pairs from behind": (
        "beat-unigram",
        pairs_by(lambda train: [s[::-1] for s in train]),
        "columns-for-rows",
    ),
    "pairs after the first word": ("beat-unigram", pairs_of_the_first_word, "another-context"),
    "two words where they were counted": ("beat-unigram", two_back, "lost-after-unseen-pairs"),
    "a little of what comes two words on": (
        "beat-unigram",
        a_little_of_two_back,
        "gained-too-little",
    ),
    "squares of that": (
        "beat-unigram",
        lambda *given: (lambda rows: rows**5 / (rows**5).sum(axis=1, keepdims=True))(
            a_little_of_two_back(*given)
        ),
        "worse-than-words-alone",
    ),
}
