"""Grades for the grade books of Canvas and Moodle, through nbgrader's own export command.

    nbgrader export --exporter headway.grading.exports.CanvasExport --to canvas.csv
    nbgrader export --exporter headway.grading.exports.MoodleExport --to moodle.csv

nbgrader's `--assignment` and `--student` choose what is exported. A score is the one that counts:
with the bonus, less the penalty for being late. Who has no grade has an empty field, never a
zero: nothing was handed in, or the submission was set aside (`reports/ASSIGNMENT.json` says so),
whatever an earlier run left in the gradebook.

Names are protected from spreadsheets, which would read one that begins with = + - or @ as a
formula: they get an apostrophe in front. Ids, logins and addresses of mail are what the
platforms find a student by, so no character of them changes; the field of one that begins so is
left empty, and the log names the student. Import the file as it is: a spreadsheet that
opens and saves it takes leading zeros from ids.
"""

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path

from nbgrader.api import Assignment, Gradebook, MissingEntry, Student, SubmittedAssignment
from nbgrader.plugins import ExportPlugin
from traitlets import Enum

from headway.grading.files import write_whole
from headway.grading.results.grades_csv import score_of
from headway.grading.results.report import Report, read_report
from headway.grading.results.spreadsheet import FORMULA, no_formula

CANVAS_COLUMNS = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
ALIKE = 1e-9  # points; less is a matter of rounding
MOODLE_COLUMNS = ["ID number", "Username", "Email address", "First name", "Last name"]


class _GradesExport(ExportPlugin):
    """What both exports share: whose grades, for what, and how a file is written."""

    default_name = "grades.csv"

    def export(self, gradebook: Gradebook) -> None:
        """Write the file that `--to` names."""
        path = Path(self.to or self.default_name)
        self._reports: dict[str, Report] = {}
        rows = list(self.rows(gradebook))
        write_whole(path, lambda scratch: _write(scratch, rows))
        self.log.info("Wrote %s", path)

    def rows(self, gradebook: Gradebook) -> Iterator[list[str]]:
        """The lines of the file."""
        raise NotImplementedError

    def chosen_students(self, gradebook: Gradebook) -> list[Student]:
        """The students asked for; all if none was named."""
        wanted = {str(name) for name in self.student}
        return [student for student in gradebook.students if not wanted or student.id in wanted]

    def chosen_assignments(self, gradebook: Gradebook) -> list[Assignment]:
        """The assignments asked for; all if none was named."""
        wanted = {str(name) for name in self.assignment}
        return [it for it in gradebook.assignments if not wanted or it.name in wanted]

    def score(self, gradebook: Gradebook, assignment: Assignment, student: Student) -> str:
        """A student's points; empty without a grade."""
        row = self._report(assignment.name).students.get(student.id)
        if row and row.status != "graded":
            return ""
        try:
            submission = gradebook.find_submission(assignment.name, student.id)
        except MissingEntry:
            return ""
        return _number(score_of(submission)) if submission.notebooks else ""

    def comment(self, gradebook: Gradebook, assignment: Assignment, student: Student) -> str:
        """Why there is no grade, or how it came about; one line of plain text.

        Where a person gave points, the points that the tasks earned would not add up to the grade:
        then it is the points in all that are told.
        """
        row = self._report(assignment.name).students.get(student.id)
        if row and row.status != "graded":
            return protected(f"Not graded: {row.reason or row.status}")
        try:
            submission = gradebook.find_submission(assignment.name, student.id)
        except MissingEntry:
            return ""
        tasks = row.tasks if row else {}
        parts = [
            f"{task_id.partition('/')[2]}: {_number(result.score)} of {_number(result.max)}"
            for task_id, result in tasks.items()
        ]
        earned = sum(result.score for result in tasks.values())
        if abs(earned - submission.score) > ALIKE:
            total = f"{_number(submission.score)} of {_number(submission.max_score)} points in all"
            parts = [
                f"{total}, some of them given by hand" if _has_points_by_hand(submission) else total
            ]
        if submission.late_submission_penalty:
            parts.append(f"late: −{_number(submission.late_submission_penalty)}")
        return protected("; ".join(parts)) if submission.notebooks else ""

    def identifier(self, text: str | None, student: Student) -> str:
        """An id as it is, or nothing where a spreadsheet would compute it."""
        text = text or ""
        if text.startswith(FORMULA):
            self.log.warning(
                "%r of student %r could be read as a formula. Its field was left empty; "
                "fill it in by hand.",
                text,
                student.id,
            )
            return ""
        return text

    def _report(self, assignment: str) -> Report:
        if assignment not in self._reports:
            course = self.parent.coursedir if self.parent else None
            path = Path(course.root if course else ".", "reports", f"{assignment}.json")
            self._reports[assignment] = read_report(path, assignment)
        return self._reports[assignment]


