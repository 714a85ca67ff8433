"""Stretch: counting neighbors with one matrix product."""

import numpy as np

from headway.tasks.chapters.one_hot.mistakes import NOT_FLOATS, TRANSPOSED
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import AnyOf, Misconception, changed
from headway.tasks.engine.task import Case, Task
from headway.text.vocabulary import one_hot


def count_pairs(ids, size):
    """Counts of neighbors as one product of two one-hot matrices."""
    vectors = one_hot(ids, size)
    return vectors[:-1].T @ vectors[1:]


def telling_sentence(rng: np.random.Generator) -> np.ndarray:
    """Words whose counts of pairs tell directions apart, go beyond one, and have a diagonal."""
    while True:
        ids = rng.permutation(np.repeat(np.arange(4), 3))
        counts = count_pairs(ids, 4)
        if np.any(counts != counts.T) and counts.max() > 1 and np.trace(counts):
            return ids


def pair_cases(rng: np.random.Generator) -> list[Case]:
    return [
        Case("a sentence", telling_sentence(rng), 5, core=True),
        Case(
            "pairs that repeat",
            np.array([0, 1, 0, 1, 0, 1, 1]),
            3,
            compare=close(same_kind=True),
        ),
        Case("a word twice in a row", np.array([2, 2, 0]), 3),
        Case("a single word", np.array([1]), 3),
        Case("no word", np.zeros(0, dtype=int), 3),
    ]


def counting(*products: str) -> AnyOf:
    """Other products of one-hot matrices."""
    return changed(count_pairs, "vectors[:-1].T @ vectors[1:]", *products)


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
        TRANSPOSED.by(counting("vectors[1:].T @ vectors[:-1]")),
        Misconception(
            "places-for-words",
            counting("vectors[:-1] @ vectors[1:].T"),
            "Your rows and columns are places in the text. Over which axis should the product "
            "sum, so that words remain?",
        ),
        Misconception(
            "not-neighbors",
            counting(
                "vectors.T @ np.roll(vectors, -1, axis=0)",
                "vectors.T @ np.roll(vectors, 1, axis=0)",
                "vectors[:-2].T @ vectors[2:]",
                "vectors[:-1].T @ vectors[:-1]",
                "vectors[1:].T @ vectors[1:]",
                "vectors.T @ vectors",
                "vectors.T @ np.triu(np.ones((len(ids), len(ids))), 1) @ vectors",
                "vectors[:-1].T @ vectors[1:] + vectors[1:].T @ vectors[:-1]",
            ),
            "You count other pairs than those asked for. Which word comes right after another, "
            "and does the text go around in a circle?",
        ),
        NOT_FLOATS.by(counting("(vectors[:-1].T @ vectors[1:]).astype(int)")),
        Misconception(
            "pair-missing",
            counting(
                "vectors[:-2].T @ vectors[1:-1]",
                "vectors[1:-1].T @ vectors[2:]",
                "(n := vectors[:-1].T @ vectors[1:]) - np.diag(np.diag(n))",
            ),
            "Pairs are missing from your counts: some of them at one end of the text, or of a "
            "word with itself. Which places do you not count?",
        ),
        Misconception(
            "counts-ignored",
            counting(
                "np.minimum(vectors[:-1].T @ vectors[1:], 1)",
                "(n := vectors[:-1].T @ vectors[1:]) / np.maximum(n.sum(axis=1, keepdims=True), 1)",
                "vectors[:-1].T @ vectors[1:] / max(len(ids) - 1, 1)",
            ),
            "A pair that occurs three times doesn't count three. Does the task ask for counts, "
            "for shares, or for yes and no?",
        ),
    ),
)
