"""Paths in a course folder, from its nbgrader configuration."""

import os
from pathlib import Path

from nbgrader.coursedir import CourseDirectory

from headway.grading.settings import STATE

EARLIER = "feedback-earlier"


class CourseFolder:
    """The paths of one assignment.

    Attributes:
        folder: the course folder.
        assignment: "01-one-hot".
        coursedir: nbgrader's object for the course folder.
        submitted: the submissions, with a folder for each student.
    """

    folder: Path
    assignment: str
    coursedir: CourseDirectory
    submitted: Path

    def submissions(self) -> list[str]:
        """The students with a submission for the assignment, sorted."""
        return sorted(
            path.parent.name
            for path in self.submitted.glob(f"*/{self.assignment}")
            if not path.parent.name.startswith(".")
        )

    def submission(self, student: str) -> Path:
        """The folder that a student handed in."""
        return self.submitted / student / self.assignment

    @property
    def state(self) -> Path:
        """The folder with the state of grading."""
        return self.folder / STATE / self.assignment

    @property
    def source(self) -> Path:
        """The notebook that submissions are graded against."""
        folder = self.coursedir.format_path(self.coursedir.source_directory, ".", self.assignment)
        return Path(os.path.normpath(folder)) / f"{self.assignment}.ipynb"

    def autograded(self, student: str) -> Path:
        """The executed notebook of a student."""
        folder = self.coursedir.format_path(
            self.coursedir.autograded_directory, student, self.assignment
        )
        return Path(folder) / f"{self.assignment}.ipynb"

    def earlier_feedback(self, student: str) -> Path:
        """The folder of a student's earlier feedback pages."""
        return self.folder / EARLIER / student / self.assignment

    def feedback(self, student: str) -> Path:
        """A student's feedback page."""
        folder = self.coursedir.format_path(
            self.coursedir.feedback_directory, student, self.assignment
        )
        return Path(folder) / f"{self.assignment}.html"
