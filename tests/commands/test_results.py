"""The table of results, in a wide terminal and in one of 80 columns."""

from dataclasses import replace

import pytest
from rich.console import Console

from headway.commands.results import in_words, is_done, task_table
from headway.grading.notebooks.verdicts import TaskResult
from headway.tasks.engine.find import find_task

TASK = find_task("01-one-hot/lookup")
RESULT = TaskResult("partial", 1.75, 2, "negative-wraps", "A negative id: returns a value. " * 4)


@pytest.mark.parametrize(("width", "lines"), [(80, 6), (160, 6)])
def test_reason_and_hint_have_room(width, lines):
    console = Console(width=width)
    with console.capture() as capture:
        console.print(task_table([(TASK, RESULT)], width))
    said = capture.get()
    assert max(map(len, said.splitlines())) <= width
    assert len(said.splitlines()) <= lines
    words = " ".join(said.split())
    for part in (TASK.title, TASK.id, "build", "1.75 of 2"):
        assert part in words
    if width < 100:
        assert "negative-wraps: An id of −1 gives the last word's row" in words


def test_what_has_no_reason_has_a_line():
    console = Console(width=80)
    with console.capture() as capture:
        console.print(task_table([(TASK, TaskResult("passed", 2, 2))], 80))
    assert capture.get().split() == f"✓ {TASK.title} ({TASK.id}, build): 2 of 2".split()


def test_an_assignment_of_bonus_points_alone_is_told_in_these_and_done_when_it_is_passed():
    bonus = replace(TASK, kind="stretch", points=10)
    some = [(bonus, TaskResult("partial", 5, 10))]
    assert in_words(some) == "5 of 10 bonus points"
    assert not is_done(some)
    assert is_done([(bonus, TaskResult("passed", 10, 10))])


def test_bonus_points_beside_others_are_told_behind_them_and_not_owed():
    bonus = replace(TASK, kind="stretch", points=4)
    both = [(TASK, TaskResult("passed", 2, 2)), (bonus, TaskResult("partial", 1, 4))]
    assert in_words(both) == "2 of 2 points, and 1 bonus"
    assert is_done(both)
