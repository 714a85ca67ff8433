"""What every task of every assignment has to prove; a new chapter gets these for free.

Right answers written in other ways stand in `variants/`, one module an assignment. Wrong answers
in other words than the catalogue's, some for each way to tell a mistake, stand in `wrong_answers/`,
as `WRONG_ANSWERS[what it does] = (task, answer, the name that it should get, or None)`.

The short run takes the first variant of an assignment's first task, of each mistake the first wrong
answer, and those in other words to what is built; what trains is left out. A run for one chapter,
and the full run, take all.
"""

from dataclasses import replace
from functools import partial
from importlib import import_module
from importlib.util import find_spec

import numpy as np
import pytest
import torch

from headway.chapters import ASSIGNMENTS
from headway.tasks.chapters.answering.talker import Talker
from headway.tasks.chapters.experts.asked import Asked
from headway.tasks.chapters.kv_cache.asked_model import AskedModel
from headway.tasks.engine.drawn_cases import VISIBLE, cases_of, known_run
from headway.tasks.engine.find import tasks_of
from headway.tasks.engine.judge import judge, judge_by_asking
from headway.tasks.engine.mistakes import AnyOf
from headway.tasks.engine.probe.calls import forward, use, value
from headway.tasks.engine.probe.outcomes import Raised
from headway.tasks.engine.requirements import requirement_of
from headway.tasks.engine.unseen_text.cell import fit_then_predict
from tests.each import each_chapter
from tests.full import FULL, full_but, seeds

SEEDS = seeds(1)
WHOLE = [task for chapter in ASSIGNMENTS for task in tasks_of(chapter.name)]
LEAST_VARIANTS = 2
LEAST_WRONG_ANSWERS = 12


def by_first_answers(task):
    """The task with the first wrong answer alone of each of its mistakes."""
    few = tuple(replace(known, wrong=AnyOf(known.answers[:1])) for known in task.misconceptions)
    return replace(task, misconceptions=few)


TASKS = [by_first_answers(task) if task.misconceptions and not FULL else task for task in WHOLE]


def id_of(task):
    return task.id if task in WHOLE else f"{task.id} by first answers"


by = partial(pytest.mark.parametrize, "task", ids=id_of)
by_task = by(TASKS)
by_task_that_trains_nothing = by(full_but(lambda task: task.kind != "train", TASKS))
by_task_with_cases = by([task for task in TASKS if task.verb is not value])


def module_of(folder, chapter):
    """Where a chapter's answers of a kind stand."""
    return f"tests.tasks.{folder}.{chapter[3:].replace('-', '_')}"


def chapter_of(task):
    return task.id.partition("/")[0]


def variants_of(task) -> dict:
    """Right answers to a task by what is different; none where nothing is written yet."""
    name = module_of("variants", chapter_of(task))
    return import_module(name).VARIANTS.get(task.id, {}) if find_spec(name) else {}


def wrong_answers(chapter) -> dict:
    """Wrong answers to a chapter's tasks in other words than the catalogue's."""
    return import_module(module_of("wrong_answers", chapter)).WRONG_ANSWERS


FIRST = list({chapter_of(task): task for task in reversed(TASKS)}.values())
VARIANTS = [
    pytest.param(
        task,
        answer,
        id=f"{task.id} {name}",
        marks=[pytest.mark.full] if place or task not in FIRST else [],
    )
    for task in TASKS
    for place, (name, answer) in enumerate(variants_of(task).items())
]


def raises(*args):
    raise NotImplementedError


class Blank:
    def __init__(self, *args):
        pass

    def __len__(self):
        return None

    def __getattr__(self, name):
        return lambda *args: None


class Layers(torch.nn.Module):
    """A module that takes any weights, and whose forward is not filled in."""

    def __init__(self, *args):
        super().__init__()

    def load_state_dict(self, weights):
        pass

    def forward(self, *args):
        pass


