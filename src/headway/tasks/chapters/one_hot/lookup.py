"""Build a lookup: the product with one-hot vectors, without the product."""

import numpy as np

from headway.tasks.chapters.one_hot.mistakes import (
    AXIS_LOST,
    OFF_BY_ONE,
    ONE_SHAPE_ONLY,
    ROWS_SUMMED,
)
from headway.tasks.chapters.one_hot.one_hot import one_hot_in_a_loop
from headway.tasks.engine.mistakes import Misconception, any_of
from headway.tasks.engine.requirements import LONE_ROW, RESULT_KEPT, result_kept
from headway.tasks.engine.task import Case, Task
from headway.text.vocabulary import look_up


def lookup_cases(rng: np.random.Generator) -> list[Case]:
    table = np.round(rng.normal(size=(5, 3)), 2)
    square = np.round(rng.normal(size=(4, 4)), 2)
    return [
        Case("one sentence", rng.permutation([3, 1, 4, 1, 0]), table, core=True),
        Case("a square table", rng.permutation(4)[:3], square, core=True),
        Case("a batch of two sentences", rng.integers(0, 5, (2, 4)), table),
        Case("a batch of one sentence", rng.integers(0, 5, (1, 4)), table),
        Case("a single id", np.array(int(rng.integers(0, 5))), table),
        result_kept(np.array(int(rng.integers(0, 5))), table),
        Case("an empty sentence", np.zeros(0, dtype=int), table),
        Case("an id beyond the last row", np.array([0, 5]), table),
        Case("a negative id", np.array([0, -1]), table),
    ]


def checked(ids, table):
    if ids.size and (ids.min() < 0 or ids.max() >= len(table)):
        raise IndexError(f"an id is not in 0 … {len(table) - 1}")
    return ids


def _largest_and_smallest(ids, table):
    if ids.min() < 0 or ids.max() >= len(table):
        raise IndexError("no such id")
    return table[ids]


lookup = Task(
    id="01-one-hot/lookup",
    title="The product without the product",
    kind="build",
    points=2,
    minutes=6,
    answer="look_up",
    cases=lookup_cases,
    reference=look_up,
    misconceptions=(
        Misconception(
            "columns-for-rows",
            any_of(
                lambda ids, table: table[:, checked(ids, table)],
                lambda ids, table: table.T[checked(ids, table)],
            ),
            "You take columns of the table. Which way do the numbers of one word run in it?",
        ),
        Misconception(
            "negative-wraps",
            lambda ids, table: table[ids],
            "An id of −1 gives the last word's row without a complaint. NumPy counts negative "
            "indices from the end; does a vocabulary?",
        ),
        Misconception(
            "unknown-id-answered",
            any_of(
                lambda ids, table: table[np.clip(ids, 0, len(table) - 1)],
                lambda ids, table: table[np.clip(ids, 0, len(table) - 1)].copy(),
                lambda ids, table: table[ids % len(table)],
                lambda ids, table: table[ids % len(table)].copy(),
                lambda ids, table: np.equal.outer(ids, np.arange(len(table))) @ table,
            ),
            "An id that names no row gets numbers all the same. Whose are they, and how would a "
            "reader find out?",
        ),
        AXIS_LOST.by(lambda ids, table: table[checked(ids, table).ravel()]),
        OFF_BY_ONE.by(lambda ids, table: np.roll(table, 1, axis=0)[checked(ids, table)]),
        ROWS_SUMMED.by(
            lambda ids, table: table[checked(ids, table)].sum(axis=-2),
            lambda ids, table: table[checked(ids, table)].sum(axis=ids.ndim - 1),
            lambda ids, table: table[checked(ids, table)].sum(axis=0),
        ),
        RESULT_KEPT.by(
            lambda ids, table: table[checked(ids, table) if ids.ndim else int(checked(ids, table))]
        ),
        LONE_ROW.by(lambda ids, table: table[checked(ids, table)].squeeze()),
        ONE_SHAPE_ONLY.by(
            lambda ids, table: np.array([table[i] for i in checked(ids, table)]),
            lambda ids, table: np.array([table[i] for i in ids]),
            lambda ids, table: one_hot_in_a_loop(ids, len(table)) @ table,
            lambda ids, table: np.reshape(
                [table[i] for i in checked(ids, table)], (len(ids), *table.shape[1:])
            ),
            _largest_and_smallest,
        ),
    ),
)
