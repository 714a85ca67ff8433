"""The table of results, in a wide terminal and in one of 80 columns."""

from dataclasses import replace

import pytest
from rich.console import Console

from headway.commands.results import in_words, is_done, task_table
from headway.grading.notebooks.task_result import TaskResult
from headway.tasks.engine.find import find_task

TASK = find_task("01-one-hot/lookup")
RESULT = TaskResult("partial", 1.75, 2, "negative-wraps", "A negative id: returns a value. " * 4)


@pytest.mark.parametrize("width", [80, 160])
def test_reason_and_hint_have_room(width):
    console = Console(width=width)
    with console.capture() as capture:
        console.print(task_table([(TASK, RESULT)], width))
    said = capture.get()
    assert max(map(len, said.splitlines())) <= width
    assert len(said.splitlines()) <= 6
    words = " ".join(said.split())
    for part in (TASK.title, TASK.id, "build", "1.75 of 2"):
        assert part in words
    if width < 100:
        assert "negative-wraps: An id of −1 gives the last word's row" in words


def test_bonus_points_are_told_behind_others_and_owed_only_where_there_are_no_others():
    bonus = replace(TASK, kind="stretch", points=10)
    some = (bonus, TaskResult("partial", 5, 10))
    both = [(TASK, TaskResult("passed", 2, 2)), some]
    assert in_words(both) == "2 of 2 points, and 5 bonus"
    assert is_done(both)
    assert in_words([some]) == "5 of 10 bonus points"
    assert not is_done([some])
    assert is_done([(bonus, TaskResult("passed", 10, 10))])
