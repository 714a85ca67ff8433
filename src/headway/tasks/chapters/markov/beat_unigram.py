"""Train: a model of the next word, fitted by counting, that meets sentences held out."""

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from headway.ngram.markov import MarkovChain
from headway.tasks.chapters.markov.unigram import SIZE, unigram
from headway.tasks.engine.compare import Compare, Difference, at_most, close
from headway.tasks.engine.mistakes import Misconception
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


def _chain(train, size, prefixes, order=1, smoothing=0.05, **change):
    rows = MarkovChain(train, size, order, smoothing).predict(contexts(prefixes, size, order))
    return np.where(rows.sum(axis=1, keepdims=True) > 0, rows, 1 / (size + 1))


def _best_on_training(train, size, prefixes):
    """The order with the least perplexity on the sentences that it was counted on."""
    chains = [MarkovChain(train, size, order, smoothing=1e-4) for order in range(5)]
    best = min(range(5), key=lambda order: chains[order].perplexity(train))
    return chains[best].predict(contexts(prefixes, size, best))


def _first_words(train, size, prefixes):
    return _chain(train, size, [prefix[:1] for prefix in prefixes])


def _starts_after_zero(train, size, prefixes):
    return _chain(train, size, [prefix or [0] for prefix in prefixes])


def _transposed(train, size, prefixes):
    return _chain([sentence[::-1] for sentence in train], size, prefixes)


def _mean_of_rows(train, size, prefixes):
    P = MarkovChain(train, size, 1, smoothing=0.05).transition_matrix()
    return np.array([P[[size, *prefix]].mean(axis=0) for prefix in prefixes])


def _not_weighted(train, size, prefixes):
    return _chain(train, size, prefixes) + unigram(train, size)


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
        Misconception(
            "context-ignored",
            lambda train, size, p: np.tile(unigram(train, size), (len(p), 1)),
            "All your rows are alike: this is the unigram model itself. What do you know about "
            "the next word that it does not?",
        ),
        Misconception(
            "smoothed-too-much",
            lambda *case: _chain(*case, smoothing=1.0),
            "This is the first-order chain with one added to every count. Half of the words were "
            "counted some 25 times or less, and there are 401 symbols: how much of such a row do "
            "the ones take?",
        ),
        Misconception(
            "not-smoothed",
            lambda *case: _chain(*case, smoothing=0.0),
            "A pair that was never counted has probability 0 in your model, and the new sentences "
            "hold such pairs. What is the perplexity then?",
        ),
        Misconception(
            "second-order-alone",
            lambda *case: _chain(*case, order=2),
            "This is a chain of order 2. A pair of words was counted less often than a word: how "
            "much is known in its row, and what could help out there?",
        ),
        Misconception(
            "train-perplexity",
            _best_on_training,
            "This is a high order, which is best on the sentences it was counted on. Does it meet "
            "its contexts again in sentences that it has not seen?",
        ),
        Misconception(
            "mean-of-all-words",
            _mean_of_rows,
            "You average the rows of all words so far. Does the first word of a sentence say as "
            "much about the next one as the word right before it?",
        ),
        Misconception(
            "first-word-for-last",
            _first_words,
            "Your rows depend on the first word of each prefix. Which of its words stands right "
            "before the next one?",
        ),
        Misconception(
            "transposed",
            _transposed,
            "Your rows say what comes before a word. What is asked for?",
        ),
        Misconception(
            "mixture-not-weighted",
            _not_weighted,
            "You add two distributions. What does the sum of a row come to, and what would make "
            "it one again?",
        ),
        Misconception(
            "tail-lost",
            _without_ends,
            "Your model hardly believes that a sentence can end. What was counted after the last "
            "words?",
        ),
        Misconception(
            "counts-across-boundaries",
            _across,
            "You count the training text as one long sentence: its boundaries are never counted. "
            "What does your model know about first words, and about ends?",
        ),
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
