"""The table of grades: nbgrader's columns, with each student's own due date, and the status."""

import csv
from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path

from nbgrader.api import (
    Assignment,
    Grade,
    Gradebook,
    SubmittedAssignment,
    SubmittedNotebook,
)
from sqlalchemy import or_

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
NO_TIME = timedelta()
SECTION = "section"  # only if the class has sections


def write_table(path: Path, gradebook: Gradebook, reports: dict[str, Report], latest: str) -> None:
    """Write a row for each student and assignment, as CSV.

    Only graded submissions have scores. For a submission that was set aside or withdrawn, or that
    nbgrader began to grade, the gradebook may have no score, zero or an old score. An assignment
    without a report was graded by nbgrader alone.

    Args:
        path: the file.
        gradebook: nbgrader's gradebook.
        reports: reports by assignment.
        latest: the assignment of this run; its rows are those of its report, and its report has
            the sections.
    """
    sections = reports[latest].sections
    columns = [*COLUMNS, SECTION] if sections else COLUMNS
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
        table = csv.DictWriter(file, columns, restval="", lineterminator="\n")
        table.writeheader()
        for assignment in gradebook.assignments:
            report = reports.get(assignment.name, Report(assignment.name))
            names = set(report.students)
            if assignment.name != latest:
                names |= {student.id for student in gradebook.students}
            table.writerows(_rows(gradebook, assignment, report, sorted(names), sections))


def _rows(
    gradebook: Gradebook,
    assignment: Assignment,
    report: Report,
    names: list[str],
    sections: Mapping[str, str],
) -> Iterator[dict[str, object]]:
    students = {student.id: student for student in gradebook.students}
    results = _results(gradebook, assignment.name)
    longer = dict(
        gradebook.db.query(SubmittedAssignment.student_id, SubmittedAssignment.extension)
        .filter(SubmittedAssignment.name == assignment.name)
        .all()
    )
    for name in names:
        cells = {
            "assignment": assignment.name,
            "duedate": assignment.duedate and assignment.duedate + (longer.get(name) or NO_TIME),
            "student_id": no_formula(name),
            "max_score": assignment.max_score,
        }
        if sections:
            cells[SECTION] = no_formula(sections.get(name, ""))
        if name in students:
            for column in ("last_name", "first_name", "email"):
                cells[column] = no_formula(getattr(students[name], column) or "")
        yield cells | _result(results.get(name), report.students.get(name))


def _result(result: dict[str, object] | None, row: Row | None) -> dict[str, object]:
    if row and row.status != "graded":
        return {"status": row.status}
    if result is None:
        return {"score": row.score, "status": "graded"} if row else {"status": "missing"}
    return result


def _results(gradebook: Gradebook, assignment: str) -> dict[str, dict[str, object]]:
    """The gradebook's data on the submissions of an assignment, by student."""
    of_assignment = SubmittedAssignment.name == assignment
    with_points = (
        gradebook.db.query(SubmittedAssignment.student_id)
        .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .join(Grade, Grade.notebook_id == SubmittedNotebook.id)
        .filter(of_assignment, or_(Grade.auto_score.is_not(None), Grade.manual_score.is_not(None)))
        .distinct()
    )
    rows = gradebook.db.query(
        SubmittedAssignment.student_id,
        SubmittedAssignment.timestamp,
        SubmittedAssignment.score,
        SubmittedAssignment.late_submission_penalty,
    ).filter(of_assignment)
    found = {
        student: {
            "timestamp": timestamp,
            "raw_score": score,
            "late_submission_penalty": penalty or 0.0,
            "score": max(0.0, score - (penalty or 0.0)),
            "status": "graded",
        }
        for student, timestamp, score, penalty in rows
    }
    ungraded = found.keys() - {student for (student,) in with_points}
    for student in ungraded:
        found[student] = {"timestamp": found[student]["timestamp"], "status": "not graded"}
    return found
