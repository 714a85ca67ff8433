"""The report of a class: what each student got for each task, and why.

As JSON:

    {"assignment", "students": {id: {"status": "graded" | "set-aside" | "missing", "score", "max",
    "reason", "seconds", "tasks": {task_id: {"status", "score", "max", "misconception",
    "reason"}}}}}

A task with a leaderboard also has "measured", metrics by name, and "listed_as" if the student wants
to be listed. `max` is without bonus, so `score` may exceed it; a submission that was not graded has
a score of null. `report.json` is from the latest run; `reports/` has a report for each assignment.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from headway.grading.notebooks.task_result import TaskResult
from headway.grading.stored import read_as

PAGE_ONLY = ("notes", "changes", "earlier", "remarks")


@dataclass(frozen=True)
class Row:
    """The result of one student's submission.

    Attributes:
        status: "graded", "set-aside" (a person must look) or "missing".
        score: points with bonus; None unless graded.
        max: the assignment's points without bonus.
        reason: why it was not graded.
        seconds: how long grading took.
        tasks: results by task id, in the assignment's order.
        notes: repairs of the notebook before grading; on the page only.
        changes: those since earlier gradings, "2026-11-21 14:03: 12 → 14, because the task
            changed"; on the page only.
        earlier: file names of earlier feedback pages; on the page only.
        remarks: notes on the score: lateness, penalty and manual points, "2 d 3 h late, 1.5 taken
            off, +1 by hand"; on the page only.
    """

    status: str
    score: float | None
    max: float
    reason: str | None = None
    seconds: float = 0.0
    tasks: dict[str, TaskResult] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    earlier: tuple[str, ...] = ()
    remarks: str = ""

    @property
    def points(self) -> str:
        """The score as text: "19.5 of 20", "5 bonus" if all points are bonus; "–" without one."""
        if self.score is None:
            return "–"
        return f"{self.score:g} of {self.max:g}" if self.max else f"{self.score:g} bonus"


@dataclass
class ClassMistake:
    """A known mistake in a class.

    Attributes:
        students: the students who made it, as keys.
        tasks: ids of the tasks in which it was made, in the assignment's order, as keys.
    """

    students: dict[str, None] = field(default_factory=dict)
    tasks: dict[str, None] = field(default_factory=dict)


@dataclass(frozen=True)
class Report:
    """The rows of a class, by student, for one assignment.

    Attributes:
        assignment: the assignment's name.
        students: rows by student.
        warnings: what a reader of the results must know first; on the page only.
        footnote: how the results were made; on the page only.
        names: student id → name from the class list; on the page only.
        sections: student id → section, if the class has sections; on the page only.
    """

    assignment: str
    students: dict[str, Row] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    footnote: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    sections: Mapping[str, str] = field(default_factory=dict)

    def as_json(self) -> str:
        """The report as JSON text."""
        students = {}
        for name, row in self.students.items():
            kept = {key: value for key, value in vars(row).items() if key not in PAGE_ONLY}
            tasks = {task_id: result.as_dict() for task_id, result in row.tasks.items()}
            students[name] = {**kept, "seconds": round(row.seconds, 1), "tasks": tasks}
        data = {"assignment": self.assignment, "students": students}
        return json.dumps(data, ensure_ascii=False, indent=2) + "\n"

    def misconceptions(self) -> dict[str, ClassMistake]:
        """Who made each known mistake, and in which tasks: the most frequent first."""
        found: dict[str, ClassMistake] = {}
        tasks = list(dict.fromkeys(task for row in self.students.values() for task in row.tasks))
        for student, row in self.students.items():
            for task_id, result in row.tasks.items():
                if result.misconception:
                    named = found.setdefault(result.misconception, ClassMistake())
                    named.students[student] = named.tasks[task_id] = None
        for named in found.values():
            named.tasks = dict.fromkeys(sorted(named.tasks, key=tasks.index))
        order = sorted(found, key=lambda name: tasks.index(next(iter(found[name].tasks))))
        return {name: found[name] for name in sorted(order, key=lambda n: -len(found[n].students))}

    def with_status(self, status: str) -> dict[str, Row]:
        """The rows of one status."""
        return {name: row for name, row in self.students.items() if row.status == status}


def read_report(path: Path, assignment: str) -> Report:
    """A report that was written earlier; an empty one if it is missing or unreadable."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        students = read_as(dict[str, Row], data["students"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return Report(assignment)
    return Report(assignment, students)
