"""Which cases an answer meets when it is graded."""

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
