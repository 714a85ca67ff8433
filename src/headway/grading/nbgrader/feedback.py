"""Feedback pages, written as nbgrader writes them: into its folders, with its permissions.

What a page tells of the gradebook is looked up for several students at once. An instructor may have
configured other pages; then nbgrader makes them.
"""

import os
from collections.abc import Mapping
from copy import copy
from functools import partial
from pathlib import Path
from typing import Any

from nbformat.v4 import reads_json
from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    Gradebook,
    Notebook,
    SubmittedAssignment,
    SubmittedNotebook,
)
from nbgrader.converters import GenerateFeedback
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from headway.grading.nbgrader.convert import convert
from headway.grading.results.feedback import feedback_page
from headway.grading.results.graded_notebook import renamed_page
from headway.grading.settings import configure


def is_ours(config: Config) -> bool:
    """Whether pages look as the course has them; an instructor may have configured others."""
    own = Config()
    configure(own, {})
    return all(config.get(name) == own.get(name) for name in ("GenerateFeedback", "GetGrades"))


def grades_of(gradebook: Gradebook, assignment: str, student: str) -> dict[str, Any]:
    """What a feedback page tells of the gradebook, as JSON data: what `GetGrades` would look up.

    Returns:
        {"assignment", "score", "max_score", "late_penalty",
         "cells": {grade_id: {"score", "points"}}, "comments": {grade_id: text or None}}
    """
    db = gradebook.db
    page, score, most, penalty = (
        db.query(
            SubmittedNotebook.id,
            SubmittedNotebook.score,
            SubmittedNotebook.max_score,
            SubmittedNotebook.late_submission_penalty,
        )
        .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
        .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        .join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)
        .filter(Assignment.name == assignment, SubmittedAssignment.student_id == student)
        .filter(Notebook.name == assignment)  # an instructor may have put another beside it
        .one()
    )
    cells = (
        db.query(BaseCell.name, Grade.score, Grade.max_score)
        .join(Grade, Grade.cell_id == BaseCell.id)
        .filter(Grade.notebook_id == page)
    )
    comments = (
        db.query(BaseCell.name, Comment.comment)
        .join(Comment, Comment.cell_id == BaseCell.id)
        .filter(Comment.notebook_id == page)
    )
    return {
        "assignment": assignment,
        "score": score - (penalty or 0),
        "max_score": most,
        "late_penalty": penalty or 0,
        "cells": {name: {"score": score, "points": points} for name, score, points in cells},
        "comments": dict(comments.all()),
    }


class PageWriter(GenerateFeedback):
    """nbgrader's converter for students whose grades are looked up already.

    Args:
        grades: by student, as `grades_of` gives them.
    """

    def __init__(self, grades: Mapping[str, dict[str, Any]], **traits: Any):
        super().__init__(**traits)
        self._grades = grades

    def init_notebooks(self):
        name = self.coursedir.assignment_id
        folders = [Path(self._format_source(name, student)) for student in self._grades]
        self.notebooks = []
        self.assignments = {
            os.path.normpath(folder): [str(folder / f"{name}.ipynb")] for folder in folders
        }

    def convert_single_notebook(self, notebook_filename):
        resources = self.init_single_notebook_resources(notebook_filename)
        notebook = reads_json(Path(notebook_filename).read_text(encoding="utf-8"))
        html = feedback_page(notebook, self._grades[resources["nbgrader"]["student"]])
        renamed = renamed_page(notebook)
        also = {renamed: html.encode()} if renamed else {}
        resources |= {"output_extension": ".html", "outputs": also}
        self.write_single_notebook(html, resources)


def write_pages(
    grades: Mapping[str, dict[str, Any]], course: CourseDirectory, config: Config
) -> None:
    """Write pages of students, with what lies beside their graded notebooks.

    Args:
        grades: by student, as `grades_of` gives them.
        course: names the assignment.

    Raises:
        ConversionError: if nbgrader could not.
    """
    convert(partial(PageWriter, grades), course, config)


def generate_page(student: str, course: CourseDirectory, config: Config) -> None:
    """Let nbgrader make and write a student's page, as an instructor configured it.

    Raises:
        ConversionError: if nbgrader could not.
    """
    directory = copy(course)
    directory.student_id = student
    convert(GenerateFeedback, directory, config)
