"""Whatever form a value has, a task's own comparison makes judging neither fail nor long."""

from dataclasses import replace

import numpy as np
import pytest

from headway.chapters import ASSIGNMENTS
from headway.tasks.engine.drawn_cases import VISIBLE, known_run
from headway.tasks.engine.duties import ARGUMENTS_KEPT, duty_of
from headway.tasks.engine.find import tasks_of
from headway.tasks.engine.judge import judge_by_asking
from headway.tasks.engine.probe.outcomes import Raised, Returned
from headway.tasks.engine.unseen_text.cell import fit_then_predict
from headway.tasks.engine.value_size import FREE
from tests.full import full_but

ODD = {
    "a number": 0.5,
    "text": "odd " * 5,
    "numbers": [0.25] * 12,
    "rows of one": [[1.0]] * 9,
    "words": ["a", "b", "c"],
    "a dictionary": {"a": 1},
    "a dictionary of texts": {"bits": "none", "numbers": "none"},
    "many rows": np.zeros((9_000, 1), np.int8),
    "many columns": np.zeros((16, 500)),
    "no rows": np.zeros((0, 3)),
    "texts": np.array(["odd", "values"]),
    "an infinite number": float("inf"),
    "a large number": 10**400,
}
TASKS = [task for chapter in ASSIGNMENTS for task in tasks_of(chapter.name)]
FORMS = ("12-masked-model/mask-tokens", "14-decoding/strategy", "01-one-hot/lookup")
# What a model's predictions cost is counted by the judge, so nobody can give it.
GIVEN = [task for task in TASKS if task.verb is not fit_then_predict]
KINDS = ("01-one-hot/pairs", "08-attention/shapes", "13-translator/shift")
OTHERWISE = {
    ("01-one-hot/one-hot", int),
    ("01-one-hot/pairs", int),
    ("12-masked-model/mask-tokens", float),
    ("13-translator/shift", float),
    ("13-translator/greedy-step", float),
    ("14-decoding/strategy", float),
    ("16-outlook/nodes", float),
}
WRITTEN_OUT = ("06-embeddings/purity", "05-tokens/decode")
DISTRIBUTIONS = ("02-markov/beat-unigram", "08-attention/attend")


@pytest.mark.parametrize(
    "task", full_but(lambda task: task.id in FORMS, TASKS), ids=lambda task: task.id
)
def test_a_value_of_another_form_earns_nothing_and_a_sentence_says_why(task):
    task = replace(task, misconceptions=())  # whose names are not asked for
    for kind, value in ODD.items():
        verdict = judge_by_asking(task, lambda cases, most, v=value: [Returned(v)] * len(cases))
        assert verdict.score == 0, kind
        assert verdict.reason, kind


@pytest.mark.parametrize(
    "task", full_but(lambda task: task.id in DISTRIBUTIONS, GIVEN), ids=lambda task: task.id
)
@pytest.mark.parametrize("number", [1, True, 1 << 62, float("nan")])
def test_one_number_everywhere_earns_nothing(task, number):
    task = replace(task, misconceptions=())
    right = known_run(task, "reference", VISIBLE).outcomes
    given = [
        Returned(number if isinstance(outcome, Raised) else _filled(outcome.value, number))
        for outcome in right
    ]
    assert judge_by_asking(task, lambda cases, most: given).score == 0


@pytest.mark.parametrize(
    "task", full_but(lambda task: task.id in WRITTEN_OUT, GIVEN), ids=lambda task: task.id
)
def test_numbers_that_are_written_out_are_no_numbers(task):
    task = replace(task, misconceptions=())
    right = known_run(task, "reference", VISIBLE).outcomes
    given = [
        outcome if isinstance(outcome, Raised) else Returned(_written_out(outcome.value))
        for outcome in right
    ]
    verdict = judge_by_asking(task, lambda cases, most: given)
    for (label, passed), mine, outcome in zip(verdict.cases, given, right, strict=True):
        assert passed == (repr(mine) == repr(outcome)), label


@pytest.mark.parametrize(
    "task", full_but(lambda task: task.id in KINDS, GIVEN), ids=lambda task: task.id
)
@pytest.mark.parametrize("kind", [int, float])
def test_3_and_3_0_are_the_same_unless_the_text_says_otherwise(task, kind):
    """As every notebook promises under "What counts"."""
    task = replace(task, misconceptions=())
    run = known_run(task, "reference", VISIBLE)
    given = [
        outcome
        if isinstance(outcome, Raised) or duty_of(case) == ARGUMENTS_KEPT
        else Returned(_of_kind(outcome.value, kind))
        for case, outcome in zip(run.cases, run.outcomes, strict=True)
    ]
    verdict = judge_by_asking(task, lambda cases, most: given)
    assert (verdict.score < task.points) == ((task.id, kind) in OTHERWISE), verdict.reason


def _of_kind(value, kind):
    """A value of the same form with numbers of a kind, where they are whole."""
    if isinstance(value, list):
        return [_of_kind(item, kind) for item in value]
    if isinstance(value, dict):
        return {key: _of_kind(item, kind) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return value.astype(kind) if value.dtype.kind in "if" and _is_whole(value) else value
    return kind(value) if type(value) in (int, float) and _is_whole(value) else value


def _is_whole(numbers) -> bool:
    return bool(np.all(np.isfinite(numbers)) and np.all(np.abs(numbers) < 1 << 50)) and (
        np.array_equal(numbers, np.round(numbers))
    )


def _written_out(value):
    """A value of the same form with text in the place of all numbers."""
    if isinstance(value, np.ndarray):
        return value.astype(str)
    if isinstance(value, list):
        return [_written_out(item) for item in value]
    if isinstance(value, dict):
        return {key: _written_out(item) for key, item in value.items()}
    return str(value) if isinstance(value, (int, float)) else value


def _filled(value, number):
    """A value of the same form with one number in all places; in a dictionary choices stay."""
    if isinstance(value, np.ndarray):
        return np.full(value.shape, number)
    if isinstance(value, list):
        return [_filled(item, number) for item in value]
    if isinstance(value, dict):
        return {
            key: item if isinstance(item, str) else _filled(item, number)
            for key, item in value.items()
        }
    return str(number) if isinstance(value, str) else number


@pytest.mark.parametrize(
    "value",
    [np.zeros((FREE * 8, 1), np.int8), "a" * FREE * 8, [[0] * FREE] * 8, {"a": 1 << FREE * 640}],
    ids=["array", "text", "lists", "number"],
)
def test_a_value_far_larger_than_the_right_one_is_refused_by_its_size(value):
    (task,) = [task for task in TASKS if task.id == "08-attention/near"]
    verdict = judge_by_asking(task, lambda cases, most: [Returned(value)] * len(cases))
    assert verdict.score == 0
    assert "more than anybody looks at: the right value has" in verdict.reason
    assert len(verdict.reason) < 400
