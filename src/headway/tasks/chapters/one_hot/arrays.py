"""Build the arrays: one-hot vectors, a product out of dot products, a lookup."""

import numpy as np

from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task
from headway.text.vocabulary import look_up, one_hot


def one_hot_cases(rng: np.random.Generator) -> list[Case]:
    return [
        Case("one sentence", rng.permutation(5)[:4], 9, core=True),
        Case("a sentence with a repeated word", np.array([2, 0, 2, 2, 5]), 6),
        Case("a batch of two sentences", rng.integers(0, 6, (2, 3)), 7),
        Case("a batch of batches", rng.integers(0, 4, (2, 1, 3)), 5),
        Case("a single id", np.array(int(rng.integers(1, 4))), 4),
        Case("an empty sentence", np.zeros(0, dtype=int), 3),
    ]


def _every_row_gets_every_word(ids, size):
    vectors = np.zeros((*ids.shape, size))
    vectors[..., ids.ravel()] = 1
    return vectors


one_hot_task = Task(
    id="01-one-hot/one-hot",
    title="One-hot vectors of any batch shape",
    kind="build",
    points=2,
    minutes=10,
    answer="one_hot",
    cases=one_hot_cases,
    reference=one_hot,
    misconceptions=(
        Misconception(
            "sized-by-sentence",
            lambda ids, size: np.equal(ids[..., None], np.arange(ids.shape[-1])).astype(float),
            "Your vectors are as long as the sentence. Each place of a one-hot vector stands for a "
            "word of the vocabulary: how many are there?",
        ),
        Misconception(
            "sized-by-largest-id",
            lambda ids, size: one_hot(ids, ids.max() + 1),
            "Your vectors end at the largest id that happens to occur. Could the vectors of two "
            "sentences be compared, or multiplied with the same matrix?",
        ),
        Misconception(
            "vocabulary-first",
            lambda ids, size: np.moveaxis(one_hot(ids, size), -1, 0),
            "Ones and zeros are right, and the vocabulary is the first axis. Which axis is asked?",
        ),
        Misconception(
            "batch-flattened",
            lambda ids, size: one_hot(ids.ravel(), size),
            "All vectors stand in one long column. Which of them belong to the second sentence?",
        ),
        Misconception(
            "integers",
            lambda ids, size: one_hot(ids, size).astype(int),
            "The values are right, but they are integers. What will these vectors be multiplied "
            "with?",
        ),
        Misconception(
            "off-by-one",
            lambda ids, size: np.roll(one_hot(ids, size), -1, axis=-1),
            "Each one stands a place too far to the left. Does the first word have id 0 or 1?",
        ),
        Misconception(
            "every-row-gets-every-word",
            _every_row_gets_every_word,
            "Every row holds the ones of the whole sentence. Your index chooses columns; what "
            "chooses the row that belongs to each?",
        ),
    ),
    compare=equal(same_kind=True),
)


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


def lookup_cases(rng: np.random.Generator) -> list[Case]:
    table = np.round(rng.normal(size=(5, 3)), 2)
    square = np.round(rng.normal(size=(4, 4)), 2)
    return [
        Case("one sentence", np.array([3, 1, 4, 1]), table, core=True),
        Case("a square table", rng.permutation(4)[:3], square, core=True),
        Case("a batch of two sentences", rng.integers(0, 5, (2, 4)), table),
        Case("an empty sentence", np.zeros(0, dtype=int), table),
        Case("an id beyond the last row", np.array([0, 5]), table),
        Case("a negative id", np.array([0, -1]), table),
    ]


def _checked(ids, table):
    if ids.size and (ids.min() < 0 or ids.max() >= len(table)):
        raise IndexError(f"an id is not in 0 … {len(table) - 1}")
    return ids


lookup = Task(
    id="01-one-hot/lookup",
    title="The product without the product",
    kind="build",
    points=2,
    minutes=8,
    answer="look_up",
    cases=lookup_cases,
    reference=look_up,
    misconceptions=(
        Misconception(
            "columns-for-rows",
            lambda ids, table: table[:, _checked(ids, table)],
            "You take columns. Which way do the numbers of one word run in the table?",
        ),
        Misconception(
            "table-transposed",
            lambda ids, table: table.T[_checked(ids, table)],
            "These are rows of the transposed table. Compare your first row with the table's.",
        ),
        Misconception(
            "negative-wraps",
            lambda ids, table: table[ids],
            "An id of −1 gives the last word's row without a complaint. NumPy counts negative "
            "indices from the end; does a vocabulary?",
        ),
        Misconception(
            "clipped",
            lambda ids, table: table[np.clip(ids, 0, len(table) - 1)],
            "Ids that name no row are moved to the nearest. Whose row does an unknown word get?",
        ),
        Misconception(
            "batch-flattened",
            lambda ids, table: table[_checked(ids, table).ravel()],
            "The rows are right, but the sentences have run together.",
        ),
        Misconception(
            "off-by-one",
            lambda ids, table: np.roll(table, 1, axis=0)[_checked(ids, table)],
            "Each word gets the row above its own. Does counting start at 0 or at 1?",
        ),
        Misconception(
            "rows-summed",
            lambda ids, table: table[_checked(ids, table)].sum(axis=-2),
            "You add up the rows of a sentence. How many vectors should seven words give?",
        ),
    ),
)
