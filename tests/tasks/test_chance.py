"""What a wrong answer earns does not hang on the draw of the hidden cases.

They are drawn anew for each grading. A drawn case that happens not to tell a known mistake from the
right answer would give more points for it to one class, or one student, than to another. So every
wrong answer, those of the catalogues and those of `wrong_answers/`, has one score and one name over
many draws.
"""

from collections import defaultdict

import pytest
import torch

from headway.chapters import ASSIGNMENTS
from headway.tasks.engine.drawn_cases import known_run
from headway.tasks.engine.find import tasks_of
from headway.tasks.engine.judge import judge, judge_by_asking
from tests.tasks.test_catalogue import chapter_of, wrong_answers

SEEDS = range(21)
TASKS = [task for chapter in ASSIGNMENTS for task in tasks_of(chapter.name) if task.kind != "train"]


def verdicts(task, seed):
    """(what the wrong answer is, its verdict) of all wrong answers to a task."""
    for number, mistake in enumerate(task.misconceptions):
        for place in range(len(mistake.answers)):
            run = known_run(task, (number, place), seed)
            found = judge_by_asking(task, lambda cases, most, run=run: run.outcomes, seed)
            yield f"{mistake.name}, answer {place}", found
    for what, (name, answer, _) in wrong_answers(chapter_of(task)).items():
        if task.id == f"{chapter_of(task)}/{name}":
            torch.manual_seed(seed)
            yield what, judge(task, answer, seed)


def drawn_apart(task, seeds):
    """The wrong answers that have several scores or names, with some of the seeds of each."""
    met = defaultdict(lambda: defaultdict(list))
    for seed in seeds:
        for what, verdict in verdicts(task, seed):
            name = verdict.misconception and verdict.misconception.name
            met[what][verdict.score, name].append(seed)
    return {what: dict(outcomes) for what, outcomes in met.items() if len(outcomes) > 1}


@pytest.mark.full(chapter=False)
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_a_wrong_answer_earns_the_same_whatever_is_drawn(task):
    found = drawn_apart(task, SEEDS)
    assert not found, "\n".join(f"{what}: {outcomes}" for what, outcomes in found.items())
