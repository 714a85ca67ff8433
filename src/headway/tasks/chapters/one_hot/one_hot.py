"""Build one-hot vectors of any batch shape."""

import numpy as np

from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task
from headway.text.vocabulary import one_hot


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
