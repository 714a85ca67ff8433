"""Build a matrix product out of dot products."""

import numpy as np

from headway.tasks.chapters.one_hot.mistakes import (
    COSINE_FOR_DOT_PRODUCT,
    PRODUCTS_NOT_ADDED,
    TRANSPOSED,
)
from headway.tasks.engine.mistakes import Misconception, changed
from headway.tasks.engine.task import Case, Task
from headway.text.vocabulary import one_hot


def dots(A, B):
    """The product (n, m) of A (n, k) and B (k, m); a ValueError if the inner sizes differ."""
    if A.shape[1] != B.shape[0]:
        raise ValueError(f"inner sizes differ: {A.shape} and {B.shape}")
    return np.array([[row @ column for column in B.T] for row in A])


def matmul_cases(rng: np.random.Generator) -> list[Case]:
    def draw(*shape):
        return rng.integers(-4, 5, shape) + rng.choice([0.25, 0.5], shape)

    return [
        Case("2 × 3 times 3 × 4", draw(2, 3), draw(3, 4), core=True),
        Case("two square matrices", draw(3, 3), draw(3, 3)),
        Case("a row times a column", draw(1, 5), draw(5, 1)),
        Case("a column times a row", draw(4, 1), draw(1, 2)),
        Case("one-hot rows times a table", one_hot([2, 0, 2], 3), draw(3, 2)),
        Case("inner sizes that differ", draw(2, 3), draw(4, 2)),
        Case("inner sizes 1 and 3", draw(2, 1), draw(3, 2)),
    ]


OUTER = "A[:, :, None] * B"
unchecked = changed(dots, "A.shape[1] != B.shape[0]", "False")

matmul = Task(
    id="01-one-hot/matmul",
    title="A matrix product out of dot products",
    kind="build",
    points=2,
    minutes=12,
    answer="matmul",
    cases=matmul_cases,
    reference=dots,
    misconceptions=(
        Misconception(
            "rows-with-rows",
            lambda A, B: dots(A, B.T),
            "You pair rows of A with rows of B. Which of B's vectors has as many numbers as a row "
            "of A?",
        ),
        TRANSPOSED.by(lambda A, B: dots(A, B).T),
        Misconception(
            "factors-swapped", lambda A, B: dots(B, A), "This is B times A. Is that the same?"
        ),
        PRODUCTS_NOT_ADDED.by(
            changed(dots, "row @ column", "row * column"),
            changed(dots, "np.array([[row @ column for column in B.T] for row in A])", OUTER),
        ),
        COSINE_FOR_DOT_PRODUCT.by(
            changed(
                dots,
                "row @ column",
                "row @ column / np.linalg.norm(row) / np.linalg.norm(column)",
            )
        ),
        Misconception(
            "last-product-only",
            changed(dots, "row @ column", "row[-1] * column[-1]"),
            "Each of your numbers is the last product of its dot product. Where are the others?",
        ),
        Misconception(
            "sizes-unchecked",
            changed(
                *unchecked,
                "row @ column",
                "sum(row * column)",
                "sum(a * b for a, b in zip(row, column, strict=False))",
            ),
            "Where the inner sizes differ, you return numbers: what has no partner is dropped, or "
            "a single number is used again for all. Would you rather know?",
        ),
    ),
)
