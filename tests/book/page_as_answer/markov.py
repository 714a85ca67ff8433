"""What a student makes of the lines of chapter 2, and what is then still missing."""

import math
import random
from collections import Counter
from functools import cache, partial

import numpy as np


def transitions(file):
    return lambda counts, smoothing: counts / counts.sum(axis=1, keepdims=True)


def chain(file, mark="", said=lambda times: [1]):
    class Chain:
        def __init__(self, log, order):
            texts = [words for words, times in log for _ in said(times)]
            self.order, self.table = order, file["count"](texts, order)

        def __len__(self):
            return len(self.table)

        def predict(self, words):
            context, _ = file["windows"](words, self.order)[-1]
            row = self.table.get(context, {})
            return {word or mark: count / row.total() for word, count in row.items()}

    return Chain


def first_chain(file, **options):
    """Of the page's first `count`, which has no shorter contexts."""
    exec(FIRST_COUNT, file)
    return chain(file, mark="<b>", **options)


def score(file):
    def answer(P, sentences):
        pairs = [pair for text in sentences for pair in file["windows"](text, 1)]
        torn = file["perplexity"]([P[at(P, a), at(P, b)] for (a,), b in pairs])
        return [-math.log(torn), torn]

    def at(P, symbol):
        return len(P) - 1 if symbol == "" else symbol

    return answer


def sample(file, cut=False):
    def answer(counts, seed, count, longest):
        names, rng = [*range(len(counts) - 1), ""], random.Random(seed)
        table = {
            (name,): Counter({b: n for b, n in zip(names, row.tolist(), strict=True) if n})
            for name, row in zip(names, counts, strict=True)
        }
        texts = [file["write"](table, 1, rng) for _ in range(count)]
        return [text[:longest] for text in texts] if cut else texts

    return answer


def unigram(file):
    def answer(train, size):
        table = file["count"](train, 0)
        return np.array([file["probability"](table, (), i, size + 1) for i in [*range(size), ""]])

    return answer


def shares(file):
    def answer(train, size):
        row = file["count"](train, 0)[()]
        return np.array([row[i] / row.total() for i in [*range(size), ""]])

    return answer


def next_word(file):
    def answer(train, size, prefixes):
        table, symbols = file["count"](train, 2), [*range(size), ""]

        @cache
        def row(context):
            return [file["probability"](table, context, i, size + 1) for i in symbols]

        return np.array([row(file["windows"](prefix, 2)[-1][0]) for prefix in prefixes])

    return answer


# Chapter 2: what the page counts at first.
FIRST_COUNT = """
def count(texts, order):
    table = defaultdict(Counter)
    for text in texts:
        for context, symbol in windows(text, order):
            table[context][symbol] += 1
    return table
"""


ANSWERS = [
    ("02-markov/transitions", transitions, "not-smoothed"),
    ("02-markov/chain", chain, "counts-ignored"),
    ("02-markov/chain", partial(chain, mark="<b>"), "counts-ignored"),
    ("02-markov/chain", partial(chain, said=range), "halves-lost"),
    ("02-markov/chain", first_chain, "counts-ignored"),
    ("02-markov/chain", partial(first_chain, said=range), "halves-lost"),
    ("02-markov/score", score, "mean-for-sum"),
    ("02-markov/sample", sample, "another-generator"),
    ("02-markov/sample", partial(sample, cut=True), "another-generator"),
    ("02-markov/unigram", unigram, "smoothing-miscounted"),
    ("02-markov/unigram", shares, "not-smoothed"),
    ("02-markov/beat-unigram", next_word, "lost-after-unseen-pairs"),
]
NO_ANSWER = {
    # Here to use the page's `count` and to call its ends "<b>" is to repair the given function.
    "02-markov/neighbors",
}
