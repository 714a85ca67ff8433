import math
from collections import Counter, defaultdict
from itertools import pairwise

import numpy as np
import pytest

from headway.ngram.markov import MarkovChain
from headway.tasks.chapters.markov.beat_unigram import SHARE, next_word, perplexity
from headway.tasks.chapters.markov.unigram import SIZE, unigram
from headway.tasks.engine.find import find_task
from headway.tasks.engine.judge import judge
from tests.full import seeds

SEEDS = seeds(3)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_perplexity_target_stands_between_its_baselines_with_margin(seed):
    task = find_task("02-markov/beat-unigram")
    for case in task.cases(np.random.default_rng(seed)):
        train, size, prefixes = case.inputs
        latest = np.array([[size, *prefix][-1:] for prefix in prefixes])

        def share(rows, case=case):
            return perplexity(rows, case.truth.following) / case.truth.unigram

        flat = np.tile(unigram(train, size), (len(prefixes), 1))
        assert share(flat) == pytest.approx(1)
        assert share(np.full(flat.shape, 1 / (size + 1))) > 3
        assert share(next_word(*case.inputs)) < 0.9 * SHARE
        # The chapter's own first-order chain: one added to every count is too much, a little is not
        assert share(MarkovChain(train, size, 1, smoothing=1).predict(latest)) > 1.05 * SHARE
        assert share(MarkovChain(train, size, 1, smoothing=0.05).predict(latest)) < 0.95 * SHARE
        assert size == SIZE


def test_rows_that_are_no_distributions_are_refused_however_good_their_perplexity():
    task = find_task("02-markov/beat-unigram")

    def certain_of_everything(train, size, prefixes):
        return np.ones((len(prefixes), size + 1))

    def less_than_nothing(train, size, prefixes):
        rows = np.full((len(prefixes), size + 1), 0.01)
        rows[:, 0] = 1 - 0.01 * size
        return rows

    def lists(train, size, prefixes):
        return next_word(train, size, prefixes).tolist()

    assert "Give an array" in judge(task, lists).reason
    assert "sums to 401" in judge(task, certain_of_everything).reason
    assert "below 0" in judge(task, less_than_nothing).reason


# --- wrong answers written after the catalogue was fixed, in another style -------------------


def columns_by_transposing(counts, smoothing):
    table = []
    for column in counts.T:
        smoothed = [c + smoothing for c in column]
        table.append([c / sum(smoothed) for c in smoothed])
    return np.array(table).T.reshape(counts.shape)


def shares_then_smoothed(counts, smoothing):
    P = []
    for row in counts.tolist():
        n = sum(row)
        shares = [c / n if n else 1 / len(row) for c in row]
        P.append([(p + smoothing) / (1 + len(row) * smoothing) for p in shares])
    return np.array(P).reshape(counts.shape)


class TrigramsReadBackwards:
    def __init__(self, sentences, order):
        self.n, self.table = order, defaultdict(Counter)
        for words in sentences:
            history = ["<b>"] * order
            for word in [*words, "<b>"]:
                self.table[tuple(history)][word] += 1
                history = [*history, word][1:] if order else []

    def __len__(self):
        return len(self.table)

    def predict(self, words):
        latest = [*reversed(words), *["<b>"] * self.n][: self.n]
        row = self.table.get(tuple(latest), Counter())
        return {word: times / row.total() for word, times in row.items()}


class CountsRightly:
    def __init__(self, sentences, order):
        self.n, self.table = order, defaultdict(Counter)
        for words in sentences:
            text = ["<b>"] * order + words + ["<b>"]
            for t in range(order, len(text)):
                self.table[tuple(text[t - order : t])][text[t]] += 1

    def __len__(self):
        return len(self.table)

    def look_up(self, context):
        row = self.table.get(context, Counter())
        return {word: times / row.total() for word, times in row.items()}


