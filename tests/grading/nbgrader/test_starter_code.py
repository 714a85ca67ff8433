import nbformat
import pytest

from headway.grading.nbgrader.starter_code import ReleaseStarterCode
from headway.grading.settings import STUB


def cleared(source):
    cell = nbformat.v4.new_code_cell(source)
    cell.metadata["nbgrader"] = {"solution": True, "grade": False, "locked": False}
    clear = ReleaseStarterCode(code_stub={"python": STUB})
    return clear.preprocess_cell(cell, {"language": "python"}, 0)[0].source


def test_given_lines_take_the_place_of_the_solution():
    source = """def f(x):
    y = x
    ### BEGIN SOLUTION
    y += 1
    ### GIVEN
    # y -= 1
    #
    # if y:
    #     y = 0  # a comment stays
    ### END SOLUTION
    return y"""
    assert (
        cleared(source)
        == """def f(x):
    y = x
    y -= 1

    if y:
        y = 0  # a comment stays
    return y"""
    )


def test_a_region_without_given_lines_becomes_the_stub():
    source = "a = 1\n### BEGIN SOLUTION\na = 2\n### END SOLUTION"
    assert cleared(source) == f"a = 1\n{STUB}"


def test_both_kinds_of_region_may_stand_in_one_cell():
    source = (
        "### BEGIN SOLUTION\na = 1\n### END SOLUTION\n"
        "### BEGIN SOLUTION\nb = 1\n### GIVEN\n# b = 2\n### END SOLUTION\nc = 3"
    )
    assert cleared(source) == f"{STUB}\nb = 2\nc = 3"


def test_a_solution_cell_without_regions_becomes_the_stub():
    assert cleared("a = 1") == STUB


def test_a_region_that_never_ends_is_refused():
    with pytest.raises(RuntimeError, match="no end solution"):
        cleared("### BEGIN SOLUTION\na = 1\n### GIVEN\n# a = 2")
