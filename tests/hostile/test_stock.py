"""Attacks that give full points where checks run beside the student's code, and none here."""

import pytest
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde, GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from headway.chapters import course_root
from headway.commands.grade import grade
from headway.grading.files import copy_atomically
from headway.grading.nbgrader.convert import convert
from tests.grading.classroom import CHAPTER, hand_in, statuses_and_scores
from tests.hostile.submissions.submission import after_setup

pytestmark = pytest.mark.jupyter

ATTACKS = {
    "check": "check = lambda *_: None",
    "judge": "import headway.tasks.check as place\n"
    "from headway.tasks.engine.verdict import Verdict\n"
    "place.judge = lambda task, answer: Verdict(task, 'passed', float(task.points))",
    "cells": "import ast\nclass Nothing(ast.NodeTransformer):\n"
    "    def visit_Expr(self, node): return None\n"
    "get_ipython().ast_transformers.append(Nothing())",
}


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course folder in which each attack is handed in, in a notebook without an answer."""
    course = tmp_path_factory.mktemp("stock")
    for name, source in ATTACKS.items():
        hand_in(course, name, "release", after_setup(source))
    return course


@pytest.mark.full
def test_each_attack_gives_points_on_stock_nbgrader(course, tmp_path):
    source = tmp_path / "source" / CHAPTER.name
    copy_atomically((course_root() / "solutions" / CHAPTER.notebook).parent, source)
    directory = CourseDirectory(root=str(tmp_path), assignment_id=CHAPTER.name)
    directory.submitted_directory = str(course / "submitted")
    convert(GenerateAssignment, directory, Config())
    convert(Autograde, directory, Config())
    with Gradebook(directory.db_url) as gradebook:
        scores = {
            one.student.id: one.score for one in gradebook.assignment_submissions(CHAPTER.name)
        }
    assert scores == dict.fromkeys(ATTACKS, 20)


def test_none_of_them_gives_any_here(course):
    assert grade("01", course) == 0
    assert statuses_and_scores(course) == dict.fromkeys(ATTACKS, ("graded", 0.0))
