"""Stretch: counting neighbors with one matrix product."""

from itertools import product

import numpy as np

from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task
from headway.text.vocabulary import one_hot


def count_pairs(ids, size):
    """Counts of neighbors as one product of two one-hot matrices."""
    vectors = one_hot(ids, size)
    return vectors[:-1].T @ vectors[1:]


def pair_cases(rng: np.random.Generator) -> list[Case]:
    return [
        Case("a sentence", rng.permutation(np.repeat(np.arange(4), 3)), 5, core=True),
        Case("pairs that repeat", np.array([0, 1, 0, 1, 0, 1, 1]), 3, core=True),
        Case("a word twice in a row", np.array([2, 2, 0]), 3),
        Case("a single word", np.array([1]), 3),
        Case("no word", np.zeros(0, dtype=int), 3),
    ]


def _looped(ids, size, pairs, step=lambda count: count + 1):
    counts = np.zeros((size, size))
    for a, b in pairs(ids):
        counts[a, b] = step(counts[a, b])
    return counts


pairs = Task(
    id="01-one-hot/pairs",
    title="Count neighbors with one product",
    kind="stretch",
    points=4,
    minutes=15,
    answer="count_pairs",
    cases=pair_cases,
    reference=count_pairs,
    misconceptions=(
        Misconception(
            "transposed",
            lambda ids, size: count_pairs(ids, size).T,
            "Row and column are swapped: your rows are the second words.",
        ),
        Misconception(
            "places-for-words",
            lambda ids, size: one_hot(ids, size)[:-1] @ one_hot(ids, size)[1:].T,
            "Your rows and columns are places in the text. Over which axis should the product sum, "
            "so that words remain?",
        ),
        Misconception(
            "wrapped-around",
            lambda ids, size: _looped(ids, size, lambda i: zip(i, np.roll(i, -1), strict=True)),
            "There is one pair too many: the last word with the first. Are they neighbors?",
        ),
        Misconception(
            "words-with-themselves",
            lambda ids, size: _looped(ids, size, lambda i: zip(i, i, strict=True)),
            "Only the diagonal is filled: each word was paired with itself.",
        ),
        Misconception(
            "seen-or-not",
            lambda ids, size: np.minimum(count_pairs(ids, size), 1),
            "A pair that occurs three times counts once. Do your ones add up?",
        ),
        Misconception(
            "both-directions",
            lambda ids, size: count_pairs(ids, size) + count_pairs(ids, size).T,
            "Each pair is counted in both orders. Is “my files” the same pair as “files my”?",
        ),
        Misconception(
            "all-pairs",
            lambda ids, size: _looped(
                ids, size, lambda i: (p for n, a in enumerate(i) for p in product([a], i[n + 1 :]))
            ),
            "Each word is paired with every later word, not with its neighbor only.",
        ),
    ),
)
