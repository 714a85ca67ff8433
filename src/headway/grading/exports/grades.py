"""The base class of the exports: choosing students and assignments, and writing the file."""

import csv
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from nbgrader.api import Assignment, Gradebook, MissingEntry, Student, SubmittedAssignment
from nbgrader.plugins import ExportPlugin

from headway.errors import UserError
from headway.grading.files import write_atomically
from headway.grading.platforms.people import full_name
from headway.grading.results.report import Report, Row, read_report
from headway.grading.results.spreadsheet import is_formula, no_formula
from headway.grading.safe_text import listed, with_name

ALIKE = 1e-9  # points; smaller differences are rounding errors
MOST_NAMES = 20  # in one line
UNCERTAIN = "it is not certain by whom"
SENTENCE_END = re.compile(r"(?<=\.)\s")
OTHER_FILE = re.compile(
    r"Handed in (?P<file>.+): (?P<kind>an? [\w ]+), not a notebook\.", re.DOTALL
)
# How reasons begin whose first sentence a student understands, and that say nothing of the machine.
FOR_STUDENTS = (
    "Handed in ",
    "There is no ",
    "The file is no Jupyter notebook",
    "The notebook has none of the assignment's cells",
    "The notebook is another assignment's",
    "The notebook is empty",
    "Without its outputs the notebook is",
    "Without the notebook's outputs, the folder",
)


class GradesExport(ExportPlugin):
    """The base class of the exports; subclasses implement `rows`."""

    default_name = "grades.csv"
    next_step = ""  # what to choose on the platform

    def __init__(self, folder: Path | None = None, **more: object):
        """
        Args:
            folder: the course folder; by default that of nbgrader's command.
        """
        super().__init__(**more)
        self._folder = folder
        self._reports: dict[str, Report] = {}
        self._known: dict[tuple[str, str], str] = {}
        self.written: list[Student] = []  # students with a row in the file
        self.listed_there: int | None = None  # number of students in the platform's file

    def export(self, gradebook: Gradebook) -> None:
        """Write the file that `--to` names."""
        path = Path(self.to or self.default_name)
        rows = list(self.rows(gradebook))
        write_atomically(path, lambda scratch: _write(scratch, rows))
        self.log.info("Wrote %s: %s", path, self.counts(gradebook))
        self._tell_left_out(gradebook)
        self._tell_set_aside(gradebook)

    def counts(self, gradebook: Gradebook) -> str:
        """A sentence on how many students have a row and a grade; call `export` before."""
        rows, graded = len(self.written), len(self._graded(gradebook, self.written))
        said = f"{rows} {'row' if rows == 1 else 'rows'}, {graded} with a grade."
        if self.listed_there is None or self.student:
            return said
        return (
            f"{said} Of the {self.listed_there} students' rows in the platform's file, "
            f"{self.listed_there - graded} get none."
        )

    def _tell_left_out(self, gradebook: Gradebook) -> None:
        """Log the students who are not in the file, first those with a grade."""
        there = {student.id for student in self.written}
        absent = [one for one in self.chosen_students(gradebook) if one.id not in there]
        graded = self._graded(gradebook, absent)
        for what, is_graded in (("with a grade", True), ("without a grade", False)):
            names = [called(one) for one in absent if (one.id in graded) == is_graded]
            if names:
                self.log.warning(
                    "Not in the file, %s (%d): %s.", what, len(names), listed(names, MOST_NAMES)
                )

    def _tell_set_aside(self, gradebook: Gradebook) -> None:
        """Log the students who handed in and have no grade, since a person has to look."""
        for it in self.chosen_assignments(gradebook):
            aside = self.report(it.name).with_status("set-aside")
            if names := [called(one) for one in self.written if one.id in aside]:
                self.log.warning(
                    *("Handed in %s, and not graded (%d): %s.", it.name, len(names)),
                    listed(names, MOST_NAMES),
                )

    def _graded(self, gradebook: Gradebook, students: Iterable[Student]) -> set[str]:
        """The ids of the students with a grade in the exported assignments."""
        assignments = self.chosen_assignments(gradebook)
        return {
            one.id for one in students if any(self.score(gradebook, it, one) for it in assignments)
        }

    def rows(self, gradebook: Gradebook) -> Iterator[list[str]]:
        """The lines of the file."""
        raise NotImplementedError

    def chosen_students(self, gradebook: Gradebook) -> list[Student]:
        """The students asked for, by id; all if none was named."""
        wanted = {str(name) for name in self.student}
        if unknown := sorted(wanted - {student.id for student in gradebook.students}):
            raise UserError(f"The gradebook has no student {unknown[0]!r}.")
        students = (one for one in gradebook.students if not wanted or one.id in wanted)
        return sorted(students, key=lambda one: one.id)

    def chosen_assignments(self, gradebook: Gradebook) -> list[Assignment]:
        """The assignments asked for; all if none was named."""
        wanted = {str(name) for name in self.assignment}
        if unknown := sorted(wanted - {it.name for it in gradebook.assignments}):
            raise UserError(f"The gradebook has no assignment {unknown[0]!r}.")
        return [it for it in gradebook.assignments if not wanted or it.name in wanted]

    def score(self, gradebook: Gradebook, assignment: Assignment, student: Student) -> str:
        """A student's points; empty without a grade."""
        key = assignment.name, student.id
        if key not in self._known:
            self._known[key] = self._score(gradebook, assignment, student)
        return self._known[key]

    def _score(self, gradebook: Gradebook, assignment: Assignment, student: Student) -> str:
        row = self.report(assignment.name).students.get(student.id)
        if row and row.status != "graded":
            return ""
        try:
            submission = gradebook.find_submission(assignment.name, student.id)
        except MissingEntry:
            return ""
        return number(_score_of(submission)) if _has_points(submission) else ""

    def comment(self, gradebook: Gradebook, assignment: Assignment, student: Student) -> str:
        """Why there is no grade, or what it consists of; one line of plain text.

        If somebody changed points by hand, the points of the tasks do not add up to the grade.
        Then the comment gives only the total.
        """
        row = self.report(assignment.name).students.get(student.id)
        if row and row.status != "graded":
            return protected(_not_graded(row))
        try:
            submission = gradebook.find_submission(assignment.name, student.id)
        except MissingEntry:
            return ""
        tasks = row.tasks if row else {}
        parts = [
            f"{task_id.partition('/')[2]}: {number(result.score)} of {number(result.max)}"
            for task_id, result in tasks.items()
        ]
        earned = sum(result.score for result in tasks.values())
        if abs(earned - submission.score) > ALIKE:
            total = f"{number(submission.score)} of {number(submission.max_score)} points in all"
            parts = [
                f"{total}, some of them given by hand" if _has_points_by_hand(submission) else total
            ]
        if submission.late_submission_penalty:
            parts.append(f"late: −{number(submission.late_submission_penalty)}")
        return protected("; ".join(parts)) if _has_points(submission) else ""

    def identifier(self, text: str | None, student: Student) -> str:
        """An id unchanged, or empty if a spreadsheet would read it as a formula."""
        text = text or ""
        if is_formula(text):
            self.log.warning(
                "%r of student %r could be read as a formula. Its field was left empty; "
                "fill it in by hand.",
                text,
                student.id,
            )
            return ""
        return text

    def report(self, assignment: str) -> Report:
        """The latest report of an assignment."""
        if assignment not in self._reports:
            course = self.parent.coursedir if self.parent else None
            folder = self._folder or Path(course.root if course else ".")
            path = folder / "reports" / f"{assignment}.json"
            self._reports[assignment] = read_report(path, assignment)
        return self._reports[assignment]


