"""Train: a model of the next word, fitted by counting, that meets sentences held out."""

import math
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from headway.ngram.markov import MarkovChain
from headway.tasks.chapters.markov.mistakes import (
    ACROSS_BOUNDARIES,
    ADDED_TO_PROBABILITIES,
    COLUMNS_FOR_ROWS,
    CONTEXT_IGNORED,
    END_MISSING,
    FIRST_WORDS_FOR_LAST,
    NOT_SMOOTHED,
    ONE_FOR_ANY_SMOOTHING,
    WHOLE_PREFIX,
)
from headway.tasks.chapters.markov.unigram import SIZE, unigram
from headway.tasks.engine.compare import Compare, Difference, at_most, close
from headway.tasks.engine.mistakes import Misconception, any_of
from headway.tasks.engine.task import Case, Task
from headway.text.corpus.numbered import number_sentences
from headway.text.corpus.standard_library import plain_sentences

SHARE = 0.65  # of the unigram model's perplexity, that is asked for


class Truth(NamedTuple):
    """What came next after each prefix, and the perplexity of the unigram model there."""

    following: np.ndarray
    unigram: float


def contexts(prefixes, size, order):
    """The last n symbols of each prefix (N, n), with boundaries before short ones."""
    padded = [[size] * order + list(prefix) for prefix in prefixes]
    return np.array([p[len(p) - order :] for p in padded], dtype=int).reshape(-1, order)


def next_word(train, size, prefixes):
    """Three parts of a first-order chain with one part of the unigram model."""
    chain = MarkovChain(train, size, order=1, smoothing=1e-3)
    return 0.75 * chain.predict(contexts(prefixes, size, 1)) + 0.25 * unigram(train, size)


def _chain(train, size, prefixes, order=1, smoothing=0.05):
    rows = MarkovChain(train, size, order, smoothing).predict(contexts(prefixes, size, order))
    return np.where(rows.sum(axis=1, keepdims=True) > 0, rows, 1 / (size + 1))


def _best_on_training(train, size, prefixes):
    """The order with the least perplexity on the sentences that it was counted on."""
    chains = [MarkovChain(train, size, order, smoothing=1e-4) for order in range(5)]
    best = min(range(5), key=lambda order: chains[order].perplexity(train))
    return chains[best].predict(contexts(prefixes, size, best))


def _mean_of_rows(train, size, prefixes):
    P = MarkovChain(train, size, 1, smoothing=0.05).transition_matrix()
    return np.array([P[[size, *prefix]].mean(axis=0) for prefix in prefixes])


def _without_ends(train, size, prefixes):
    counts = np.full((size + 1, size + 1), 0.05)
    for sentence in train:
        for a, b in pairwise([size, *sentence]):
            counts[a, b] += 1
    counts[:, size] = 1e-6
    return (counts / counts.sum(axis=1, keepdims=True))[contexts(prefixes, size, 1)[:, 0]]


def _across(train, size, prefixes):
    counts = np.full((size + 1, size + 1), 0.05)
    for a, b in pairwise([word for sentence in train for word in sentence]):
        counts[a, b] += 1
    return (counts / counts.sum(axis=1, keepdims=True))[contexts(prefixes, size, 1)[:, 0]]


def held_out_case(label: str, rng: np.random.Generator, number: int, longest: int, **kind) -> Case:
    sentences = [text for text in plain_sentences() if len(text.split()) <= longest]
    text = number_sentences(rng, sentences, SIZE, number / len(set(sentences)))
    prefixes = [s[:t] for s in text.held_out for t in range(len(s) + 1)]
    following = np.array([word for s in text.held_out for word in [*s, SIZE]])
    base = perplexity(np.tile(unigram(text.train, SIZE), (len(prefixes), 1)), following)
    return Case(label, text.train, SIZE, prefixes, truth=Truth(following, base), **kind)


def sentence_cases(rng: np.random.Generator) -> list[Case]:
    return [
        held_out_case("fifty new sentences", rng, 50, longest=100, core=True),
        held_out_case("sentences of at most 14 words", rng, 100, longest=14),
    ]


def perplexity(rows: np.ndarray, following: np.ndarray) -> float:
    """exp of the mean of −ln of what the rows (N, V+1) give to the symbols that came (N,)."""
    with np.errstate(divide="ignore"):
        return math.exp(-np.log(rows[np.arange(len(following)), following]).mean())


def distributions(then: Compare) -> Compare:
    """An array of rows that are distributions, and then what another comparison asks of them.

    So many numbers in lists would not travel to the judge, so the check refuses them as well.
    """

    def compare(got, expected, case) -> Difference | None:
        if isinstance(got, list):
            return Difference("This is a list of rows. Give an array, with a row for each prefix.")
        if isinstance(got, np.ndarray) and got.shape == expected.shape and got.dtype.kind == "f":
            sums = got.sum(axis=1)
            if (got < 0).any():
                return Difference("There are probabilities below 0.")
            off = np.flatnonzero(~np.isclose(sums, 1, atol=1e-4))
            if off.size:
                return Difference(
                    f"{off.size} of {len(got)} rows are no distributions: row {off[0]} sums to "
                    f"{sums[off[0]]:.6g}."
                )
        return then(got, expected, case)

    return compare


beat_unigram = Task(
    id="02-markov/beat-unigram",
    title="Beat the unigram model",
    kind="train",
    points=3,
    minutes=20,
    answer="next_word",
    cases=sentence_cases,
    reference=next_word,
    misconceptions=(
        CONTEXT_IGNORED.by(
            lambda train, size, prefixes: np.tile(unigram(train, size), (len(prefixes), 1))
        ),
        ONE_FOR_ANY_SMOOTHING.by(partial(_chain, smoothing=1.0)),
        NOT_SMOOTHED.by(partial(_chain, smoothing=0.0)),
        Misconception(
            "order-too-high",
            any_of(partial(_chain, order=2), _best_on_training),
            "This is a high order alone, which fits the sentences that it was counted on. Does it "
            "meet its contexts again in sentences that it has not seen, and what could help out?",
        ),
        WHOLE_PREFIX.by(_mean_of_rows),
        FIRST_WORDS_FOR_LAST.by(
            lambda train, size, prefixes: _chain(train, size, [prefix[:1] for prefix in prefixes])
        ),
        COLUMNS_FOR_ROWS.by(
            lambda train, size, prefixes: _chain([s[::-1] for s in train], size, prefixes)
        ),
        ADDED_TO_PROBABILITIES.by(
            lambda train, size, prefixes: _chain(train, size, prefixes) + unigram(train, size)
        ),
        END_MISSING.by(_without_ends),
        ACROSS_BOUNDARIES.by(_across),
    ),
    compare=distributions(
        at_most(
            lambda got, case: perplexity(got, case.truth.following),
            "The held-out perplexity",
            lambda case: SHARE * case.truth.unigram,
        )
    ),
    alike=close(atol=0.01),
)
