"""Feedback pages of a class are what nbgrader itself would have written, each student's alone."""

import pytest

from headway.chapters import hidden_modules
from headway.grading.course import Course
from headway.grading.nbgrader.feedback import generate_page, is_ours
from tests.grading.classroom import CHAPTER, hand_in

NAME = CHAPTER.name
OWN = """
from traitlets.config import Config

from headway.chapters import hidden_modules
from headway.grading.settings import configure
c = get_config()
configure(c, hidden_modules())
c.GenerateFeedback.exporter_class = "nbconvert.exporters.PythonExporter"
"""


@pytest.fixture
def course(headway, pool, tmp_path):
    """A course folder in which two have been graded."""
    for student in ("ann", "bob"):
        hand_in(tmp_path, student)
    assert headway("grade", "01", "--course", tmp_path).code == 0
    return tmp_path


@pytest.mark.jupyter
def test_a_page_is_the_one_that_nbgrader_makes(headway, course):
    ours = Course(course, NAME, hidden_modules())
    path = ours.feedback("ann")
    page, rights = path.read_text(), path.stat().st_mode
    generate_page("ann", ours.coursedir, ours.config)
    assert path.read_text() == page
    assert path.stat().st_mode == rights

    # With settings of an instructor, nbgrader makes it.
    (course / "nbgrader_config.py").write_text(OWN)
    assert not is_ours(Course(course, NAME, hidden_modules()).config)
    path.unlink()
    assert headway("grade", "01", "--course", course).code == 0
    assert path.with_suffix(".py").exists()


@pytest.mark.jupyter
def test_whatever_stands_in_a_graded_notebook_s_place_is_one_student_s(course):
    ours = Course(course, NAME, hidden_modules())
    graded = ours.autograded("ann")
    for damaged in (None, "", "{}", "[]", '{"cells": 1}', "[" * 99_999):
        if damaged is None:
            graded.unlink()
        else:
            graded.write_text(damaged)
        for student in ("ann", "bob"):
            ours.feedback(student).unlink(missing_ok=True)
        assert list(ours.write_feedback(["ann", "bob"])) == ["ann"], damaged
        assert ours.feedback("bob").exists()
