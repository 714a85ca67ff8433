"""Build: the votes of all pairs, counted in a corpus."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

import numpy as np

from headway.ngram.transition import normalize
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task

Sentence = Sequence[int]


def _earlier(sentence: Sentence, t: int) -> Iterable[int]:
    return set(sentence[:t])


def _triples(
    sentences: Iterable[Sentence],
    size: int,
    earlier: Callable[[Sentence, int], Iterable[int]] = _earlier,
) -> Iterator[tuple[int, int, int]]:
    """Every (earlier word, latest word, next word); the end of a sentence is `size`."""
    for sentence in sentences:
        for t in range(len(sentence)):
            following = sentence[t + 1] if t + 1 < len(sentence) else size
            yield from ((word, sentence[t], following) for word in earlier(sentence, t))


def _counts(triples: Iterable[tuple[int, int, int]], size: int) -> np.ndarray:
    counts = np.zeros((size, size, size + 1))
    for triple in triples:
        counts[triple] += 1
    return counts


def vote_table(sentences: Iterable[Sentence], size: int) -> np.ndarray:
    """P(next | earlier, latest), float64 (V, V, V+1); zero where a pair was never seen."""
    return normalize(_counts(_triples(sentences, size), size))


def table_cases(rng: np.random.Generator) -> list[Case]:
    drawn = [rng.integers(0, 5, length).tolist() for length in (6, 5, 4, 6)]
    order = rng.permutation(6).tolist()
    one, two, three, four, *_ = order
    fork = [[one, two, three, four], [three, two, one, four], [one, two, four]]
    return [
        Case("three sentences that share words", fork, 6, core=True),
        Case("four sentences drawn at random", drawn, 5),
        Case("a word that comes twice before the latest", [[0, 0, 1, 2], [0, 1, 3]], 4),
        Case("a latest word that stood there before", [[2, 1, 2, 0], [2, 2]], 3),
        Case("a pair that is present at several places", [[0, 1, 2, 1, 2, 1], [2, 1]], 3),
        Case("sentences of one word", [[1], [0], [2, 0]], 3),
        Case("an empty sentence among others", [[0, 1], [], [1, 0]], 2),
        Case("no sentence", [], 3),
    ]


def _within(axis: int | tuple[int, ...]) -> Callable:
    """Shares along other axes than the last."""

    def shares(sentences, size):
        counts = _counts(_triples(sentences, size), size)
        totals = counts.sum(axis=axis, keepdims=True)
        return np.divide(counts, totals, out=np.zeros_like(counts), where=totals > 0)

    return shares


def _from(earlier: Callable[[Sentence, int], Iterable[int]]) -> Callable:
    """The table, with other words taken for the earlier ones."""
    return lambda sentences, size: normalize(_counts(_triples(sentences, size, earlier), size))


def _without_check(sentences, size):
    counts = _counts(_triples(sentences, size), size)
    return counts / counts.sum(axis=-1, keepdims=True)


def _without_ends(sentences, size):
    triples = (triple for triple in _triples(sentences, size) if triple[2] < size)
    return normalize(_counts(triples, size))


def _both_orders(sentences, size):
    counts = _counts(_triples(sentences, size), size)
    return normalize(counts + counts.transpose(1, 0, 2))


def _run_together(sentences, size):
    return vote_table([list(chain.from_iterable(sentences))], size)


def _once_a_sentence(sentences, size):
    return normalize(_counts((t for s in sentences for t in set(_triples([s], size))), size))


def _last_seen(sentences, size):
    table = np.zeros((size, size, size + 1))
    for earlier, latest, following in _triples(sentences, size):
        table[earlier, latest] = np.eye(size + 1)[following]
    return table


table = Task(
    id="03-skip-bigrams/table",
    title="The vote table of a corpus",
    kind="build",
    points=3,
    minutes=18,
    answer="vote_table",
    cases=table_cases,
    reference=vote_table,
    misconceptions=(
        Misconception(
            "next-word-leak",
            _from(lambda s, t: {*s[:t], *s[t + 1 :]}),
            "Pairs are made with words on both sides: the next word, which is to be predicted, is "
            "among the voters. What is known when only the latest word has been read?",
        ),
        Misconception(
            "future-words",
            _from(lambda s, t: set(s[t + 1 :])),
            "Your pairs hold words that come after the latest one, and none from before. On which "
            "side of the latest word have you looked?",
        ),
        Misconception(
            "adjacency-only",
            _from(lambda s, t: s[t - 1 : t] if t else []),
            "Only neighbors make pairs: these are the rows of a second-order chain. Where are the "
            "pairs with a gap?",
        ),
        Misconception(
            "self-pair",
            _from(lambda s, t: set(s[: t + 1])),
            "Each word is also paired with itself, from its very own place. What stands before the "
            "first word of a sentence?",
        ),
        Misconception(
            "twin-dropped",
            _from(lambda s, t: set(s[:t]) - {s[t]}),
            "A word that stood there before as well is not paired with itself. Two places with the "
            "same word: is one of them earlier?",
        ),
        Misconception(
            "set-lost",
            _from(lambda s, t: s[:t]),
            "A word that comes twice before the latest one counts twice. How often is its pair "
            "present in the prefix?",
        ),
        Misconception(
            "once-a-sentence",
            _once_a_sentence,
            "A pair that one word follows at two places of a sentence counts once for both. How "
            "many prefixes does that sentence have in which the pair is present?",
        ),
        Misconception(
            "pairs-unordered",
            _both_orders,
            "The first two axes can be swapped without a change: (battery, ran) and (ran, battery) "
            "share a row. Are they the same feature?",
        ),
        Misconception(
            "axes-swapped",
            lambda sentences, size: vote_table(sentences, size).transpose(1, 0, 2),
            "The numbers are right, and the latest word is on the first axis. Which one is asked "
            "for there?",
        ),
        Misconception(
            "counts-for-votes",
            lambda sentences, size: _counts(_triples(sentences, size), size),
            "These are counts. How many votes does each pair have to give, however often it was "
            "seen?",
        ),
        Misconception(
            "normalized-over-earlier",
            _within(0),
            "Your shares sum to one over the earlier words. Over what should the votes of one pair "
            "sum to one?",
        ),
        Misconception(
            "normalized-over-latest-word",
            _within((0, 2)),
            "All pairs with the same latest word share one vote among them. How much does a single "
            "row sum to?",
        ),
        Misconception(
            "unseen-is-nan",
            _without_check,
            "Pairs that were never seen have NaN in their rows. What is 0 divided by 0, and what "
            "should a pair vote for that nobody has seen?",
        ),
        Misconception(
            "tail-lost",
            _without_ends,
            "The last column is empty: no pair ever votes for the end of a sentence. What follows "
            "the last word?",
        ),
        Misconception(
            "across-sentences",
            _run_together,
            "Words of one sentence are paired with words of the next. Where does a prefix begin?",
        ),
        Misconception(
            "last-seen-wins",
            _last_seen,
            "Each row holds a single one: the word that was seen last. What became of the times "
            "before?",
        ),
    ),
    compare=close(),
)
