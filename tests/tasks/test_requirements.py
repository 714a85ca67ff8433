"""What every built answer owes: the right answers keep it, and who does not is told by name."""

from copy import deepcopy
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from headway.chapters import ASSIGNMENTS
from headway.tasks.engine.compare import equal
from headway.tasks.engine.find import find_task, tasks_of
from headway.tasks.engine.judge import judge
from headway.tasks.engine.probe.calls import forward, use
from headway.tasks.engine.probe.outcomes import Raised, observe
from headway.tasks.engine.probe.plain import plain
from headway.tasks.engine.requirements import (
    KINDS,
    REQUIREMENTS,
    RESULT_KEPT,
    requirement_cases,
    requirement_of,
    result_kept,
    usual_case,
)
from headway.tasks.engine.task import Case, Task
from headway.text.vocabulary import one_hot

ASKED = (*KINDS, "debug")
BUILT = [task for chapter in ASSIGNMENTS for task in tasks_of(chapter.name) if task.kind in ASKED]


def is_finite(value) -> bool:
    if isinstance(value, dict | list):
        return all(map(is_finite, value.values() if isinstance(value, dict) else value))
    return bool(np.isfinite(value).all()) if np.asarray(value).dtype.kind == "f" else True


@pytest.mark.parametrize("task", BUILT, ids=lambda task: task.id)
def test_the_right_answer_keeps_each_requirement_that_its_task_is_not_excused_from(task):
    cases = task.cases(np.random.default_rng(5))
    first = usual_case(cases)
    once = observe(first.verb or task.verb, task.reference, deepcopy(first.inputs))
    usual = is_finite(once.value)
    for case in requirement_cases(task, cases):
        requirement = requirement_of(case).name
        outcome = observe(case.verb or task.verb, task.reference, deepcopy(case.inputs))
        excuse = f"{task.id} cannot keep {requirement}: say so in its text and in `excused`"
        assert not isinstance(outcome, Raised), (excuse, outcome)
        assert is_finite(outcome.value) or not usual, excuse
        if requirement == "argument-changed":
            given = case.inputs[2] if task.verb is forward else case.inputs
            assert equal()(outcome.value, plain(list(given)), case) is None, excuse
        elif requirement in ("result-shared", "second-call-differs"):
            compare = first.compare or task.compare
            assert compare(outcome.value, once.value, first) is None, excuse


def test_what_a_task_is_excused_from_is_a_requirement():
    excused = {name for task in BUILT for name in task.excused}
    assert excused <= {requirement.name for requirement in REQUIREMENTS}


def mean_rows(rows):
    """A right answer: the rows of a matrix less the mean of each."""
    return rows - rows.mean(-1, keepdims=True)


def grown(rows, calls=[]):  # noqa: B006 - the mistake itself
    calls.append(1)
    return mean_rows(rows) + (len(calls) > 3)


def subtracted(rows):
    rows -= rows.mean(-1, keepdims=True)
    return rows.copy()


KEPT = np.zeros((3, 4))


def returned_from_a_store(rows):
    if rows.shape != KEPT.shape:
        return mean_rows(rows)
    np.copyto(KEPT, mean_rows(rows))
    return KEPT


def squeezed(rows):
    return mean_rows(rows.squeeze())


def cut(rows):
    result = np.zeros_like(rows)
    result[:] = mean_rows(rows)
    return result


def single(rows):
    return mean_rows(rows.astype(np.float16).astype(float)) if rows.max() > 100 else mean_rows(rows)


CENTERED = Task(
    id="00-none/center",
    title="Rows less their means",
    kind="build",
    points=4,
    minutes=1,
    answer="center",
    cases=lambda rng: [
        Case("a matrix", rng.normal(size=(3, 4)), core=True),
        Case("a matrix of two columns", rng.normal(size=(5, 2))),
    ],
    reference=mean_rows,
)


@pytest.mark.parametrize("kind", ASKED)
def test_who_changes_an_argument_is_told_whatever_the_kind_of_the_task(kind):
    verdict = judge(replace(CENTERED, kind=kind), subtracted)
    assert verdict.misconception.name == "argument-changed"


