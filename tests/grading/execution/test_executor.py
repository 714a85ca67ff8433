"""Which cases an answer meets when it is graded, and when it is graded again."""

import pytest
from nbformat.v4 import new_notebook

from headway.grading.allowance import Allowance
from headway.grading.execution import executor as module
from headway.grading.execution.steps import Step
from headway.tasks.engine.find import find_task


@pytest.mark.parametrize(
    ("task", "once"),
    [
        ("01-one-hot/matmul", False),
        ("02-markov/beat-unigram", True),
        ("14-decoding/strategy", True),
        ("17-capstone/model", True),
    ],
)
def test_who_learns_from_being_asked_meets_cases_that_come_once(monkeypatch, task, once):
    seeds = []
    monkeypatch.setattr(module, "judge_officially", lambda task, ask, seed: seeds.append(seed))
    for _ in range(3):
        execution = module._Execution(new_notebook(), {}, None, Allowance(), 7)
        execution._verdict(Step(0, "", find_task(task), "answer"), None)
    assert len(set(seeds)) == (3 if once else 1)
    assert (7 in seeds) != once


@pytest.mark.parametrize(
    ("timed_out", "waited", "starved"), [(True, 10.1, True), (True, 9.9, False), (False, 50, False)]
)
def test_what_waited_for_more_than_a_tenth_and_ran_out_of_time_was_starved(
    timed_out, waited, starved
):
    graded = module.Graded(timed_out=timed_out, starved_seconds=waited, seconds=100)
    assert graded.starved == starved