class OneLongText:
    def __init__(self, sentences, order):
        self.order = order
        self.text = ["<b>"] * order
        for words in sentences:
            self.text += words
            self.text.append("<b>")

    def places(self):
        return range(self.order, len(self.text))

    def __len__(self):
        return len({tuple(self.text[t - self.order : t]) for t in self.places()})

    def predict(self, words):
        history = (["<b>"] * self.order + list(words))[len(words) :]
        after = [self.text[t] for t in self.places() if self.text[t - self.order : t] == history]
        return {word: after.count(word) / len(after) for word in after}


def bits_undone_by_exp(P, sentences):
    V = P.shape[0] - 1
    pairs = [(a, b) for s in sentences for a, b in zip([V, *s], [*s, V], strict=True)]
    logs = np.log2([P[pair] for pair in pairs])
    return logs.sum(), np.exp(-logs.mean())


def log_of_a_little_more(P, sentences):
    total, steps = 0, 0
    for sentence in sentences:
        text = [-1, *sentence, -1]
        for i in range(len(text) - 1):
            total += math.log(P[text[i]][text[i + 1]] + 1e-12)
            steps += 1
    return total, math.e ** (-total / steps)


def one_perplexity_each(P, sentences):
    total, each = 0, []
    for sentence in sentences:
        probability = 1
        for a, b in pairwise([-1, *sentence, -1]):
            probability *= P[a, b]
        total += np.log(probability)
        each.append(np.float64(probability) ** (-1 / (len(sentence) + 1)))
    return total, np.mean(each)


def logarithm_at_the_end(P, sentences):
    probability, steps = 1.0, 0
    for sentence in sentences:
        for a, b in pairwise([-1, *sentence, -1]):
            probability *= P[a, b]
            steps += 1
    if probability == 0:
        return -math.inf, math.inf
    return math.log(probability), probability ** (-1 / steps)


def alpha_once_below(counts, smoothing):
    P = np.full(counts.shape, 1 / counts.shape[1])
    for i, row in enumerate(counts):
        if row.sum() > 0:
            P[i] = (row + smoothing) / (row.sum() + smoothing)
    return P


class CutsWhenAsked(CountsRightly):
    def predict(self, words):
        return self.look_up(tuple(words[-self.n :]))


class CutsWithBoundariesWhenAsked(CountsRightly):
    def predict(self, words):
        return self.look_up(tuple((["<b>"] * self.n + words)[-self.n :]))


class CutsRightlyWithoutBoundaries(CountsRightly):
    def predict(self, words):
        return self.look_up(tuple(words[-self.n :] if self.n else []))


def eigenvector_as_it_comes(P):
    values, vectors = np.linalg.eig(P.T)
    vector = np.real(vectors[:, np.argmin(abs(values - 1))])
    return -vector if vector[0] > 0 else vector  # either sign may come


def tickets_without_shares(counts, seed, count, longest):
    rng = np.random.default_rng(seed)
    made = []
    while len(made) < count:
        made.append([])
        at = counts.shape[0] - 1
        for _ in range(longest):
            u, at_next = rng.random(), 0
            reached = counts[at][0]
            while reached <= u:
                at_next += 1
                reached += counts[at][at_next]
            at = at_next
            if at == counts.shape[0] - 1:
                break
            made[-1].append(at)
    return made


def generator_inside(counts, seed, count, longest):
    def one():
        rng, words, at = np.random.default_rng(seed), [], len(counts) - 1
        for _ in range(longest):
            at = rng.choice(len(counts), p=counts[at] / counts[at].sum())
            if at == len(counts) - 1:
                return words
            words.append(int(at))
        return words

    return [one() for _ in range(count)]


def neighbors_that_begin_nowhere(sentences):
    counts = defaultdict(dict)
    for line in sentences:
        words = [*line.split(), "<b>"]
        for i in range(1, len(words)):
            counts[words[i - 1]][words[i]] = counts[words[i - 1]].get(words[i], 0) + 1
    return dict(counts)


def words_but_no_ends(train, size):
    seen = Counter(word for sentence in train for word in sentence)
    return [(seen[i] + 1) / (seen.total() + size + 1) for i in range(size + 1)]


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


