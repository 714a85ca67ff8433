"""Feedback pages of a class: written as soon as a submission is recorded."""

from collections.abc import Callable, Sequence

from headway.errors import MachineError
from headway.grading.course import Course
from headway.grading.journal import Journal
from headway.grading.nbgrader.convert import ConversionError
from headway.grading.nbgrader.feedback import generate_page, grades_of, is_ours, write_pages
from headway.grading.nbgrader.standings import recorded_submissions


class Rendering:
    """The pages that a run makes.

    Args:
        course: where the graded notebooks are.
        journal: of the assignment.
        failed: called with a student whose page cannot be made, and why.

    Attributes:
        made: of each student whose page was made, the digest of what it tells.
    """

    def __init__(
        self, course: Course, journal: Journal, failed: Callable[[str, ConversionError], None]
    ):
        self._course, self._journal, self._failed = course, journal, failed
        self._is_ours = is_ours(course.config)
        self.made: dict[str, str] = {}

    def make(self, students: Sequence[str]) -> None:
        """Write the pages of these, as the graded notebooks and the gradebook are.

        Where they cannot be made together, each is made alone: one that fails stops no other.

        Raises:
            MachineError: if there is no room for it.
        """
        if not students:
            return
        course = self._course
        with course.gradebook() as gradebook:
            now = recorded_submissions(gradebook, course.assignment)
            of = {one: grades_of(gradebook, course.assignment, one) for one in students}
        told = {}
        for student in students:
            entry, recorded = self._journal.read(student), now.get(student)
            told[student] = recorded.on_page(*entry.graded) if entry and recorded else ""
        if not self._are_made_together(of):
            told = {one: digest for one, digest in told.items() if self._is_made_alone(one, of)}
        self.made |= told

    def _are_made_together(self, of: dict[str, dict]) -> bool:
        if not self._is_ours:
            return False
        try:
            write_pages(of, self._course.directory, self._course.config)
        except ConversionError:
            return False
        return True

    def _is_made_alone(self, student: str, of: dict[str, dict]) -> bool:
        directory, config = self._course.directory, self._course.config
        try:
            if self._is_ours:
                write_pages({student: of[student]}, directory, config)
            else:
                generate_page(student, directory, config)
        except ConversionError as error:
            if isinstance(error.__cause__, OSError) and not _is_of_names(error.__cause__):
                raise MachineError(
                    f"The feedback of {student} cannot be written: {error} What was done is kept; "
                    "when there is room, the same command goes on."
                ) from error
            self._failed(student, error)
            return False
        return True


def _is_of_names(error: OSError) -> bool:
    """Whether what is wrong is a file, such as a graded notebook that somebody took away."""
    return isinstance(error, FileNotFoundError | NotADirectoryError | IsADirectoryError)