@by_task_that_trains_nothing
@pytest.mark.parametrize("seed", SEEDS)
def test_the_reference_passes(task, seed):
    right = known_run(task, "reference", seed)
    for case, outcome in zip(right.cases, right.outcomes, strict=True):
        if not isinstance(outcome, Raised):  # what is the same as the right value is not compared
            compare = case.compare or task.compare
            assert compare(outcome.value, outcome.value, case) is None, case.label
    verdict = judge(task, task.reference, seed)
    assert (verdict.status, verdict.score, verdict.reason) == ("passed", task.points, "")


@pytest.mark.parametrize(("task", "answer"), VARIANTS)
@pytest.mark.parametrize("seed", SEEDS)
def test_an_honest_variant_passes(task, answer, seed):
    verdict = judge(task, answer, seed)
    assert verdict.status == "passed", verdict.reason


@by_task
def test_a_task_has_two_honest_variants(task):
    count = len(variants_of(task))
    assert count >= LEAST_VARIANTS, (
        f"tests/tasks/variants has {count} right answers to {task.id}; a task has "
        f"{LEAST_VARIANTS} at least, in other styles than the reference."
    )


def pytest_generate_tests(metafunc):
    """A run for one chapter takes all wrong answers, a short one the first of each mistake."""
    if metafunc.function is test_every_wrong_answer_fails_and_is_named:
        first = [task for task in TASKS if FULL or task.kind != "train"]
        tasks = first if metafunc.config.getoption("chapter") is None else WHOLE
        metafunc.parametrize("task", tasks, ids=id_of)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_wrong_answer_fails_and_is_named(task, seed):
    """Under its own name: so no two mistakes are alike, as far as naming can tell."""
    found = []
    for number, mistake in enumerate(task.misconceptions):
        for place, wrong in enumerate(mistake.answers):
            verdict = judge_known(task, (number, place), wrong, seed)
            named = verdict.misconception.name if verdict.misconception else "no mistake at all"
            if verdict.status not in ("failed", "partial") or verdict.score >= task.points:
                found.append(f"{mistake.name}, answer {place}: {verdict.status}")
            elif verdict.misconception is not mistake or not verdict.reason:
                found.append(f"{mistake.name}, answer {place}: taken for {named}")
    assert not found, "\n".join(found)


def judge_known(task, which, wrong, seed):
    """Judge an answer of the catalogue.

    It runs once, for judging and for naming; in a full run once more for the first draw, so that
    what hangs on the answer's own chance shows.
    """
    if FULL and seed == SEEDS[0]:
        return judge(task, wrong, seed)
    return judge_by_asking(task, lambda cases, most: known_run(task, which, seed).outcomes, seed)


@by(WHOLE)
def test_a_mistake_that_a_corner_tells_is_named_there(task):
    cases = cases_of(task, VISIBLE)
    for mistake in task.misconceptions:
        places = [at for at, case in enumerate(cases) if case.label in mistake.only_at]
        assert {cases[at].label for at in places} == {*mistake.only_at}, mistake.name
        assert not any(cases[at].core for at in places), mistake.name
        for place in places:
            verdict = judge_by_asking(task, partial(ask_but, task, [place]))
            assert verdict.misconception is mistake, f"{mistake.name}: {cases[place].label}"


@each_chapter
def test_a_mistake_told_by_a_value_has_a_wrong_answer_that_shows_it(chapter):
    shown = {(task, name) for task, _, name in wrong_answers(chapter.name).values()}
    for task in tasks_of(chapter.name):
        for mistake in task.misconceptions:
            here = task.id.partition("/")[2], mistake.name
            assert mistake.answers or mistake.only_at or here in shown, (
                f"{here[1]} of {here[0]} is told by a value only: add a wrong answer that shows it "
                "to tests/tasks/wrong_answers."
            )


