"""Checking the metadata of cells once: it leaves out work, and never a check."""

import pytest
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.nbgraderformat import MetadataValidator, ValidationError

from headway.grading.nbgrader.metadata_check import CheckMetadataOnce

MARKS = {
    **{"grade_id": "test", "schema_version": 3, "points": 1},
    **{"grade": True, "solution": False, "locked": True, "task": False},
}


def notebook(source, **marks):
    return new_notebook(cells=[new_code_cell(source, metadata={"nbgrader": {**MARKS, **marks}})])


@pytest.fixture
def checked(monkeypatch):
    """The notebooks that nbgrader itself was asked to check."""
    monkeypatch.setattr(CheckMetadataOnce, "_in_order", type(CheckMetadataOnce._in_order)())
    seen, check = [], MetadataValidator.validate_nb
    monkeypatch.setattr(
        MetadataValidator, "validate_nb", lambda self, nb: (seen.append(nb), check(self, nb))
    )
    return seen


def test_the_same_marks_are_checked_once_whatever_the_cells_say(checked):
    for source in ("1", "2", "3"):
        CheckMetadataOnce().preprocess(notebook(source), {})
    assert len(checked) == 1
    CheckMetadataOnce().preprocess(notebook("1", points=2), {})
    assert len(checked) == 2


def test_marks_that_are_amiss_are_refused_each_time(checked):
    CheckMetadataOnce().preprocess(notebook("1"), {})
    for _ in range(2):
        with pytest.raises(ValidationError):
            CheckMetadataOnce().preprocess(notebook("1", grade_id="a/b c"), {})
    assert len(checked) == 3
