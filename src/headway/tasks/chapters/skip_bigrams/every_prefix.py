"""Stretch: the masked votes of all prefixes of a sentence at once."""

from collections.abc import Callable

import numpy as np

from headway.ngram.transition import normalize
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task
from headway.text.vocabulary import one_hot


def _by_presence(ids, votes, masks, before: Callable[[np.ndarray], np.ndarray], cap=1.0):
    """Votes of all prefixes, by a matrix (T, T) that says which places lie before which.

    Args:
        before: makes it of a matrix of ones.
        cap: the most that a word counts in a prefix.
    """
    places = before(np.ones((len(ids), len(ids))))
    present = np.minimum(places @ one_hot(ids, len(votes)), cap)  # (T, V): earlier words, each once
    return np.einsum("te,etw->tw", present * masks[ids], votes[:, ids])


def every_prefix_votes(ids: np.ndarray, votes: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """Row t holds the masked votes after ids[:t+1]: float64 (T, V+1)."""
    return _by_presence(ids, votes, masks, lambda ones: np.tril(ones, -1))


def prefix_cases(rng: np.random.Generator) -> list[Case]:
    def draw(V):
        return normalize(rng.integers(1, 5, (V, V, V + 1))), rng.random((V, V)) < 0.6

    order = rng.permutation(6)
    square = rng.permutation(5)  # as many places as words: nothing but the values tells axes apart
    twice = np.array([order[0], order[1], order[0], order[0], order[2]])
    V6, V5 = draw(6), draw(5)
    return [
        Case("a sentence without repeats", order[:4], *V6, core=True),
        Case("as many places as words", square, *V5, core=True),
        Case("a word that comes three times", twice, V6[0], V6[1] | True),
        Case("a masked pair in each row", order[:5], V6[0], np.roll(np.eye(6), 1, axis=0) < 1),
        Case("a single word", order[:1], *V6),
        Case("no word", order[:0], *V6),
    ]


def _last_row_only(ids, votes, masks):
    rows = every_prefix_votes(ids, votes, masks)
    return rows[-1] if len(rows) else np.zeros(votes.shape[-1])


every_prefix = Task(
    id="03-skip-bigrams/every-prefix",
    title="Every prefix at once",
    kind="stretch",
    points=4,
    minutes=25,
    answer="every_prefix_votes",
    cases=prefix_cases,
    reference=every_prefix_votes,
    misconceptions=(
        Misconception(
            "self-pair",
            lambda ids, v, m: _by_presence(ids, v, m, np.tril),
            "Each word is among its own earlier words. What stands on the diagonal of your matrix "
            "of places, and should it?",
        ),
        Misconception(
            "future-words",
            lambda ids, v, m: _by_presence(ids, v, m, lambda ones: np.triu(ones, 1)),
            "Your first row has votes and your last has none: words vote that come later. Which "
            "half of the matrix of places lies before?",
        ),
        Misconception(
            "whole-sentence",
            lambda ids, v, m: _by_presence(ids, v, m, lambda ones: ones - np.eye(len(ones))),
            "Every word sees all others, later ones included. What could a reader know at the "
            "second word?",
        ),
        Misconception(
            "adjacency-only",
            lambda ids, v, m: _by_presence(ids, v, m, lambda ones: np.eye(len(ones), k=-1)),
            "Each word sees its neighbor and nothing further back. Where are the skips?",
        ),
        Misconception(
            "set-lost",
            lambda ids, v, m: _by_presence(
                ids, v, m, lambda ones: np.tril(ones, -1), cap=float("inf")
            ),
            "A word that comes three times votes three times. The product counts how often a word "
            "is there: what was asked, how often or whether?",
        ),
        Misconception(
            "mask-by-earlier",
            lambda ids, v, m: every_prefix_votes(ids, v, m.T),
            "Your mask is turned round. Which word pulls its row of masks, the latest or the "
            "earlier?",
        ),
        Misconception(
            "no-mask",
            lambda ids, v, m: every_prefix_votes(ids, v, m | True),
            "All pairs vote. Where do the masks come in?",
        ),
        Misconception(
            "pair-turned-round",
            lambda ids, v, m: every_prefix_votes(ids, v.transpose(1, 0, 2), m),
            "The rows you add belong to pairs that are turned round. Which word is on the first "
            "axis of the vote table?",
        ),
        Misconception(
            "one-step-late",
            lambda ids, v, m: np.roll(every_prefix_votes(ids, v, m), 1, axis=0),
            "Each row is the right one for the prefix that is a word shorter. What is the latest "
            "word of row 0?",
        ),
        Misconception(
            "last-row-only",
            _last_row_only,
            "These are the votes after the whole sentence. What of the shorter prefixes?",
        ),
    ),
    compare=close(),
)
