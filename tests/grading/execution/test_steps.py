"""What is done with each cell: a locked check is judged and never run, all others are run."""

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from headway.grading.execution.steps import LONGEST_READ, Step, binds, source_of, steps_of
from headway.tasks.engine.find import find_task

TASK = find_task("01-one-hot/dot")
CHECK = f'check("{TASK.id}", dot)'


def steps(source: str, **marks: object) -> list[Step]:
    cell = new_code_cell(source, metadata={"nbgrader": marks} if marks else {})
    return steps_of(new_notebook(cells=[new_markdown_cell("x = 1"), cell]))


LOCKED = {"grade": True, "locked": True}


@pytest.mark.parametrize(
    ("source", "step"),
    [
        (CHECK, Step(1, "", TASK, "dot")),
        (f"x = 1\n{CHECK}\ny = 2", Step(1, "x = 1\ny = 2", TASK, "dot")),
        ("assert dot == 7", Step(1, "assert dot == 7")),
    ],
)
def test_a_check_is_not_run_and_what_stands_beside_it_or_tests_otherwise_is(source, step):
    assert steps(source, **LOCKED) == [step]


@pytest.mark.parametrize("marks", [{}, {"grade": True}, {"locked": True}, {"solution": True}])
def test_a_check_that_a_student_wrote_is_an_ordinary_cell(marks):
    assert steps(CHECK, **marks) == [Step(1, CHECK)]


def test_empty_cells_are_passed_over():
    assert steps(" \n") == []


def made_by(name: str, *sources: str) -> str:
    return source_of(name, [Step(index, source) for index, source in enumerate(sources)])


def test_the_cell_that_makes_an_answer_is_the_last_one_that_does():
    assert made_by("model", "model = 1", "x = 2\nmodel = 2", "print(model)") == "x = 2\nmodel = 2"
    assert made_by("model", "class model:\n    pass", "models = 1") == "class model:\n    pass"
    assert made_by("fit", "def fit(text):\n    pass", "fitted = 1") == "def fit(text):\n    pass"


def test_a_cell_that_only_uses_an_answer_makes_none():
    assert made_by("model", "model == 1", "model.x = 1", "f(model=1)", "  model = 1") == ""


@pytest.mark.parametrize(
    "source",
    [
        "np = 1",
        "import numpy as np",
        "from x import np, y",
        "    def np(x): return x",
        "class np: ...",
        "x, np = 1, 2",
        "np: int = 3",
    ],
)
def test_code_that_gives_something_a_name_is_known_by_its_text(source):
    assert binds("np", f"# a cell\n{source}\n")


def test_a_name_is_looked_for_where_a_cell_begins_however_long_it_is():
    for cell in ("\n" * 20_000, "np " * 6_000, "import np1" * 2_000, "np1 # " * 3_000):
        assert not binds("np", cell)
    named = "\nnp = 1"
    assert binds("np", "#" * (LONGEST_READ - len(named)) + named)
    assert not binds("np", "#" * LONGEST_READ + named)


@pytest.mark.parametrize("source", ["np.x = 1", "print(np)", "# np = 1", "np == 1", "f(np=1)"])
def test_code_that_only_uses_a_name_gives_it_nothing(source):
    assert not binds("np", source)
