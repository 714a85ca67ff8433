"""The checks of a release hold the values of its own solution, where they differ."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from headway.errors import UserError
from headway.grading.notebooks.check_calls import check_call, checked_task
from headway.grading.notebooks.right_values import write_right_values
from headway.tasks.engine.right_value import coded
from tests.each import each_assignment

DOT = 'check("01-one-hot/dot", dot)'


def released(*sources, check=DOT, graded=True):
    """The check behind these cells, as it is released."""
    cell = new_code_cell(check, metadata={"nbgrader": {"grade": graded}})
    write_right_values(new_notebook(cells=[*map(new_code_cell, sources), cell]))
    return cell.source


def bringing(value):
    return f'check("01-one-hot/dot", dot, "{coded(value)}")'


@each_assignment
def test_the_course_s_own_solutions_give_the_package_s_values(root, chapter):
    path = root / "solutions" / chapter.notebook
    notebook = nbformat.read(path, as_version=4)
    write_right_values(notebook)
    assert notebook == nbformat.read(path, as_version=4)


def test_a_check_brings_what_the_changed_solution_gives():
    assert released("dot = (\n    # 16 - 3 * x - 4\n    (2 * 8 - 4) / 3\n)") == bringing(4.0)


def test_a_check_brings_nothing_if_the_value_is_the_package_s_again():
    assert released("dot = 6 / 3", check=bringing(4.0)) == DOT


def test_the_rest_of_a_check_s_cell_stays_as_it_is():
    check = f"# look:\n{DOT}  # and go on"
    assert released("dot = 4", check=check) == f"# look:\n{bringing(4)}  # and go on"


def test_a_solution_sees_the_imports_above_it_and_nothing_else_runs():
    above = "import math as m\nfrom fractions import Fraction\n1 / 0"
    assert released(above, "dot = Fraction(m.floor(4.5))") == bringing(4.0)


def test_a_solution_that_needs_more_runs_after_the_cells_above_it():
    above = ["import math", "print('hello')\nx = math.floor(4.5)", "%matplotlib inline"]
    assert released(*above, "dot = x") == bringing(4)


def test_the_last_cell_that_makes_the_answer_counts():
    assert released("dot = 3", "dot = 4", "print(dot)") == bringing(4)


@pytest.mark.parametrize("cells", [["dot = ...  # YOUR CODE HERE"], ["dot = None"], ["x = 4"], []])
@pytest.mark.parametrize("check", [DOT, bringing(4)])
def test_without_a_solution_a_check_stays_as_it_is(cells, check):
    assert released(*cells, check=check) == check


def test_a_check_that_is_not_graded_stays_as_it_is():
    assert released("dot = 4", graded=False) == DOT


@pytest.mark.parametrize("cell", ["dot = 1 / 0", "dot = y", "dot = (", "dot = {1, 2}", "dot = 1j"])
def test_a_solution_that_gives_no_value_is_said(cell, capfd):
    with pytest.raises(UserError, match=r"01-one-hot/dot"):
        released(cell)
    assert capfd.readouterr() == ("", "")


def test_a_check_with_a_value_is_read_with_it():
    cell = new_code_cell(f"x = 1\n{bringing([1, 2])}")
    call = check_call(cell.source)
    assert (call.task_id, call.answer, call.rest) == ("01-one-hot/dot", "dot", "x = 1")
    assert checked_task(cell).reference == [1, 2]


@pytest.mark.parametrize("right", ["4", "dot", '"?"', '"NC4w", 1', 'right="NC4w"'])
def test_what_is_no_value_makes_no_check(right):
    assert checked_task(new_code_cell(f'check("01-one-hot/dot", dot, {right})')) is None
