"""What may be recorded as a score, and what a cell of an instructor's own is worth."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbformat.v4 import new_code_cell, new_output

from headway.grading.nbgrader.scores import ScoreError, own_score, valid_score


@given(st.floats(allow_nan=True) | st.integers(), st.floats(0, 100))
def test_only_finite_numbers_from_zero_to_the_most_are_scores(score, most):
    if math.isfinite(score) and 0 <= score <= most:
        assert valid_score(score, most, "x") == score
    else:
        with pytest.raises(ScoreError, match="is no score for x"):
            valid_score(score, most, "x")


@pytest.mark.parametrize("score", [None, "1", True, [1], {}, 1j, b"1"])
def test_what_is_no_number_is_no_score(score):
    with pytest.raises(ScoreError):
        valid_score(score, 5.0, "x")


def own_cell(*outputs, points=3):
    cell = new_code_cell("assert True", outputs=list(outputs))
    marks = {"grade": True, "solution": False, "locked": True, "points": points, "grade_id": "own"}
    cell.metadata["nbgrader"] = marks
    return cell


def result(text):
    return new_output("execute_result", data={"text/plain": text})


ERROR = new_output("error", ename="AssertionError", evalue="", traceback=[])


@pytest.mark.parametrize(
    ("outputs", "score"),
    [
        ([], 3),
        ([ERROR], 0),
        ([new_output("stream", name="stdout", text="2")], 3),
        ([new_output("stream", name="stderr", text="Warning")], 3),
        ([new_output("stream", name="stderr", text="Warning"), ERROR], 0),
        ([result("1.5")], 1.5),
        ([result("0")], 0),
        ([result("4")], 0),
        ([result("'text'")], 3),
        ([result("nan")], 0),
        ([result("inf")], 0),
        ([result("-1")], 0),
        ([new_output("stream", name="stderr", text="x"), result("1")], 1),
    ],
)
def test_an_instructor_s_own_cell_scores_by_nbgrader_s_rule_but_for_warnings(outputs, score):
    assert own_score(own_cell(*outputs), 3.0) == score


def test_what_a_person_has_to_grade_has_no_score():
    cell = own_cell()
    cell.metadata.nbgrader.update(solution=True, locked=False)
    assert own_score(cell, 3.0) is None