class CanvasExport(_GradesExport):
    """A CSV file for Canvas: Grades, Import.

    Canvas asks for the columns Student, ID and Section, and takes SIS User ID and SIS Login ID
    after ID. It finds a student by ID (its own number), else by SIS User
    ID, else by SIS Login ID, else by the name as Canvas sorts it, "Last, First". Here nbgrader's
    student id stands as SIS Login ID; SIS User ID is its LMS user id, where one was given to the
    gradebook. Where students have Canvas's own number as their id, as from an archive of
    submissions, `c.CanvasExport.students_by = "ID"` puts it there. An assignment is found by its
    name; one that Canvas does not have it offers to make, of as many points as the row "Points
    Possible" says. An empty field takes away a grade that Canvas has; its preview shows that.

    Source: Instructor Guide of Canvas, "How do I import grades in the Gradebook?", and
    `lib/gradebook_importer.rb` of canvas-lms.
    """

    default_name = "canvas.csv"
    students_by = Enum(
        ("SIS Login ID", "ID"), "SIS Login ID", help="The column that has nbgrader's student id."
    ).tag(config=True)

    def rows(self, gradebook: Gradebook) -> Iterator[list[str]]:
        assignments = self.chosen_assignments(gradebook)
        yield CANVAS_COLUMNS + [protected(it.name) for it in assignments]
        points = [_number(it.max_score) for it in assignments]
        yield ["Points Possible", "", "", "", "", *points]
        for student in self.chosen_students(gradebook):
            names = filter(None, (student.last_name, student.first_name))
            own = {self.students_by: student.id, "SIS User ID": student.lms_user_id}
            ids = (own.get(column) for column in CANVAS_COLUMNS[1:4])
            yield [
                protected(", ".join(names)),
                *(self.identifier(text, student) for text in ids),
                "",
                *(self.score(gradebook, it, student) for it in assignments),
            ]


class MoodleExport(_GradesExport):
    """A CSV file for Moodle: Grades, Import, CSV file (UTF-8, separated by commas).

    Moodle asks which column to find students by, "Map from" and "Map to": choose "Username" to
    "Username", "ID number" to "ID number" or "Email address" to "Email address". nbgrader's
    student id stands as username; ID number is its LMS user id. A row whose field in that column
    is empty or unknown stops the whole import, so give all of them, or choose the students.
    For each assignment map its column to the grade item, and its "(feedback)" column
    to "Feedback for" the same item: Moodle takes away a grade whose feedback comes alone. An
    empty field is no grade. Grades above the maximum, which a bonus can give, need the site's
    setting `unlimitedgrades`.

    Source: Moodle documentation, "Grade import".
    """

    default_name = "moodle.csv"

    def rows(self, gradebook: Gradebook) -> Iterator[list[str]]:
        assignments = self.chosen_assignments(gradebook)
        titles = [protected(it.name) for it in assignments]
        yield MOODLE_COLUMNS + [name for it in titles for name in (it, f"{it} (feedback)")]
        for student in self.chosen_students(gradebook):
            ids = (student.lms_user_id, student.id, student.email)
            grades = []
            for it in assignments:
                grades += [self.score(gradebook, it, student), self.comment(gradebook, it, student)]
            yield [
                *(self.identifier(text, student) for text in ids),
                protected(student.first_name or ""),
                protected(student.last_name or ""),
                *grades,
            ]


def _has_points_by_hand(submission: SubmittedAssignment) -> bool:
    grades = (grade for notebook in submission.notebooks for grade in notebook.grades)
    return any(grade.manual_score is not None for grade in grades)


def protected(text: str) -> str:
    """The text on one line, so that a spreadsheet does not take it for a formula."""
    return no_formula(" ".join(text.split()))


def _number(points: float) -> str:
    return f"{points:.10g}"


def _write(path: Path, rows: Iterable[list[str]]) -> None:
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