def squared_twenty_times(P):
    for _ in range(20):
        P = P @ P
        P = P / P.sum(axis=1, keepdims=True)
    return P[0]


def largest_eigenvector_as_it_comes(P):
    values, vectors = np.linalg.eig(P.T)
    return abs(np.real(vectors[:, np.argmax(values.real)]))


class FallsBack(TrigramsReadBackwards):
    """Read forwards, but with shorter contexts where the long one is unknown."""

    def __init__(self, sentences, order):
        super().__init__(sentences, order)
        self.shorter = [TrigramsReadBackwards(sentences, n) for n in range(order)][::-1]

    def predict(self, words):
        text = ["<b>"] * self.n + words
        for chain in (self, *self.shorter):
            row = chain.table.get(tuple(text[len(text) - chain.n :]))
            if row:
                return {word: times / row.total() for word, times in row.items()}
        return {}


def both_boundaries_counted(P, sentences):
    total, symbols = 0, 0
    for sentence in sentences:
        text = [len(P) - 1, *sentence, len(P) - 1]
        total += sum(np.log(P[text[i - 1], text[i]]) for i in range(1, len(text)))
        symbols += len(text)
    return total, np.exp(-total / symbols)


def many_numbers_at_once(counts, seed, count, longest):
    rng, made = np.random.default_rng(seed), []
    for numbers in rng.random((count, longest)):
        words, at = [], -1
        for u in numbers:
            at = int((counts[at].cumsum() / counts[at].sum() <= u).sum())
            if at == len(counts) - 1:
                break
            words.append(at)
        made.append(words)
    return made


def until_it_settles(P):
    pi = np.full(len(P), 1 / len(P))
    for _ in range(5000):
        pi = pi @ P
    return pi


FURTHER = [
    ("transitions", columns_by_transposing, "columns-normalized"),
    ("transitions", shares_then_smoothed, "probabilities-smoothed"),
    ("chain", TrigramsReadBackwards, "key-order-swapped"),
    ("chain", OneLongText, "counts-across-boundaries"),
    ("chain", FallsBack, "shorter-context-for-unseen"),
    ("transitions", alpha_once_below, "too-little-below"),
    ("chain", CutsWhenAsked, "last-words-only"),
    ("chain", CutsWithBoundariesWhenAsked, "minus-zero-when-asked"),
    ("chain", CutsRightlyWithoutBoundaries, "not-filled-up-when-asked"),
    ("score", logarithm_at_the_end, "product-underflows"),
    ("stationary", eigenvector_as_it_comes, "length-one"),
    ("score", both_boundaries_counted, "both-boundaries-in-the-mean"),
    ("score", bits_undone_by_exp, "exp-of-bits"),
    ("score", log_of_a_little_more, "finite-at-zero"),
    ("score", one_perplexity_each, "mean-of-perplexities"),
    ("sample", tickets_without_shares, "sampled-from-counts"),
    ("sample", generator_inside, "generator-made-anew"),
    ("sample", many_numbers_at_once, "drawn-in-advance"),
    ("neighbors", neighbors_that_begin_nowhere, "start-lost"),
    ("unigram", words_but_no_ends, "tail-lost"),
    ("beat-unigram", pairs_plus_one, "smoothed-too-much"),
    ("beat-unigram", pairs_or_else_single_words, None),  # no catalogue has it: caught all the same
    ("stationary", squared_twenty_times, "periodic-limit"),
    ("stationary", until_it_settles, "periodic-limit-from-everywhere"),
    ("stationary", largest_eigenvector_as_it_comes, "length-one"),
]


@pytest.mark.parametrize(
    ("task", "answer", "name"), FURTHER, ids=[answer.__name__ for _, answer, _ in FURTHER]
)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_further_wrong_answer_is_caught_and_named(task, answer, name, seed):
    task = find_task(f"02-markov/{task}")
    verdict = judge(task, answer, seed)
    assert verdict.status in ("failed", "partial")
    assert verdict.score < task.points
    found = verdict.misconception
    assert (found.name if found else None) == name
