"""The capstone's model, graded in a notebook whose other cells attack."""

import inspect

import pytest
from nbformat.v4 import new_code_cell, new_notebook

from headway.grading.allowance import Allowance
from headway.grading.execution.executor import grade_notebook
from headway.tasks.chapters.capstone import counting

TAMPERED = """
import builtins, numpy, os, threading
numpy.exp = numpy.where = None
builtins.sorted = None
open("headway.py", "w").write("raise ImportError")
if not os.fork():
    while True: pass
"""


def graded(sessions, *before):
    """The verdict on counts that look the story's name up, behind other cells."""
    source = f"{inspect.getsource(counting)}\nmodel = fit, predict"
    check = new_code_cell('check("20-capstone/model", model)')
    check.metadata["nbgrader"] = {"grade": True, "locked": True, "grade_id": "check-model"}
    cells = [*map(new_code_cell, before), new_code_cell(source), check, new_code_cell("model = 0")]
    notebook = new_notebook(cells=cells)
    result = grade_notebook(notebook, {}, sessions, Allowance(), seed=11)
    return result.verdicts["20-capstone/model"]


def test_earlier_cells_reach_neither_session_and_the_judge_has_counted(sessions):
    verdict = graded(sessions, TAMPERED)
    assert (verdict.status, verdict.score) == ("passed", 10)
    assert verdict.measured["the truth"] < verdict.measured["bits per byte"] < 1
    assert verdict.measured["parameters"] < 10_000


@pytest.mark.full
def test_each_grading_meets_texts_of_its_own_so_that_nobody_can_tell_of_them(sessions):
    first, second = (graded(sessions).measured["the truth"] for _ in range(2))
    assert first != second
