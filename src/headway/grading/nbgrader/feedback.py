"""Feedback pages the way nbgrader writes them, made by somebody else.

Workers make the pages of a class (`headway.grading.workers.page`). What they need of the gradebook
goes with the job; what they give goes through nbgrader's own converter, which clears and fills the
student's folder and sets its permissions.
"""

import os
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

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
from headway.grading.settings import configure

# Of the configuration, what decides how a page looks.
SECTIONS = (
    *("GenerateFeedback", "FeedbackExporter", "HTMLExporter", "TemplateExporter", "Exporter"),
    *("NbConvertBase", "Preprocessor", "NbGraderPreprocessor", "GetGrades", "SanitizeNotebook"),
    *("SanitizeHTML", "CSSHTMLHeaderPreprocessor", "HighlightMagicsPreprocessor"),
)


def is_ours(config: Config) -> bool:
    """Whether pages look as the course has them; an instructor may have configured others."""
    own = Config()
    configure(own, {})
    return all(config.get(name) == own.get(name) for name in SECTIONS)


def grades_of(gradebook: Gradebook, assignment: str, student: str) -> dict[str, Any]:
    """What a feedback page tells of the gradebook, as JSON data: what `GetGrades` would look up.

    Returns:
        {"score", "max_score", "late_penalty",
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
        "score": score - (penalty or 0),
        "max_score": most,
        "late_penalty": penalty or 0,
        "cells": {name: {"score": score, "points": points} for name, score, points in cells},
        "comments": dict(comments.all()),
    }


@dataclass(frozen=True)
class Page:
    """A feedback page.

    Attributes:
        html: its text.
        also: another file beside it that holds the same; empty for none.
    """

    html: str
    also: str = ""


class PageWriter(GenerateFeedback):
    """nbgrader's converter for pages that are there already.

    Args:
        pages: by student.
    """

    def __init__(self, pages: Mapping[str, Page], **traits: Any):
        super().__init__(**traits)
        self._pages = pages

    def init_notebooks(self):
        name = self.coursedir.assignment_id
        folders = [Path(self._format_source(name, student)) for student in self._pages]
        self.notebooks = []
        self.assignments = {
            os.path.normpath(folder): [str(folder / f"{name}.ipynb")] for folder in folders
        }

    def convert_single_notebook(self, notebook_filename):
        resources = self.init_single_notebook_resources(notebook_filename)
        page = self._pages[resources["nbgrader"]["student"]]
        also = {page.also: page.html.encode()} if page.also else {}
        resources |= {"output_extension": ".html", "outputs": also}
        self.write_single_notebook(page.html, resources)


def write_pages(pages: Mapping[str, Page], course: CourseDirectory, config: Config) -> None:
    """Write pages of students, with what lies beside their graded notebooks.

    Args:
        pages: by student.
        course: names the assignment.

    Raises:
        ConversionError: if nbgrader could not.
    """
    convert(partial(PageWriter, pages), course, config)


def generate_page(student: str, course: CourseDirectory, config: Config) -> None:
    """Let nbgrader make and write a student's page, as an instructor configured it.

    Raises:
        ConversionError: if nbgrader could not.
    """
    directory = copy(course)
    directory.student_id = student
    convert(GenerateFeedback, directory, config)
