"""Where the files of an assignment are in a course folder, by its nbgrader configuration."""

import os
from copy import copy
from dataclasses import dataclass
from pathlib import Path

from nbgrader.coursedir import CourseDirectory

from headway.grading.settings import STATE

EARLIER = "feedback-earlier"


@dataclass(frozen=True)
class CourseFiles:
    """The paths of one assignment.

    Attributes:
        folder: the course folder.
        directory: nbgrader's object for the folder and the assignment.
    """

    folder: Path
    directory: CourseDirectory

    @property
    def assignment(self) -> str:
        """The assignment's name: "01-one-hot"."""
        return self.directory.assignment_id

    def of(self, assignment: str) -> "CourseFiles":
        """The paths of another assignment of the course."""
        directory = copy(self.directory)
        directory.assignment_id = assignment
        return CourseFiles(self.folder, directory)

    @property
    def submitted(self) -> Path:
        """The submissions to all assignments, with a folder for each student."""
        return self.folder / self.directory.submitted_directory

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
        return self._notebook(self.directory.source_directory, ".")

    def autograded(self, student: str) -> Path:
        """The executed notebook of a student."""
        return self._notebook(self.directory.autograded_directory, student)

    def feedback(self, student: str) -> Path:
        """A student's feedback page."""
        return self._notebook(self.directory.feedback_directory, student).with_suffix(".html")

    def earlier_feedback(self, student: str) -> Path:
        """The folder of a student's earlier feedback pages."""
        return self.folder / EARLIER / student / self.assignment

    def _notebook(self, step: str, student: str) -> Path:
        folder = self.directory.format_path(step, student, self.assignment)
        return Path(os.path.normpath(folder)) / f"{self.assignment}.ipynb"
