"""What tasks say of themselves is written into their cells, and nothing else changes."""

import copy
from dataclasses import replace

import pytest

from headway.errors import UserError
from headway.grading.notebooks import task_cells
from headway.grading.notebooks.task_cells import write_tasks
from headway.tasks.engine.find import tasks_of
from tests.grading.classroom import CHAPTER, cell_named, notebook_of

NAME = CHAPTER.name
QUESTION = "Is *this* a question?\n\n*1 point* is its answer."


@pytest.fixture
def notebook():
    return notebook_of(CHAPTER, "solution")


@pytest.fixture
def dot(monkeypatch):
    """Gives the first task, "dot", other attributes."""

    def change(**attributes):
        first, *others = tasks_of(NAME)
        tasks = (replace(first, **attributes), *others)
        monkeypatch.setattr(task_cells, "tasks_of", lambda assignment: tasks)

    return change


@pytest.mark.parametrize(
    ("attributes", "worth", "points"),
    [
        ({"points": 3, "minutes": 1}, "3 points, about 1 minute", 3),
        ({"points": 1, "minutes": 5}, "1 point, about 5 minutes", 1),
        ({"points": 0.5, "minutes": 5}, "0.5 points, about 5 minutes", 0.5),
        ({"points": 1, "kind": "stretch"}, "up to 1 bonus point, about 3 minutes", 0),
    ],
)
def test_title_points_and_minutes_come_from_the_task(notebook, dot, attributes, worth, points):
    before = copy.deepcopy(notebook)
    dot(title="Another", **attributes)
    write_tasks(notebook, NAME)
    ask = cell_named(notebook, "ask-dot")
    assert ask.source.startswith(f"### Another\n\n*{worth}*\n\n\nTwo vectors are")
    assert cell_named(notebook, "check-dot").metadata.nbgrader.points == points
    assert write_tasks(notebook, NAME) == [], "nothing is left to change"
    dot()
    write_tasks(notebook, NAME)
    assert notebook == before


@pytest.mark.parametrize(
    "head",
    ["", "### T\n\n", "*7 points, about 9 minutes*\n\n", "### T\n*1 point, about 1 minute*\n\n"],
)
def test_a_question_gets_what_is_missing_of_its_head(notebook, head):
    cell_named(notebook, "ask-dot").source = head + QUESTION
    cell_named(notebook, "check-dot").metadata.nbgrader.pop("points")
    assert write_tasks(notebook, NAME) == ["ask-dot", "check-dot"]
    wanted = f"### A right angle by hand\n\n*1 point, about 3 minutes*\n\n{QUESTION}"
    assert cell_named(notebook, "ask-dot").source == wanted
    assert cell_named(notebook, "check-dot").metadata.nbgrader.points == 1


@pytest.mark.parametrize("name", ["ask-dot", "check-dot"])
def test_a_task_without_its_cell_is_named(notebook, name):
    notebook.cells.remove(cell_named(notebook, name))
    with pytest.raises(UserError, match=f"has no cell {name}. The task 01-one-hot/dot needs"):
        write_tasks(notebook, NAME)
