"""The table of an assignment's points by task: a row for each student, a column for each task."""

import csv
from collections import defaultdict
from pathlib import Path

from nbgrader.api import Grade, Gradebook

from headway.grading.results.cell_points import cell_points
from headway.grading.results.report import Report
from headway.grading.results.spreadsheet import no_formula
from headway.tasks.engine.find import UnknownTaskError, tasks_of

CHECK = "check-"
COLUMNS = ["student_id", "last_name", "first_name", "status", "score"]


def write_task_points(path: Path, gradebook: Gradebook, report: Report) -> None:
    """Write the points of each task, with what was given by hand and before the late penalty.

    As in the table of grades, only graded submissions have points.
    """
    points = _points(gradebook, report.assignment)
    names = _in_order({name for own in points.values() for name in own}, report.assignment)
    students = {student.id: student for student in gradebook.students}
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow([*COLUMNS, *(name.removeprefix(CHECK) for name in names)])
        for student, row in sorted(report.students.items()):
            person = students.get(student)
            own = points.get(student, {}) if row.status == "graded" else {}
            table.writerow(
                [
                    no_formula(student),
                    *(no_formula(getattr(person, part, "") or "") for part in COLUMNS[1:3]),
                    row.status,
                    row.score,
                    *(own.get(name) for name in names),
                ]
            )


def _points(gradebook: Gradebook, assignment: str) -> dict[str, dict[str, float]]:
    """The points of graded cells, by student and by the cell's name."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for student, name, score in cell_points(gradebook, assignment, Grade.score):
        found[student][name] = score
    return found


def _in_order(names: set[str], assignment: str) -> list[str]:
    """Tasks in the assignment's order, then an instructor's own cells by name."""
    try:
        tasks = [f"{CHECK}{task.id.partition('/')[2]}" for task in tasks_of(assignment)]
    except UnknownTaskError:  # an instructor's own assignment
        tasks = []
    return [*(name for name in tasks if name in names), *sorted(names - set(tasks))]
