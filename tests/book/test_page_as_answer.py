"""The lines that pages show, handed in as answers: no full points, and the name of what is missing.

Each answer in `page_as_answer/` is what a student makes of the file as it is after the chapter, or
of lines that the page shows beside it, with as little as possible around them to fit the task's
arguments.
"""

from functools import cache
from importlib import import_module

import pytest
import torch
from headway_book.one_file import states_until

from headway.chapters import CHAPTERS
from headway.tasks.engine.find import find_task, tasks_of
from headway.tasks.engine.judge import judge
from headway.tasks.engine.probe.calls import value as given_value
from tests.book.page_as_answer.attention import masked_late

MODULES = {
    chapter.name: import_module(f"tests.book.page_as_answer.{chapter.name[3:].replace('-', '_')}")
    for chapter in CHAPTERS
}
ANSWERS = [row for module in MODULES.values() for row in module.ANSWERS]


def is_trained(task):
    """Whether putting an answer to a task to use trains something."""
    return find_task(task).kind == "train"


@cache
def text_after(book, number):
    """The file as it is after a chapter."""
    found = states_until(book, number)
    return found[max(found)].text(number, "")


def functions_after(root, number):
    """What the file defines after a chapter, by name."""
    names = {"__name__": "transformer"}
    exec(text_after(root / "book", number), names)
    return names


# Those of tasks that train take much of the time.
LONG = [pytest.param(*row, marks=pytest.mark.full) for row in ANSWERS if is_trained(row[0])]
QUICK = [row for row in ANSWERS if not is_trained(row[0])]


@pytest.mark.parametrize(("task", "answer", "name"), QUICK + LONG)
def test_what_the_page_shows_is_no_answer_and_its_mistake_has_a_name(root, task, answer, name):
    task = find_task(task)
    verdict = judge(task, answer(functions_after(root, int(task.id[:2]))))
    assert verdict.score < task.points
    assert verdict.misconception.name == name


def test_the_pages_first_mask_repairs_nothing():
    """To share out anew what a softmax over everything has left is what the given code does."""
    task = find_task("08-attention/past")

    def shared_out_anew(query, key, value):
        T, S = query.shape[-2], key.shape[-2]
        return masked_late(query, key, value, torch.ones(T, S).tril(S - T))[0]

    assert judge(task, shared_out_anew).status == "untouched"


@pytest.mark.parametrize("chapter", MODULES)
def test_every_task_that_asks_for_code_is_tried(chapter):
    asked = {
        task.id
        for task in tasks_of(chapter)
        if task.kind in ("build", "debug", "train") and task.verb is not given_value
    }
    tried = {task for task, _, _ in MODULES[chapter].ANSWERS}
    untried = asked - tried - getattr(MODULES[chapter], "NO_ANSWER", set())
    assert not untried, (
        f"tests/book/page_as_answer has no answer to {', '.join(sorted(untried))}. Add what a "
        "student would make of the page's code, or name the task in NO_ANSWER."
    )
