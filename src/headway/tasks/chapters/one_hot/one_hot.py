"""Build one-hot vectors of any batch shape."""

import numpy as np

from headway.tasks.chapters.one_hot.mistakes import (
    AXIS_LOST,
    NOT_FLOATS,
    OFF_BY_ONE,
    ONE_SHAPE_ONLY,
    ROWS_SUMMED,
    SIZED_BY_TEXT,
    TRANSPOSED,
)
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception, any_of
from headway.tasks.engine.requirements import LONE_ROW
from headway.tasks.engine.task import Case, Task
from headway.text.vocabulary import one_hot


def one_hot_cases(rng: np.random.Generator) -> list[Case]:
    return [
        Case("one sentence", rng.permutation(9)[:5], int(rng.integers(10, 14)), core=True),
        Case("a sentence with a repeated word", np.array([2, 0, 2, 2, 5]), 6),
        Case("a batch of two sentences", rng.integers(0, 6, (2, 3)), 7),
        Case("a batch of batches", rng.integers(0, 4, (2, 1, 3)), 5),
        Case("a single id", np.array(int(rng.integers(1, 4))), 4),
        Case("a batch of empty sentences", np.zeros((2, 0), dtype=int), 4),
        Case("an empty sentence", np.zeros(0, dtype=int), 3),
    ]


def every_row_gets_every_word(ids, size):
    vectors = np.zeros((*ids.shape, size))
    vectors[..., ids.ravel()] = 1
    return vectors


def whole_rows(ids, size):
    vectors = np.zeros((*ids.shape, size))
    vectors[ids] = 1
    return vectors


def one_hot_of_a_sentence(ids, size):
    vectors = np.zeros((len(ids), size))
    vectors[np.arange(len(ids)), ids] = 1
    return vectors


def one_hot_in_a_loop(ids, size):
    vectors = np.zeros((len(ids), size))
    for t, i in enumerate(ids):
        vectors[t, i] = 1
    return vectors


one_hot_task = Task(
    id="01-one-hot/one-hot",
    title="One-hot vectors of any batch shape",
    kind="build",
    points=2,
    minutes=7,
    answer="one_hot",
    cases=one_hot_cases,
    reference=one_hot,
    misconceptions=(
        SIZED_BY_TEXT.by(
            lambda ids, size: np.equal(ids[..., None], np.arange(ids.shape[-1])).astype(float),
            lambda ids, size: one_hot(ids, ids.max() + 1),
            lambda ids, size: one_hot(ids, ids.max(initial=-1) + 1),
        ),
        TRANSPOSED.by(
            lambda ids, size: np.moveaxis(one_hot(ids, size), -1, 0),
            lambda ids, size: np.swapaxes(one_hot(ids, size), -1, -2),
            lambda ids, size: one_hot(ids, size).T,
        ),
        AXIS_LOST.by(lambda ids, size: one_hot(ids.ravel(), size)),
        OFF_BY_ONE.by(
            lambda ids, size: np.roll(one_hot(ids, size), -1, axis=-1),
            lambda ids, size: np.roll(one_hot(ids, size), 1, axis=-1),
            lambda ids, size: np.eye(size, k=1)[ids],
            lambda ids, size: np.eye(size, k=-1)[ids],
        ),
        LONE_ROW.by(lambda ids, size: one_hot(ids, size).squeeze()),
        ONE_SHAPE_ONLY.by(one_hot_of_a_sentence, one_hot_in_a_loop),
        ROWS_SUMMED.by(
            lambda ids, size: one_hot(ids, size).sum(axis=max(ids.ndim - 1, 0)),
            lambda ids, size: np.isin(np.arange(size), ids).astype(float),
            lambda ids, size: one_hot(ids, size).sum(axis=-2),
        ),
        NOT_FLOATS.by(
            lambda ids, size: one_hot(ids, size).astype(int),
            lambda ids, size: one_hot(ids, size).astype(bool),
        ),
        Misconception(
            "one-index-missing",
            any_of(every_row_gets_every_word, whole_rows),
            "Your ones fill whole rows or columns, or find no place. Where does a single one go: "
            "which row, and which column?",
        ),
    ),
    compare=equal(same_kind=True),
)
