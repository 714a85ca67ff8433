"""Build a matrix product out of dot products."""

import numpy as np

from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task
from headway.text.vocabulary import one_hot


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


def _dots(A, B, dot=np.dot):
    if A.shape[1] != B.shape[0]:
        raise ValueError(f"inner sizes differ: {A.shape} and {B.shape}")
    return np.array([[dot(row, column) for column in B.T] for row in A])


def _without_check(A, B):
    inner = min(A.shape[1], B.shape[0])
    return A[:, :inner] @ B[:inner]


def _stretched(A, B):
    """Lets NumPy's broadcasting notice, which takes a size of 1 for any size."""
    return np.array([[sum(row * column) for column in B.T] for row in A])


def _cosine(a, b):
    return a @ b / (np.linalg.norm(a) * np.linalg.norm(b))


matmul = Task(
    id="01-one-hot/matmul",
    title="A matrix product out of dot products",
    kind="build",
    points=2,
    minutes=12,
    answer="matmul",
    cases=matmul_cases,
    reference=_dots,
    misconceptions=(
        Misconception(
            "rows-with-rows",
            lambda A, B: _dots(A, B.T),
            "You pair rows of A with rows of B. Which of B's vectors has as many numbers as a row "
            "of A?",
        ),
        Misconception(
            "transposed",
            lambda A, B: _dots(A, B).T,
            "Every dot product is right, but rows and columns of the result are swapped. Which "
            "index comes from A?",
        ),
        Misconception(
            "order-swapped",
            lambda A, B: _dots(B, A),
            "This is B times A. Is that the same?",
        ),
        Misconception(
            "outer-for-inner",
            lambda A, B: A[:, :, None] * B[None, :, :] if A.shape[1] == B.shape[0] else _dots(A, B),
            "The products are all there, with the inner axis still in place. What is missing?",
        ),
        Misconception(
            "cosine-for-dot",
            lambda A, B: _dots(A, B, _cosine),
            "Your numbers lie between −1 and 1: the lengths of the vectors were divided out.",
        ),
        Misconception(
            "last-product-only",
            lambda A, B: _dots(A, B, lambda row, column: row[-1] * column[-1]),
            "Each of your numbers is the last product of its dot product. Where are the others?",
        ),
        Misconception(
            "size-one-stretched",
            _stretched,
            "You leave it to NumPy to notice that sizes do not fit. What does it make of one "
            "number times a vector of three?",
        ),
        Misconception(
            "sizes-unchecked",
            _without_check,
            "Where the inner sizes differ, you drop what has no partner and return a number. "
            "Would you rather know?",
        ),
    ),
)
