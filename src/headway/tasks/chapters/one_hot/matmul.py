"""Build a matrix product out of dot products."""

import numpy as np

from headway.tasks.chapters.one_hot.mistakes import PRODUCTS_NOT_ADDED, TRANSPOSED
from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.requirements import WHOLE_NUMBERS
from headway.tasks.engine.task import Case, Task

SPOILED = "spoiled numbers"


def dots(A, B):
    """The product (n, m) of A (n, k) and B (k, m), in which 0 times anything is 0.

    Raises:
        ValueError: if the inner sizes differ.
    """
    if A.shape[1] != B.shape[0]:
        raise ValueError(f"inner sizes differ: {A.shape} and {B.shape}")
    return np.array([[row[row != 0] @ column[row != 0] for column in B.T] for row in A])


def _filled(A, B, kind):
    """The product, summed up in an array of some kind of numbers."""
    dots(A, B)
    C = np.zeros((len(A), B.shape[1]), dtype=kind)
    for i, j, k in np.ndindex(*C.shape, len(B)):
        if A[i, k]:
            C[i, j] += A[i, k] * B[k, j]
    return C


def matmul_cases(rng: np.random.Generator) -> list[Case]:
    def draw(*shape):
        """Numbers of which none is 0 and one at least is negative."""
        whole = draw_until(lambda drawn: drawn.min() < 0, lambda: rng.integers(-4, 5, shape))
        return whole + rng.choice([0.25, 0.5], shape)

    ids, table = rng.permutation(4)[:3], draw(4, 2)
    table[ids[0]] = np.inf, -np.inf
    table[(set(range(4)) - set(ids.tolist())).pop()] = np.nan
    spoiled = draw(3, 2)
    spoiled[0, 0], spoiled[1, 1] = np.nan, 0
    beside = np.abs(draw(2, 3)) + 1
    beside[1, 1] = np.inf
    return [
        Case("2 × 3 times 3 × 4", draw(2, 3), draw(3, 4), core=True),
        Case("two square matrices", draw(3, 3), draw(3, 3)),
        Case("a row times a column", draw(1, 5), draw(5, 1)),
        Case("a column times a row", draw(4, 1), draw(1, 2)),
        Case("whole numbers times fractions", rng.integers(1, 6, (2, 2)), draw(2, 3)),
        Case("fractions times whole numbers", draw(3, 2), rng.integers(1, 6, (2, 2))),
        Case("one-hot rows times a spoiled table", np.eye(4)[ids], table, path=SPOILED),
        Case("NaN against fractions, and infinity in A against 0", beside, spoiled, path=SPOILED),
        Case("inner sizes that differ", draw(2, 4), draw(3, 2)),
        Case("inner sizes 1 and 3", draw(2, 1), draw(3, 2)),
    ]


DOT = "row[row != 0] @ column[row != 0]"
OUTER = "A[:, :, None] * B"
unchecked = changed(dots, "A.shape[1] != B.shape[0]", "False")
(plain,) = changed(dots, DOT, "row @ column")


def only_nan_mended(A, B):
    C = plain(A, B)
    return np.where(np.isnan(C), plain(np.nan_to_num(A), np.nan_to_num(B, posinf=0, neginf=0)), C)


matmul = Task(
    id="01-one-hot/matmul",
    title="A matrix product out of dot products",
    kind="build",
    points=2,
    minutes=14,
    answer="matmul",
    cases=matmul_cases,
    reference=dots,
    misconceptions=(
        Misconception(
            "wrong-partners",
            any_of(
                lambda A, B: dots(A, B.T),
                lambda A, B: plain(A, B.T),
                lambda A, B: dots(B, A),
                lambda A, B: plain(B, A),
            ),
            "You pair rows of A with rows of B, or multiply B by A. Which vectors of B have as "
            "many numbers as a row of A?",
        ),
        TRANSPOSED.by(lambda A, B: dots(A, B).T, lambda A, B: plain(A, B).T),
        PRODUCTS_NOT_ADDED.by(
            changed(dots, DOT, "row * column"),
            changed(dots, f"np.array([[{DOT} for column in B.T] for row in A])", OUTER),
        ),
        Misconception(
            "cosine-for-dot-product",
            changed(
                dots,
                DOT,
                f"{DOT} / np.linalg.norm(row) / np.linalg.norm(column)",
                "row @ column / np.linalg.norm(row) / np.linalg.norm(column)",
            ),
            "You give the cosine of the angle, a number between −1 and 1, instead of the dot "
            "product. What does a dot product know besides the angle?",
        ),
        Misconception(
            "product-missing",
            changed(
                dots,
                DOT,
                "row[-1] * column[-1]",
                "np.append(0, (row * column)[row != 0])[-1]",
                "np.append(0, row * column)[-1]",
                "sum(a * b for a, b in list(zip(row, column, strict=True))[1:] if a)",
                "sum(a * b for a, b in list(zip(row, column, strict=True))[:-1] if a)",
            ),
            "Products are missing from your dot products. Which ones does your loop reach, and "
            "what happens to the earlier ones?",
        ),
        Misconception(
            "too-much-left-out",
            any_of(
                changed(
                    dots,
                    DOT,
                    "row[row > 0] @ column[row > 0]",
                    "row[np.isfinite(column)] @ column[np.isfinite(column)]",
                    "row @ np.nan_to_num(column)",
                    "(row * column)[~np.isnan(row * column)].sum()",
                    "np.nan_to_num(row * column, posinf=np.inf, neginf=-np.inf).sum()",
                    "row[(row != 0) & (column != 0)] @ column[(row != 0) & (column != 0)]",
                ),
                changed(
                    *unchecked,
                    DOT,
                    "sum(a * b for a, b in zip(row, column, strict=False) if a > 0)",
                ),
                lambda A, B: plain(A, np.nan_to_num(B, posinf=0, neginf=0)),
                lambda A, B: plain(A, np.nan_to_num(B)),
                lambda A, B: plain(np.nan_to_num(A), np.nan_to_num(B)),
                only_nan_mended,
            ),
            "You leave out more than the zeros of A. Which other products count: those of "
            "negative numbers, of infinity, of NaN, or of a 0 in B?",
        ),
        WHOLE_NUMBERS.by(
            lambda A, B: _filled(A, B, int),
            lambda A, B: _filled(A, B, A.dtype),
            lambda A, B: _filled(A, B, B.dtype),
            lambda A, B: dots(A, B).astype(A.dtype),
            lambda A, B: dots(A, B).astype(B.dtype),
            lambda A, B: plain(A, B).astype(A.dtype),
            lambda A, B: plain(A, B).astype(B.dtype),
        ),
        Misconception(
            "zero-times-infinity",
            plain,
            "This is right except where a 0 in A meets infinity or NaN, and yours says NaN. What "
            "does 0 times infinity give in Python, and what should it give here?",
        ),
        Misconception(
            "sizes-unchecked",
            changed(
                *unchecked,
                DOT,
                "sum(np.where(row == 0, 0, row * column))",
                "sum(a * b for a, b in zip(row, column, strict=False) if a)",
                "sum(row * column)",
                "sum(a * b for a, b in zip(row, column, strict=False))",
            ),
            "Where the inner sizes differ, you still return numbers. Which number of a row has no "
            "partner then, and would you rather know?",
        ),
    ),
)
