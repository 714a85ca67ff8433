"""Stretch: vectors, without training, whose softmax is a given table of probabilities."""

import numpy as np

from headway.tasks.chapters.embeddings.mistakes import (
    ANOTHER_LOGARITHM,
    ANOTHER_WHOLE,
    GIVEN_AND_GUESSED,
    STRENGTHS_MISCOUNTED,
    TABLE_FOR_VECTORS,
    TRANSPOSED,
    WEAKEST_KEPT,
)
from headway.tasks.engine.compare import Difference
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def vectors_for(P, width):
    """E (M, k) and U (V, k), k ≤ width, with softmax(E Uᵀ) = P.

    A softmax does not see what is added to a whole row, so ln P may lose the mean of each row. What
    is left has the least rank, and a singular value decomposition finds its factors.
    """
    logits = np.log(P)
    logits = logits - logits.mean(axis=1, keepdims=True)
    left, strengths, right = np.linalg.svd(logits, full_matrices=False)
    return left[:, :width] * strengths[:width], right[:width].T


def softmax(scores: np.ndarray) -> np.ndarray:
    """Of each row, (M, V)."""
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)


def by_hand_cases(rng: np.random.Generator) -> list[Case]:
    def draw(label, M, V, width, size=1.0, **kind):
        """A table that some vectors of this width have, with words that are common and rare."""
        given, guessed = rng.normal(size=(M, width)), rng.normal(size=(V, width))
        given[:, 0] += 1.5
        return Case(label, softmax(size * given @ guessed.T), width, **kind)

    alike = np.tile(softmax(rng.normal(size=(1, 5))), (4, 1))
    return [
        draw("six words after four contexts", 4, 6, 2, core=True),
        draw("a chain of seven words", 7, 7, 3, core=True),
        draw("a single column", 5, 4, 1),
        draw("words that hardly ever come", 5, 6, 2, size=5.0),
        Case("all contexts alike", alike, 1),
        Case("all words equally likely", np.full((3, 4), 1 / 4), 1),
        Case("as wide as you like", softmax(rng.normal(size=(3, 5))), 9),
        draw("a single context", 1, 5, 1),
    ]


def factors(value, case) -> tuple[np.ndarray, np.ndarray] | str:
    """The two tables that an answer gave, or a sentence on why they are none."""
    P, width = case.inputs
    try:
        given, guessed = (np.asarray(part, dtype=float) for part in value)
    except (TypeError, ValueError):
        return "two tables are asked for: E and U."
    if given.ndim != 2 or guessed.ndim != 2 or given.shape[1] != guessed.shape[1]:
        return (
            f"the shapes are {given.shape} and {guessed.shape}; expected ({len(P)}, C) and "
            f"({P.shape[1]}, C)."
        )
    if (len(given), len(guessed)) != P.shape:
        return (
            f"the tables have {len(given)} and {len(guessed)} rows, expected {len(P)} and "
            f"{P.shape[1]}."
        )
    if given.shape[1] > width:
        return f"the vectors have {given.shape[1]} numbers; at most {width} are allowed."
    if not (np.isfinite(given).all() and np.isfinite(guessed).all()):
        return "some numbers are NaN or infinite."
    return given, guessed


def gives_the_table(got, expected, case) -> Difference | None:
    """Whether the softmax of the dot products is the table; many vectors do that."""
    found = factors(got, case)
    if isinstance(found, str):
        return Difference(found)
    P, shares = case.inputs[0], softmax(found[0] @ found[1].T)
    if np.allclose(shares, P, atol=1e-7, rtol=1e-3):
        return None
    return Difference("the softmax of your dot products is another table.", shares, P)


def alike(got, wrong, case) -> Difference | None:
    """Whether two answers give the same table, or have the same shapes that do not fit."""
    mine, theirs = factors(got, case), factors(wrong, case)
    if isinstance(mine, str) or isinstance(theirs, str):
        return None if mine is theirs or mine == theirs else Difference("the shapes differ.")
    shares = (softmax(given @ guessed.T) for given, guessed in (mine, theirs))
    agree = np.allclose(*shares, atol=1e-6, rtol=1e-3)
    return None if agree else Difference("the tables differ.")


LOG, CENTER = "np.log(P)", "    logits = logits - logits.mean(axis=1, keepdims=True)\n"
KEPT = "left[:, :width] * strengths[:width], right[:width].T"
SVD = "np.linalg.svd(logits, full_matrices=False)"

by_hand_task = Task(
    id="06-embeddings/by-hand",
    title="Vectors for a table, without training",
    kind="stretch",
    points=4,
    minutes=20,
    answer="vectors_for",
    cases=by_hand_cases,
    reference=vectors_for,
    misconceptions=(
        Misconception(
            "rows-not-centered",
            any_of(
                changed(vectors_for, CENTER, ""),
                changed(
                    vectors_for,
                    "logits.mean(axis=1, keepdims=True)",
                    "logits.mean(axis=0)",
                    "logits.mean()",
                    "logits[0]",
                    "logits.max()",
                ),
            ),
            "You factor the logarithms as they are, or take the wrong numbers away from them. What "
            "may change in the scores of a row without changing its softmax?",
        ),
        Misconception(
            "logarithm-missing",
            changed(vectors_for, LOG, "P", "P - 1 / P.shape[1]", "np.log1p(P)", "np.sqrt(P)"),
            "Your scores are the probabilities themselves, or another function of them. Which "
            "function does a softmax undo, up to the sum?",
        ),
        ANOTHER_WHOLE.by(changed(vectors_for, LOG, "np.log(P / (1 - P))")),
        ANOTHER_LOGARITHM.by(changed(vectors_for, LOG, "np.log2(P)", "np.log10(P)")),
        STRENGTHS_MISCOUNTED.by(
            changed(vectors_for, KEPT, "left[:, :width], right[:width].T"),
            changed(
                vectors_for,
                KEPT,
                "left[:, :width] * strengths[:width], right[:width].T * strengths[:width]",
                "left[:, :width] * strengths[:width] ** 0.5, right[:width].T",
            ),
        ),
        WEAKEST_KEPT.by(
            changed(
                vectors_for,
                KEPT,
                "(left * strengths)[:, -width:], right[-width:].T",
                "left[:, -width:] * strengths[:width], right[-width:].T",
            )
        ),
        TRANSPOSED.by(
            changed(
                vectors_for,
                KEPT,
                "left[:, :width] * strengths[:width], right[:width]",
                "left[:, :width] * strengths[:width], right[:, :width]",
                "(left[:, :width] * strengths[:width]).T, right[:width]",
            )
        ),
        GIVEN_AND_GUESSED.by(
            changed(vectors_for, KEPT, "right[:width].T, left[:, :width] * strengths[:width]")
        ),
        TABLE_FOR_VECTORS.by(
            lambda P, width: (np.log(P), np.eye(P.shape[1])),
            lambda P, width: (np.eye(len(P)), np.log(P).T),
            changed(vectors_for, KEPT, "left * strengths, right.T"),
            changed(
                vectors_for,
                KEPT,
                "left[:, : width + 1] * strengths[: width + 1], right[: width + 1].T",
            ),
            lambda P, width: (np.log(P)[:, :width], np.eye(P.shape[1])[:, :width]),
            lambda P, width: (np.eye(len(P))[:, :width], np.log(P).T[:, :width]),
        ),
    ),
    compare=gives_the_table,
    alike=alike,
    excused=("kind-of-numbers", "overflow"),  # of probabilities
)
