"""The table of grades: nbgrader's columns, and a status that agrees with the report."""

import csv
from collections.abc import Iterator
from pathlib import Path

from nbgrader.api import Assignment, Gradebook, MissingEntry, SubmittedAssignment

from headway.grading.results.report import Report, Row
from headway.grading.results.spreadsheet import no_formula

COLUMNS = [
    "assignment",
    "duedate",
    "timestamp",
    "student_id",
    "last_name",
    "first_name",
    "email",
    "raw_score",
    "late_submission_penalty",
    "score",
    "max_score",
    "status",
]


def write_table(path: Path, gradebook: Gradebook, reports: dict[str, Report], latest: str) -> None:
    """Write a row for each student and assignment, as CSV.

    Only a graded submission has scores: of one that was set aside or withdrawn, or that nbgrader
    began to grade, the gradebook may hold none, zero or an old score. An assignment without a
    report was graded by nbgrader alone.

    Args:
        path: the file.
        gradebook: nbgrader's.
        reports: by assignment.
        latest: the assignment whose report is of this run; it has the rows of its report.
    """
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
        table = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
        table.writeheader()
        for assignment in gradebook.assignments:
            report = reports.get(assignment.name, Report(assignment.name))
            names = set(report.students)
            if assignment.name != latest:
                names |= {student.id for student in gradebook.students}
            table.writerows(_rows(gradebook, assignment, report, sorted(names)))


def _rows(
    gradebook: Gradebook, assignment: Assignment, report: Report, names: list[str]
) -> Iterator[dict[str, object]]:
    students = {student.id: student for student in gradebook.students}
    for name in names:
        cells = {
            "assignment": assignment.name,
            "duedate": assignment.duedate,
            "student_id": no_formula(name),
            "max_score": assignment.max_score,
        }
        if name in students:
            for column in ("last_name", "first_name", "email"):
                cells[column] = no_formula(getattr(students[name], column) or "")
        yield cells | _result(gradebook, assignment.name, name, report.students.get(name))


def _result(
    gradebook: Gradebook, assignment: str, student: str, row: Row | None
) -> dict[str, object]:
    if row and row.status != "graded":
        return {"status": row.status}
    try:
        submission = gradebook.find_submission(assignment, student)
    except MissingEntry:
        return {"score": row.score, "status": "graded"} if row else {"status": "missing"}
    if not has_points(submission):
        return {"timestamp": submission.timestamp, "status": "not graded"}
    return {
        "timestamp": submission.timestamp,
        "raw_score": submission.score,
        "late_submission_penalty": submission.late_submission_penalty or 0.0,
        "score": score_of(submission),
        "status": "graded",
    }


def has_points(submission: SubmittedAssignment) -> bool:
    """Whether anything of it was graded: else its score is 0, and means nothing."""
    grades = (grade for notebook in submission.notebooks for grade in notebook.grades)
    return any(it.auto_score is not None or it.manual_score is not None for it in grades)


def score_of(submission: SubmittedAssignment) -> float:
    """The points that count: with the bonus, less the penalty for being late."""
    return max(0.0, submission.score - (submission.late_submission_penalty or 0.0))
