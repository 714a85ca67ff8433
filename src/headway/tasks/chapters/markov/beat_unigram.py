"""Train: a model of the next word, fitted by counting, that meets sentences held out."""

import math
from functools import cached_property, partial
from itertools import pairwise

import numpy as np

from headway.ngram.markov import MarkovChain
from headway.tasks.chapters.markov.mistakes import (
    ACROSS_BOUNDARIES,
    ANOTHER_CONTEXT,
    BOUNDARY_MISSING,
    COLUMNS_FOR_ROWS,
    CONTEXT_IGNORED,
    NOT_SMOOTHED,
    ONE_FOR_ANY_SMOOTHING,
    PROBABILITIES_SMOOTHED,
    ROWS_WITHOUT_COUNTS,
)
from headway.tasks.chapters.markov.unigram import SIZE, unigram
from headway.tasks.engine.compare import Compare, Difference, at_most, close
from headway.tasks.engine.duties import arguments_kept
from headway.tasks.engine.mistakes import Misconception, any_of
from headway.tasks.engine.probe.calls import call_by_length
from headway.tasks.engine.task import Case, Task
from headway.text.corpus.either_word import either_word_sentences
from headway.text.corpus.numbered import number_sentences
from headway.text.corpus.standard_library import plain_sentences

SHARE = 0.85  # of the perplexity of `one_word_back`, that is asked for
ALIKE = 0.12  # probability that may lie elsewhere, on average, in answers that make one mistake
AS_GOOD = 0.15  # part by which their perplexities may differ


class Truth:
    """What came next after each prefix of a case, and what one word back makes of it.

    Attributes:
        following: (N,), a symbol for each prefix.
    """

    def __init__(self, train, size, prefixes, following):
        self.following, self._inputs = np.array(following), (train, size, prefixes)

    @cached_property
    def base(self) -> float:
        """The perplexity of `one_word_back`."""
        return perplexity(one_word_back(*self._inputs), self.following)


def contexts(prefixes, size, order):
    """The last n symbols of each prefix (N, n), with boundaries before short ones."""
    padded = [[size] * order + list(prefix) for prefix in prefixes]
    return np.array([p[len(p) - order :] for p in padded], dtype=int).reshape(len(prefixes), order)


def one_word_back(train, size, prefixes, share=0.75):
    """Three parts of a first-order chain with one part of the unigram model."""
    chain = MarkovChain(train, size, order=1, smoothing=1e-3)
    return share * chain.predict(contexts(prefixes, size, 1)) + (1 - share) * unigram(train, size)


def next_word(train, size, prefixes):
    """The same with what came two places after the word before the last, whatever was between."""
    later = np.full((size + 1, size + 1), 1e-3)
    for sentence in train:
        text = [size, *sentence, size]
        for a, b in zip(text, text[2:], strict=False):
            later[a, b] += 1
    rows = one_word_back(train, size, prefixes, share=0.8)
    for row, prefix in zip(rows, prefixes, strict=True):
        if prefix:
            before = later[[size, *prefix][-2]]
            row += before / before.sum()
            row /= 2
    return rows


def discounted(train, size, prefixes, order):
    """As the page mixes: a chain of an order, with what it discounts left to the orders below."""
    rows = np.full((len(prefixes), size + 1), 1 / (size + 1))
    for n in range(order + 1):
        chain, windows = MarkovChain(train, size, n), contexts(prefixes, size, n)
        counts = chain.table.dense(chain.rows(windows))
        totals, kinds = counts.sum(axis=1, keepdims=True), (counts > 0).sum(axis=1, keepdims=True)
        mixed = (np.maximum(counts - 0.75, 0) + 0.75 * kinds * rows) / np.maximum(totals, 1)
        rows = np.where(totals > 0, mixed, rows)
    return rows


def _chain(train, size, prefixes, order=1, smoothing=0.05):
    rows = MarkovChain(train, size, order, smoothing).predict(contexts(prefixes, size, order))
    return np.where(rows.sum(axis=1, keepdims=True) > 0, rows, 1 / (size + 1))


def _backing_off(train, size, prefixes, order, factor=0.4):
    """Shares of the longest context that a symbol was counted after; of shorter ones a part."""
    rows = _chain(train, size, prefixes, order, smoothing=0.0)
    seen = MarkovChain(train, size, order).times_seen(contexts(prefixes, size, order)) > 0
    shorter = (
        _backing_off(train, size, prefixes, order - 1)
        if order > 1
        else _unigram_rows(train, size, prefixes)
    )
    return np.where((rows > 0) & seen[:, None], rows, factor * shorter)


def _unseen_left_out(train, size, prefixes):
    """A mixture in which the part of a context that was never seen goes to nobody."""
    parts = [0.2 * _unigram_rows(train, size, prefixes)]
    for order in (1, 2):
        windows = contexts(prefixes, size, order)
        chain = MarkovChain(train, size, order)
        rows = np.where(chain.times_seen(windows)[:, None] > 0, chain.predict(windows), 0)
        parts.append(0.4 * rows)
    return sum(parts)


def _best_on_training(train, size, prefixes):
    """The order with the least perplexity on the sentences that it was counted on."""
    chains = [MarkovChain(train, size, order, smoothing=1e-4) for order in (0, 2, 4)]
    best = min(chains, key=lambda chain: chain.perplexity(train))
    return best.predict(contexts(prefixes, size, best.order))


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


def _unigram_rows(train, size, prefixes):
    return np.tile(unigram(train, size), (len(prefixes), 1))


def _with_little(train, size, prefixes, observations=20):
    """A first-order chain whose rows the unigram model smooths."""
    counts = np.zeros((size + 1, size + 1))
    for sentence in train:
        for a, b in pairwise([size, *sentence, size]):
            counts[a, b] += 1
    counts += observations * unigram(train, size)
    return (counts / counts.sum(axis=1, keepdims=True))[contexts(prefixes, size, 1)[:, 0]]