@pytest.mark.parametrize(
    ("wrong", "name"),
    [
        (subtracted, "argument-changed"),
        (grown, "second-call-differs"),
        (returned_from_a_store, "result-shared"),
        (squeezed, "lost-when-alone"),
        (cut, "kind-of-numbers"),
        (single, "overflow"),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_who_fails_a_requirement_alone_loses_a_part_and_is_told_its_name(wrong, name):
    verdict = judge(CENTERED, wrong)
    assert verdict.misconception.name == name, verdict.cases
    # Half for the core; of the other half, requirements and corner case are a part each.
    assert (verdict.status, verdict.score) == ("partial", 3)
    assert verdict.reason


IN_32_BITS = replace(
    CENTERED,
    cases=lambda rng: [Case("32 bits", rng.normal(size=(3, 4)).astype(np.float32), core=True)],
)


@pytest.mark.parametrize(("off", "name"), [(5e-4, None), (2e-3, "overflow")])
def test_large_numbers_of_32_bits_may_be_off_by_their_rounding_and_no_more(off, name):
    def answer(rows):
        return mean_rows(rows) * np.float32(1 + off * (rows.max() > 10))

    verdict = judge(IN_32_BITS, answer)
    assert (verdict.misconception and verdict.misconception.name) == name
    assert (verdict.score == 4) == (name is None)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("got", "expected"),
    [
        ([np.nan, 1], [2, 1]),
        ([np.inf, 1], [np.inf, 2]),
        ([2], [2, 2]),
        ([3j, 1], [2, 1]),
        ([[1e4, 1], [0, 0]], [[1e4, 1], [2, 2]]),
    ],
)
def test_no_rounding_makes_up_for_another_row_or_what_is_not_finite_or_of_another_kind(
    got, expected
):
    cases = IN_32_BITS.cases(np.random.default_rng(0))
    made = requirement_cases(IN_32_BITS, cases)
    (large,) = [case for case in made if requirement_of(case).name == "overflow"]
    dtype = np.complex64 if 3j in got else np.float32
    assert large.compare(np.array(got, dtype), np.array(expected, np.float32), large)


def chosen(rows, mask=None):
    return mean_rows(rows) if mask is None else mean_rows(rows) * mask


def mask_turned_twice(rows, mask=None):
    if mask is not None:
        mask[...] = ~mask
        return mean_rows(rows) * ~mask
    return mean_rows(rows)


def test_the_arguments_are_looked_at_in_the_case_that_has_most_of_them():
    def cases(rng):
        rows = rng.normal(size=(3, 4))
        return [Case("rows", rows, core=True), Case("a mask", rows.copy(), rows > 0, path="a mask")]

    verdict = judge(replace(CENTERED, cases=cases, reference=chosen), mask_turned_twice)
    assert verdict.misconception.name == "argument-changed"


class Scaled:
    """Changes the array that it is made of, and is right otherwise."""

    def __init__(self, rows):
        rows *= 2
        self.rows = rows

    def mean(self):
        return (self.rows / 2).mean(-1)


class Kept(Scaled):
    def __init__(self, rows):
        self.rows = 2 * rows


def test_the_arguments_of_an_object_are_looked_at_too():
    def cases(rng):
        return [
            Case("rows", (rng.normal(size=(3, 4)),), ("mean",), core=True),
            Case("more rows", (rng.normal(size=(5, 4)),), ("mean",)),
        ]

    task = replace(CENTERED, cases=cases, reference=Kept, verb=use)
    assert judge(task, Kept).status == "passed"
    assert judge(task, Scaled).misconception.name == "argument-changed"


def test_a_known_mistake_is_named_though_a_requirement_fails_too():
    task = find_task("01-one-hot/one-hot")

    def wrong(ids, size, calls=[]):  # noqa: B006 - a mistake
        calls.append(1)
        return np.roll(one_hot(ids, size), -1, axis=-1) + (len(calls) > 6)

    assert judge(task, wrong).misconception.name == "off-by-one"


def checked_rows(ids, rows, error=IndexError):
    if ids.min() < 0:
        raise error("no such row")
    return rows[ids].copy()


def row_cases(rng):
    rows = rng.normal(size=(3, 4))
    return [
        Case("three rows", np.array([2, 0, 1]), rows, core=True),
        result_kept(np.array(2), rows),
        Case("a negative id", np.array([-1]), rows),
    ]


ROWS = replace(
    CENTERED,
    cases=row_cases,
    reference=checked_rows,
    misconceptions=(
        RESULT_KEPT.by(
            lambda ids, rows: checked_rows(ids, rows)[...] if ids.ndim else rows[int(ids)]
        ),
    ),
)


def test_who_refuses_by_another_exception_is_told_that_and_nothing_untrue():
    verdict = judge(ROWS, partial(checked_rows, error=KeyError))
    assert verdict.misconception.name == "another-exception"
    assert "KeyError" in verdict.reason


def test_a_requirement_is_not_what_to_say_of_an_answer_that_fails_elsewhere_too():
    assert judge(ROWS, ROWS.misconceptions[0].answers[0]).misconception.name == "result-shared"
    assert judge(ROWS, lambda ids, rows: rows[ids % 3]).misconception is None


def test_a_case_of_methods_among_runs_of_a_module_is_judged_and_its_calls_are_shown():
    task = find_task("11-language-model/assemble")
    (wrong,) = (m for m in task.misconceptions if m.name == "tables-drawn-otherwise")
    verdict = judge(task, wrong.answers[0])
    assert [label for label, passed in verdict.cases if not passed] == [
        "before any training",
        "the two tables as drawn",
    ]
    assert "made.forward(" in verdict.inputs
