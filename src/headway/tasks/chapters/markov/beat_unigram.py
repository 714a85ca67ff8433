"""Train: a model of the next word, fitted by counting, that meets sentences held out."""

import math
from functools import cached_property
from itertools import pairwise

import numpy as np

from headway.ngram.markov import MarkovChain
from headway.tasks.chapters.markov.mistakes import (
    ANOTHER_CONTEXT,
    BOUNDARY_MISSING,
    COLUMNS_FOR_ROWS,
    CONTEXT_IGNORED,
    NOT_SMOOTHED,
    ONE_FOR_ANY_SMOOTHING,
    ROWS_WITHOUT_COUNTS,
)
from headway.tasks.chapters.markov.unigram import SIZE, unigram
from headway.tasks.engine.compare import Compare, Difference, at_most
from headway.tasks.engine.mistakes import seen
from headway.tasks.engine.probe.calls import call_by_length
from headway.tasks.engine.requirements import arguments_kept
from headway.tasks.engine.task import Case, Task
from headway.text.corpus.either_word import either_word_sentences
from headway.text.corpus.numbered import number_sentences
from headway.text.corpus.standard_library import plain_sentences

SHARE = 0.85  # of the perplexity of `one_word_back`, that is asked for
UNKNOWABLE = 0.6  # and what nobody reaches without looking
LIKE = 0.12  # probability that may be elsewhere, on average, in rows that are alike
SHORT = "short sentences, and all prefixes in one call"


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
        held_out_case(SHORT, rng, 200, longest=14),
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
            if perplexity(got, case.truth.following) < UNKNOWABLE * case.truth.base:
                return Difference(
                    "The held-out perplexity is lower than it can be without knowing what comes."
                )
        return then(got, expected, case)

    return compare


class Seen:
    """Rows of probabilities, and what can be read off them.

    Attributes:
        rows: (N, V+1), what the answer predicts after each prefix.
        share: their perplexity, as a part of that of `one_word_back`.

    Raises:
        ValueError: if there is no row for each prefix.
    """

    def __init__(self, got, expected, case):
        self.train, self.size, self.prefixes = case.inputs
        self.rows, self.following = np.asarray(got, dtype=float), case.truth.following
        if self.rows.shape != expected.shape:
            raise ValueError(f"expected the shape {expected.shape}, got {self.rows.shape}")
        self.share = perplexity(self.rows, self.following) / case.truth.base
        self.words = perplexity(_words_alone(case), self.following) / case.truth.base

    @cached_property
    def is_counted(self) -> np.ndarray:
        """For each prefix whether its last two words were counted together."""
        pairs = {
            pair for s in self.train for pair in pairwise([self.size, self.size, *s, self.size])
        }
        return np.array([tuple(pair) in pairs for pair in contexts(self.prefixes, self.size, 2)])

    def depends_only_on(self, key, among=slice(None)) -> bool:
        """Whether prefixes with the same key, of several different ones, have the same row."""
        first, different = {}, set()
        for place in np.arange(len(self.rows))[among]:
            prefix = self.prefixes[place]
            other = first.setdefault(key(prefix), place)
            if not np.allclose(self.rows[other], self.rows[place], atol=1e-6):
                return False
            if self.prefixes[other] != prefix:
                different.add(key(prefix))
        return bool(different)

    def is_like(self, rows) -> bool:
        """Whether nearly all of the probability is in the same places as in other rows."""
        return bool(np.abs(self.rows - rows).sum(axis=1).mean() / 2 < LIKE)


def _words_alone(case):
    train, size, prefixes = case.inputs
    return np.tile(unigram(train, size), (len(prefixes), 1))


def on(tells):
    """A predicate on what was predicted."""
    return lambda got, expected, case: bool(tells(Seen(got, expected, case)))


def last(prefix):
    return tuple(prefix[-1:])


