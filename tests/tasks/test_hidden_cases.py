"""What was right in the visible cases earns nothing in the hidden ones."""

import json
from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest
import torch

from headway.chapters import ASSIGNMENTS
from headway.tasks.engine.drawn_cases import VISIBLE, cases_of
from headway.tasks.engine.find import tasks_of
from headway.tasks.engine.judge import judge, judge_by_asking
from headway.tasks.engine.probe.asks import ask_and_count
from headway.tasks.engine.probe.calls import call_by_length, value
from headway.tasks.engine.probe.outcomes import Raised, observe
from headway.tasks.engine.unseen_text.cell import fit_then_predict
from tests.full import FULL, full_but

HIDDEN_SEEDS = range(1, 13 if FULL else 2)
WITH_CASES = [
    task for chapter in ASSIGNMENTS for task in tasks_of(chapter.name) if task.verb is not value
]
# What comes of a model's predictions is counted by the judge, so no answer can give it again.
MODELS = [task for task in WITH_CASES if task.verb is fit_then_predict]
TASKS = [task for task in WITH_CASES if task not in MODELS]
# The short run takes one task of each assignment.
FIRST = list({task.id.partition("/")[0]: task for task in reversed(TASKS)}.values())
NOTHING = Raised("KeyError", "nothing is known of this case")


def key_of(inputs) -> str:
    """Inputs as text, every number of them."""

    def plain(x):
        if isinstance(x, torch.Tensor):
            return plain(x.numpy())
        return [x.dtype.kind, x.shape, x.tolist()] if isinstance(x, np.ndarray) else repr(x)

    return json.dumps(inputs, default=plain)


@pytest.mark.parametrize("task", WITH_CASES, ids=lambda task: task.id)
def test_where_questions_tell_what_is_right_each_answer_meets_cases_of_its_own(task):
    verbs = {case.verb or task.verb for case in cases_of(task, VISIBLE)}
    assert task.own_draw == bool(verbs & {fit_then_predict, call_by_length, ask_and_count})


def replays(task) -> dict:
    """Answers that give what was right in the visible cases: in the order of calls, by inputs."""
    seen = [(key_of(case.inputs), case) for case in cases_of(task, VISIBLE)]
    outcomes = [
        observe(case.verb or task.verb, task.reference, deepcopy(case.inputs)) for _, case in seen
    ]
    by_inputs = dict(zip((key for key, _ in seen), outcomes, strict=True))

    def in_order(cases, most):
        return (outcomes + [NOTHING] * len(cases))[: len(cases)]

    def by_lookup(cases, most):
        return [by_inputs.get(key_of(case.inputs), NOTHING) for case in cases]

    return {"in order": in_order, "by lookup": by_lookup}


@pytest.mark.parametrize("task", full_but(FIRST.__contains__, TASKS), ids=lambda task: task.id)
def test_what_was_right_in_the_visible_cases_earns_nothing_in_the_hidden_ones(task):
    found, task = [], replace(task, misconceptions=())  # whose names are not asked for
    for how, ask in replays(task).items():
        scores = [judge_by_asking(task, ask, seed).score for seed in HIDDEN_SEEDS]
        if any(scores):
            found.append(f"{how}: {scores} of {task.points:g} with the seeds {HIDDEN_SEEDS}")
    assert not found, "\n".join(found)


@pytest.mark.full
@pytest.mark.parametrize("task", MODELS, ids=lambda task: task.id)
def test_a_model_that_was_fitted_to_the_visible_texts_earns_nothing_with_the_hidden_ones(task):
    task, (fit, predict) = replace(task, misconceptions=()), task.reference
    text, seed, *_ = cases_of(task, VISIBLE)[0].inputs
    numbers = fit(text, seed)
    seen = judge(task, (lambda text, seed: numbers, predict), VISIBLE)
    assert seen.cases[0][1], "the model is a good one of the text that it was fitted to"
    hidden = [judge(task, (lambda text, seed: numbers, predict), s).score for s in HIDDEN_SEEDS]
    assert not any(hidden)