def called(student: Student) -> str:
    """A student's id, followed by the name if there is one."""
    return with_name(student.id, {student.id: full_name(student)})


def _not_graded(row: Row) -> str:
    """Why a student has no grade, in words for that student: no instructions for an instructor."""
    if row.status == "missing":
        return f"Not graded: {row.reason or row.status}"
    first = SENTENCE_END.split(row.reason or "", maxsplit=1)[0].rstrip(".")
    if other := OTHER_FILE.match(row.reason or ""):
        return f"Not graded yet: {other['kind']} was handed in, {other['file']}."
    if UNCERTAIN in (row.reason or ""):
        return "Not graded yet: it is not certain who handed in a file that may be yours."
    if first.startswith(FOR_STUDENTS):
        return f"Not graded yet: {first[0].lower()}{first[1:]}."
    return "Not graded yet."


def _has_points(submission: SubmittedAssignment) -> bool:
    """Whether any cell was graded; otherwise the score is a meaningless 0."""
    grades = (grade for notebook in submission.notebooks for grade in notebook.grades)
    return any(it.auto_score is not None or it.manual_score is not None for it in grades)


def _score_of(submission: SubmittedAssignment) -> float:
    """The final score: with the bonus, less the late penalty."""
    return max(0.0, submission.score - (submission.late_submission_penalty or 0.0))


def _has_points_by_hand(submission: SubmittedAssignment) -> bool:
    grades = (grade for notebook in submission.notebooks for grade in notebook.grades)
    return any(grade.manual_score is not None for grade in grades)


def protected(text: str) -> str:
    """The text on one line, so that no spreadsheet reads it as a formula."""
    return no_formula(" ".join(text.split()))


def number(points: float) -> str:
    """Points in a format that the platforms can read."""
    return f"{points:.10g}"


def _write(path: Path, rows: Iterable[list[str]]) -> None:
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