def turned(it) -> bool:
    """Rows of a chain that was counted from behind, and unlike one that was counted forward."""
    windows = contexts(it.prefixes, it.size, 1)
    forward, backward = (
        MarkovChain(sentences, it.size, order=1, smoothing=0.05).predict(windows)
        for sentences in (it.train, [sentence[::-1] for sentence in it.train])
    )
    return it.is_like(backward) and not it.is_like(forward)


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
        ROWS_WITHOUT_COUNTS.by(
            shows=on(
                lambda it: (
                    not np.isclose(it.rows[~it.is_counted].sum(axis=1), 1, atol=1e-4).all()
                    and np.isclose(it.rows[it.is_counted].sum(axis=1), 1, atol=1e-4).all()
                )
            )
        ),
        seen(
            "rows-not-distributions",
            "Your rows don't all add up to one, or some numbers are below 0. What do you add or "
            "leave out after a row was a distribution, and by what do you divide?",
            on(
                lambda it: (
                    not np.isclose(it.rows.sum(axis=1), 1, atol=1e-4).all() or (it.rows < 0).any()
                )
            ),
        ),
        CONTEXT_IGNORED.by(shows=on(lambda it: it.depends_only_on(lambda prefix: ()))),
        NOT_SMOOTHED.by(shows=on(lambda it: np.isinf(it.share))),
        BOUNDARY_MISSING.by(
            shows=on(lambda it: it.rows[:, it.size].sum() < 0.2 * (it.following == it.size).sum())
        ),
        COLUMNS_FOR_ROWS.by(shows=on(turned)),
        ANOTHER_CONTEXT.by(
            shows=on(
                lambda it: (
                    it.depends_only_on(lambda prefix: tuple(prefix[:1]))
                    or it.depends_only_on(len)
                    or it.depends_only_on(lambda prefix: tuple(sorted(prefix)))
                )
            )
        ),
        ONE_FOR_ANY_SMOOTHING.by(
            shows=on(
                lambda it: it.is_like(
                    MarkovChain(it.train, it.size, order=1, smoothing=1.0).predict(
                        contexts(it.prefixes, it.size, 1)
                    )
                )
            )
        ),
        seen(
            "order-too-high",
            "You use a high order alone, which fits the sentences that it was counted on. How "
            "often will it meet its contexts again in new sentences, and what could help out "
            "there?",
            on(lambda it: it.depends_only_on(lambda prefix: (), ~it.is_counted)),
        ),
        seen(
            "one-word-back",
            "Looking one word back, you can't get much further than this. Where would you predict "
            "something else if you knew the word before, and where was that never counted?",
            on(lambda it: it.depends_only_on(last)),
        ),
        seen(
            "lost-after-unseen-pairs",
            "You mix in shorter contexts, but ask the word before the last only if its pair with "
            "the last one was counted. How often was it, and what does that word say by itself?",
            on(lambda it: it.depends_only_on(last, ~it.is_counted)),
        ),
        seen(
            "worse-than-words-alone",
            "Your rows predict worse than the shares of the words alone. Where are they sure of "
            "something that hardly ever comes?",
            on(lambda it: it.share > it.words),
        ),
        seen(
            "gained-too-little",
            "Your rows look back more than one word, and gain too little by it. What does the word "
            "before the last say where its pair with the last was never counted?",
            on(lambda it: it.share > SHARE),
        ),
        # When it is asked by length it can't, and the other case tells it.
        seen(
            "reads-ahead",
            "Your rows look up what comes next in longer prefixes of the same sentence. Where "
            "will a model find the next word of a sentence that nobody has finished?",
            lambda got, expected, case: (
                case.core or perplexity(got, case.truth.following) < UNKNOWABLE * case.truth.base
            ),
        ),
        seen(
            "right-in-long-sentences",
            "This is right for long sentences and wrong for short ones, all prefixes in one call. "
            "What do your rows hold for a prefix without words, and in which order are they?",
            only_at=(SHORT,),
        ),
    ),
    compare=distributions(
        at_most(
            lambda got, case: perplexity(got, case.truth.following),
            "The held-out perplexity",
            lambda case: SHARE * case.truth.base,
        )
    ),
    own_draw=True,
)