@by(full_but(lambda task: task.kind == "build", WHOLE))
@pytest.mark.parametrize("seed", SEEDS)
def test_a_wrong_answer_in_other_words_is_caught_and_gets_its_name(task, seed):
    found = []
    for what, (name, answer, misconception) in wrong_answers(chapter_of(task)).items():
        if task.id != f"{chapter_of(task)}/{name}":
            continue
        torch.manual_seed(seed)
        verdict = judge(task, answer, seed)
        named = verdict.misconception and verdict.misconception.name
        if verdict.status not in ("failed", "partial") or verdict.score >= task.points:
            found.append(f"{what}: {verdict.status}")
        elif named != misconception:
            found.append(f"{what}: {named}, expected {misconception}")
    assert not found, "\n".join(found)


@each_chapter
def test_an_assignment_has_a_dozen_wrong_answers_in_other_words(chapter):
    answers = wrong_answers(chapter.name)
    assert len(answers) >= LEAST_WRONG_ANSWERS, (
        f"tests/tasks/wrong_answers has {len(answers)} wrong answers to {chapter.name}; write "
        f"{LEAST_WRONG_ANSWERS} at least, in other words than the catalogue's."
    )
    tasks = {task.id.partition("/")[2] for task in tasks_of(chapter.name)}
    assert {name for name, _, _ in answers.values()} <= tasks


@by_task
def test_an_untouched_stub_gets_zero(task):
    stubs = [None, ...]
    if task.verb is use:
        stubs += [Blank, type("Raising", (), {"__init__": lambda self, *args: raises()})]
    elif task.verb is forward:
        stubs += [Layers, type("Raising", (Layers,), {"forward": raises})]
    elif task.verb is fit_then_predict:
        stubs += [(lambda *args: None,) * 2, (raises, raises)]
    elif task.verb is not value:
        stubs += [lambda *args: None, raises]
    if task.given is not None:
        stubs.append(task.given)
    for stub in stubs:
        verdict = judge(task, stub)
        assert (verdict.status, verdict.score) == ("untouched", 0.0)


def ask_but(task, places, cases, most):
    """What the reference does on some cases, but for those in some places, which raise."""
    outcomes = list(known_run(task, "reference", VISIBLE).outcomes)
    for place in places:
        outcomes[place] = Raised("RuntimeError", "on purpose")
    return outcomes


@by_task_with_cases
def test_a_partly_right_answer_gets_part(task):
    cases = cases_of(task, VISIBLE)
    corner = max(i for i, case in enumerate(cases) if not case.core and not requirement_of(case))
    verdict = judge_by_asking(task, partial(ask_but, task, [corner]))
    assert verdict.status == "partial"
    assert 0 < verdict.score < task.points
    assert [ok for _, ok in verdict.cases].count(False) == 1


@by_task_with_cases
def test_corner_cases_alone_earn_nothing(task):
    cases = cases_of(task, VISIBLE)
    core = [i for i, case in enumerate(cases) if case.core]
    assert core, "a task needs a case without which nothing is earned"
    assert judge_by_asking(task, partial(ask_but, task, core)).score == 0


def without_tensors(value):
    """The same with arrays in place of tensors, in tuples, lists, dictionaries and models too."""
    if isinstance(value, torch.Tensor):
        return value.numpy()
    if isinstance(value, AskedModel | Asked | Talker):
        return without_tensors(vars(value))
    if isinstance(value, dict):
        return {key: without_tensors(item) for key, item in value.items()}
    kind = type(value)
    return kind(map(without_tensors, value)) if kind in (tuple, list) else value


@by_task
def test_a_case_is_drawn_alike_from_the_same_seed_and_shared_with_nobody(task):
    second = task.cases(np.random.default_rng(VISIBLE))
    first = cases_of(task, VISIBLE)[: len(second)]
    assert [case.label for case in first] == [case.label for case in second]
    assert len({case.label for case in first}) == len(first)
    for one, other in zip(first, second, strict=True):
        for a, b in zip(one.inputs, other.inputs, strict=True):
            np.testing.assert_equal(without_tensors(a), without_tensors(b))
            assert not (isinstance(a, np.ndarray | list | torch.Tensor) and a is b)
