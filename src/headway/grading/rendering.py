"""Feedback pages of a class: made by the workers, written as nbgrader writes them.

Strangers' Markdown and code are rendered where the process may be ended over it. Where that
happens, the student gets a plain page of scores, reasons and comments.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from nbformat.v4 import reads_json
from nbgrader.api import Gradebook

from headway.errors import MachineError
from headway.grading.course import Course
from headway.grading.journal import Journal
from headway.grading.nbgrader.convert import ConversionError
from headway.grading.nbgrader.feedback import (
    Page,
    generate_page,
    grades_of,
    is_ours,
    write_pages,
)
from headway.grading.nbgrader.standings import recorded_submissions
from headway.grading.results.graded_notebook import renamed_page
from headway.grading.results.plain_page import plain_page
from headway.grading.words import one_line

NOT_THERE = (FileNotFoundError, NotADirectoryError, IsADirectoryError, PermissionError)
SECONDS = 10.0  # of processor time, for a page


class Rendering:
    """The pages that a run has to make.

    Args:
        course: where the graded notebooks are.
        journal: of the assignment.
        failed: called with a student whose page cannot be made, and why.

    Attributes:
        made: of each student whose page was made, the digest of what it tells. What people write
            into the gradebook while the page is on its way makes it another.
    """

    def __init__(
        self, course: Course, journal: Journal, failed: Callable[[str, ConversionError], None]
    ):
        self._course, self._journal, self._failed = course, journal, failed
        self._is_ours = is_ours(course.config)
        self._wanted: list[str] = []
        self._asked: dict[str, dict] = {}
        self._told: dict[str, str] = {}
        self.made: dict[str, str] = {}

    def want(self, students: Sequence[str]) -> None:
        """Note who is to get a page; the graded notebook and the gradebook are as it shall tell.

        Raises:
            MachineError: if there is no room for it.
        """
        if not students:
            return
        course = self._course
        if self._is_ours:
            self._wanted.extend(students)
            return
        with course.gradebook() as gradebook:
            self._note(gradebook, students)
        for student in students:
            with self._not_in_vain(student):
                generate_page(student, course.directory, course.config)
                self.made[student] = self._told.pop(student)

    def _note(self, gradebook: Gradebook, students: Sequence[str]) -> None:
        """Note what the pages of these students tell that are made from now on."""
        now = recorded_submissions(gradebook, self._course.assignment)
        for student in students:
            entry, recorded = self._journal.read(student), now.get(student)
            told = recorded.on_page(*entry.graded) if entry and recorded else ""
            self._told[student] = told

    def jobs(self) -> Iterator[tuple[str, dict]]:
        """The jobs of those whom `want` has noted, by student, until there are no more.

        Raises:
            UserError: if the gradebook cannot be read.
        """
        while self._wanted:
            students, self._wanted = self._wanted, []
            with self._course.gradebook() as gradebook:
                self._note(gradebook, students)
                of = {one: grades_of(gradebook, self._course.assignment, one) for one in students}
            for student, grades in of.items():
                try:
                    notebook = self._course.autograded(student).read_text(encoding="utf-8")
                except (*NOT_THERE, UnicodeDecodeError) as error:
                    self._failed(student, ConversionError(f"The graded notebook: {error}."))
                    continue
                yield self._job(student, notebook, grades)

    def _job(self, student: str, notebook: str, grades: dict) -> tuple[str, dict]:
        job = {"do": "page", "tries": 1, "seconds": SECONDS, "notebook": notebook}
        job |= {"assignment": self._course.assignment, "grades": grades}
        self._asked[student] = job
        return student, job

    def is_asked(self, student: str) -> bool:
        """Whether the next result of this student is a page."""
        return student in self._asked

    def take(self, student: str, result: Mapping[str, str]) -> None:
        """Write the page that a worker gave, or a plain one if it gave none.

        Raises:
            MachineError: if there is no room for it.
        """
        job = self._asked.pop(student)
        try:
            notebook = reads_json(job["notebook"])
            html = result.get("html") or plain_page(notebook, job["assignment"], job["grades"])
            also = renamed_page(notebook)
        except Exception as error:  # whatever somebody put in its place
            reason = one_line(f"The graded notebook is none: {type(error).__name__}: {error}")
            self._failed(student, ConversionError(reason))
            return
        with self._not_in_vain(student):
            pages = {student: Page(html, also)}
            write_pages(pages, self._course.directory, self._course.config)
            self.made[student] = self._told.pop(student)

    @contextmanager
    def _not_in_vain(self, student: str) -> Iterator[None]:
        try:
            yield
        except ConversionError as error:
            if isinstance(error.__cause__, OSError):
                raise MachineError(
                    f"The feedback of {student} cannot be written: {error} What was done is kept; "
                    "when there is room, the same command goes on."
                ) from error
            self._failed(student, error)
