"""The official test: hidden cases decide, visible ones explain, and nothing hidden gets out."""

from copy import deepcopy
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from headway.tasks.engine.drawn_cases import VISIBLE, cases_of
from headway.tasks.engine.find import find_task
from headway.tasks.engine.judge import judge
from headway.tasks.engine.official import judge_officially
from headway.tasks.engine.probe.outcomes import Raised, Returned, observe

SEED = 20_260_331
MATMUL = find_task("01-one-hot/matmul")


class Asked:
    """An answer that is asked, with a note of what it was asked."""

    def __init__(self, task, answer):
        self.task, self.answer, self.runs = task, answer, []

    def __call__(self, cases, most):
        self.runs.append(cases)
        return [
            observe(case.verb or self.task.verb, self.answer, deepcopy(case.inputs))
            for case in cases
        ]


def officially(task, answer):
    asked = Asked(task, answer)
    return judge_officially(task, asked, SEED), asked


def memorized(task, otherwise=lambda *inputs: np.zeros((1, 1))):
    """An answer that knows the visible cases by heart, and nothing else."""
    visible = [case.inputs for case in cases_of(task, VISIBLE)]
    same = partial(np.array_equal, equal_nan=True)

    def answer(*inputs):
        if any(all(map(same, inputs, known)) for known in visible):
            return task.reference(*inputs)
        return otherwise(*inputs)

    return answer


def test_a_right_answer_and_a_value_that_is_asked_for_are_asked_once():
    verdict, asked = officially(MATMUL, MATMUL.reference)
    assert (verdict.status, verdict.score, len(asked.runs)) == ("passed", MATMUL.points, 1)
    verdict, asked = officially(find_task("01-one-hot/dot"), 7)
    assert (verdict.score, len(asked.runs)) == (0, 1)
    assert verdict.reason


def test_a_failure_on_cases_that_nobody_else_meets_is_named_by_the_visible_ones():
    wrong = MATMUL.misconceptions[0]
    own = replace(MATMUL, own_draw=True)
    runs = {task: officially(task, wrong.answers[0])[0] for task in (MATMUL, own)}
    assert runs[own].misconception is runs[MATMUL].misconception is wrong
    assert runs[own].score == runs[MATMUL].score


def test_an_answer_that_knows_the_visible_cases_alone_earns_nothing():
    verdict, _ = officially(MATMUL, memorized(MATMUL))
    assert (verdict.status, verdict.score) == ("failed", 0)
    assert "not all of the new ones" in verdict.reason


def test_the_hidden_cases_score_though_the_visible_ones_would_give_more():
    def answer(A, B):
        if A.shape[1] != B.shape[0]:
            return None  # a corner case that fails wherever it stands
        return right_where_seen(A, B)

    right_where_seen = memorized(MATMUL)
    seen = judge(MATMUL, answer)
    verdict, _ = officially(MATMUL, answer)
    assert (seen.status, verdict.status, verdict.score) == ("partial", "failed", 0)


def test_what_one_task_is_asked_tells_nothing_of_what_another_one_is():
    tasks = [replace(MATMUL, id=f"01-one-hot/{name}") for name in ("one", "other")]

    def first(task, seed):
        return cases_of(task, seed)[0].inputs[0].tolist()

    one, other = (first(task, SEED) for task in tasks)
    assert one != other
    assert one == first(replace(tasks[0]), SEED)
    assert first(tasks[0], VISIBLE) == first(tasks[1], VISIBLE)


def test_what_is_said_of_hidden_cases_holds_none_of_their_numbers():
    def loud(*inputs):
        print("SECRET", inputs)
        raise type("SECRET", (Exception,), {})(f"SECRET {inputs}")

    verdict, _ = officially(MATMUL, memorized(MATMUL, loud))
    assert verdict.score == 0
    assert (verdict.printed, verdict.inputs, verdict.difference) == ("", "", None)
    assert "SECRET" not in str(verdict.as_dict())


def test_a_known_mistake_is_named_and_shown_on_the_cases_that_its_author_can_see():
    mistake = MATMUL.misconceptions[0]
    verdict, asked = officially(MATMUL, mistake.answers[0])
    assert verdict.misconception == mistake
    assert len(asked.runs) == 2
    first = next(i for i, (_, ok) in enumerate(verdict.cases) if not ok)
    shown = MATMUL.cases(np.random.default_rng(VISIBLE))[first].inputs
    assert str(shown[0].shape) in verdict.inputs or str(shown[0].flat[0])[:4] in verdict.inputs


@pytest.mark.parametrize("outcome", [Raised("X", "y"), Returned(None), Returned({"a": 1})])
def test_any_outcome_can_be_judged(outcome):
    verdict = judge_officially(MATMUL, lambda cases, most: [outcome] * len(cases), SEED)
    assert verdict.score == 0