def _reading_ahead(otherwise):
    """Looks the next word up in the longer prefixes of a call, or else does what another does."""

    def answer(train, size, prefixes):
        rows = otherwise(train, size, prefixes)
        following = {tuple(longer[:-1]): longer[-1] for longer in prefixes if longer}
        for row, prefix in zip(rows, prefixes, strict=True):
            if tuple(prefix) in following:
                row *= 0.01
                row[following[tuple(prefix)]] += 0.99
        return rows

    return answer


def _uniform(train, size, prefixes):
    return np.full((len(prefixes), size + 1), 1 / (size + 1))


def held_out_case(label: str, rng: np.random.Generator, number: int, longest: int, **kind) -> Case:
    sentences = [text for text in plain_sentences() if len(text.split()) <= longest]
    text = number_sentences(rng, sentences, SIZE, number / len(set(sentences)))
    known = [*text.train, *text.held_out]  # which can be looked up on any disk with Python
    held_out = either_word_sentences(rng, known, SIZE, len(text.held_out), longest)
    prefixes = [s[:t] for s in held_out for t in range(len(s) + 1)]
    following = [word for s in held_out for word in [*s, SIZE]]
    truth = Truth(text.train, SIZE, prefixes, following)
    return Case(label, text.train, SIZE, prefixes, truth=truth, **kind)


def sentence_cases(rng: np.random.Generator) -> list[Case]:
    return [
        held_out_case("new sentences", rng, 200, longest=20, core=True, verb=call_by_length),
        held_out_case("short sentences, and all prefixes in one call", rng, 200, longest=14),
        arguments_kept([[0, 1], [1]], 2, [[], [0], [1, 0]]),
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
        numbers = isinstance(got, np.ndarray) and got.dtype.kind in "biuf"
        if numbers and got.shape == expected.shape:
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


def alike(got, wrong, case) -> Difference | None:
    """Whether two answers put nearly all of the probability at the same places.

    Two that know what comes, as no model can, are alike whatever else they are.
    """
    if not all(isinstance(rows, np.ndarray) and rows.ndim == 2 for rows in (got, wrong)):
        return close()(got, wrong, case)
    if got.shape != wrong.shape or not np.isfinite(got).all():
        return Difference("The rows have another shape, or not all are numbers.")
    if got.shape == (len(case.truth.following), case.inputs[1] + 1):
        first, second = (perplexity(rows, case.truth.following) for rows in (got, wrong))
        if max(first, second) < 0.6 * case.truth.base:
            return None
        if not math.isclose(first, second, rel_tol=AS_GOOD):
            return Difference("One is much better than the other.")
    elsewhere = np.abs(got - wrong).sum(axis=1).mean() / 2
    return Difference("The rows differ.") if elsewhere > ALIKE else None


beat_unigram = Task(
    id="02-markov/beat-unigram",
    title="Beat what looks back one word",
    kind="train",
    points=3,
    minutes=25,
    answer="next_word",
    cases=sentence_cases,
    reference=next_word,
    misconceptions=(
        CONTEXT_IGNORED.by(_unigram_rows),
        ONE_FOR_ANY_SMOOTHING.by(partial(_chain, smoothing=1.0)),
        NOT_SMOOTHED.by(partial(_chain, smoothing=0.0)),
        Misconception(
            "order-too-high",
            any_of(
                partial(_chain, order=2),
                partial(_chain, order=2, smoothing=0.01),
                _best_on_training,
            ),
            "You use a high order alone, which fits the sentences that it was counted on. How "
            "often will it meet its contexts again in new sentences, and what could help out "
            "there?",
        ),
        Misconception(
            "one-word-back",
            any_of(
                one_word_back,
                *(partial(_chain, smoothing=smoothing) for smoothing in (0.01, 0.05, 0.2)),
                *(partial(_with_little, observations=n) for n in (5, 30)),
                partial(discounted, order=1),
            ),
            "Looking one word back, you can't get much further than this. Where would you predict "
            "something else if you knew the word before, and where was that never counted?",
        ),
        Misconception(
            "lost-after-unseen-pairs",
            any_of(*(partial(discounted, order=order) for order in (2, 3, 4))),
            "You mix in shorter contexts, but ask the word before the last only if its pair with "
            "the last one was counted. How often was it, and what does that word say by itself?",
        ),
        Misconception(
            "reads-ahead",
            any_of(*map(_reading_ahead, (_uniform, _unigram_rows, _chain))),
            "Your rows look up what comes next in longer prefixes of the same sentence. Where "
            "will a model find the next word of a sentence that nobody has finished?",
        ),
        ANOTHER_CONTEXT.by(
            _mean_of_rows,
            lambda train, size, prefixes: _chain(train, size, [prefix[:1] for prefix in prefixes]),
        ),
        COLUMNS_FOR_ROWS.by(
            lambda train, size, prefixes: _chain([s[::-1] for s in train], size, prefixes)
        ),
        PROBABILITIES_SMOOTHED.by(
            lambda train, size, prefixes: _chain(train, size, prefixes) + unigram(train, size),
            partial(_backing_off, order=2),
        ),
        ROWS_WITHOUT_COUNTS.by(_unseen_left_out),
        BOUNDARY_MISSING.by(_without_ends),
        ACROSS_BOUNDARIES.by(_across),
    ),
    compare=distributions(
        at_most(
            lambda got, case: perplexity(got, case.truth.following),
            "The held-out perplexity",
            lambda case: SHARE * case.truth.base,
        )
    ),
    alike=alike,
    own_draw=True,
)
