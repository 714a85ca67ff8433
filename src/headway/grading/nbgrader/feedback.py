"""Write feedback pages into nbgrader's folders, with nbgrader's permissions.

They are written at the end of a run, with the gradebook's data at that time, which are queried for
all students at once. If an instructor has configured other pages, nbgrader generates them.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
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

from headway.errors import MachineError
from headway.grading.course_files import CourseFiles
from headway.grading.nbgrader.convert import ConversionError, convert
from headway.grading.nbgrader.earlier_pages import keeping_earlier
from headway.grading.results.feedback import feedback_page
from headway.grading.results.feedback_notebook import feedback_notebook
from headway.grading.results.graded_notebook import renamed_page
from headway.grading.settings import configure

# Errors about single files, such as a deleted notebook. Other OSErrors concern the machine.
OF_FILES = (FileNotFoundError, NotADirectoryError, IsADirectoryError)


def write_feedback(
    files: CourseFiles,
    config: Config,
    gradebook: Gradebook,
    students: Sequence[str],
    changes: Mapping[str, Sequence[str]],
) -> dict[str, ConversionError]:
    """Write the pages of students, who must be in the gradebook; those that change are kept.

    If writing all at once fails, they are written one by one, so that only broken ones fail.

    Args:
        changes: student → sentences on how the score has changed.

    Returns:
        student → error, for pages that could not be written.

    Raises:
        MachineError: if the disk is full.
    """
    with keeping_earlier({files.feedback(one): files.earlier_feedback(one) for one in students}):
        if not students:
            return {}
        if not is_ours(config):
            return _one_by_one(files.directory, config, dict.fromkeys(students))
        grades = {
            one: grades_of(gradebook, files.assignment, one) | {"changes": changes.get(one, ())}
            for one in students
        }
        try:
            write_pages(grades, files.directory, config)
        except ConversionError:
            return _one_by_one(files.directory, config, grades)
        return {}


def withdraw_feedback(files: CourseFiles, students: Iterable[str]) -> None:
    """Remove the pages of students who have no grade now; they are kept, too."""
    for student in students:
        page = files.feedback(student)
        with keeping_earlier({page: files.earlier_feedback(student)}):
            for one in page.parent.glob("*.html"):
                one.unlink()


def _one_by_one(
    course: CourseDirectory, config: Config, grades: dict[str, dict | None]
) -> dict[str, ConversionError]:
    failed = {}
    for student, own in grades.items():
        try:
            if own is None:
                generate_page(student, course, config)
            else:
                write_pages({student: own}, course, config)
        except ConversionError as error:
            cause = error.__cause__
            if isinstance(cause, OSError) and not isinstance(cause, OF_FILES):
                raise MachineError(
                    f"The feedback of {student} cannot be written: {error} What was done is "
                    "kept; make room and run the same command."
                ) from error
            failed[student] = error
    return failed


def is_ours(config: Config) -> bool:
    """Whether the configuration has our feedback pages, and not an instructor's."""
    own = Config()
    configure(own, {})
    return all(config.get(name) == own.get(name) for name in ("GenerateFeedback", "GetGrades"))


def grades_of(gradebook: Gradebook, assignment: str, student: str) -> dict[str, Any]:
    """The gradebook's data for a feedback page, as JSON data; replaces nbgrader's `GetGrades`.

    Returns:
        {"assignment", "score", "max_score", "late_penalty",
         "cells": {grade_id: {"score", "points"}}, "comments": {grade_id: text or None},
         "changes": sentences on how the score has changed}
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
        .filter(Notebook.name == assignment)  # an instructor may have added others
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
        "changes": (),
    }


def notebook_of(
    gradebook: Gradebook, assignment: str, student: str, graded: Path, changes: Sequence[str]
) -> str:
    """A student's feedback as a notebook, from the gradebook and the graded notebook."""
    notebook = reads_json(graded.read_text(encoding="utf-8"))
    grades = grades_of(gradebook, assignment, student) | {"changes": changes}
    return feedback_notebook(notebook, grades)


class PageWriter(GenerateFeedback):
    """nbgrader's converter, but with grades that were queried before.

    Args:
        grades: student → result of `grades_of`.
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
        path = Path(notebook_filename)
        notebook = reads_json(path.read_text(encoding="utf-8"))
        html = feedback_page(notebook, self._grades[resources["nbgrader"]["student"]])
        renamed = renamed_page(notebook, path.parent)
        also = {renamed: html.encode()} if renamed else {}
        resources |= {"output_extension": ".html", "outputs": also}
        self.write_single_notebook(html, resources)


def write_pages(
    grades: Mapping[str, dict[str, Any]], course: CourseDirectory, config: Config
) -> None:
    """Write the pages of students, and copy the files next to their graded notebooks.

    Args:
        grades: student → result of `grades_of`.
        course: the course folder; it names the assignment.

    Raises:
        ConversionError: if nbgrader fails.
    """
    convert(partial(PageWriter, grades), course, config)


def generate_page(student: str, course: CourseDirectory, config: Config) -> None:
    """Generate a student's page with nbgrader, as an instructor has configured it.

    Raises:
        ConversionError: if nbgrader fails.
    """
    directory = copy(course)
    directory.student_id = student
    convert(GenerateFeedback, directory, config)
