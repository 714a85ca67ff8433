"""The state of every student's work in every assignment of a course folder.

    reports/01-one-hot.json      what was graded, task by task
    gradebook.db                 the points that count today, due dates, extensions
    submitted/STUDENT/01-one-hot what was handed in, graded or not

This module grades nothing and runs no student code.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from headway.chapters import ASSIGNMENTS, Chapter
from headway.grading.copies import not_in_reach, read_collected
from headway.grading.desk.course import open_course
from headway.grading.intake.submission import NOTEBOOK
from headway.grading.intake.tries import read_tries
from headway.grading.nbgrader.gradebook_file import GradebookFile
from headway.grading.nbgrader.recorded import RecordedSubmission, due_dates_of, recorded_submissions
from headway.grading.notebooks.task_result import TaskResult
from headway.grading.platforms.roster import names_of
from headway.grading.platforms.sections import sections_shown
from headway.grading.results.report import Report, Row, read_report
from headway.grading.settings import STATE
from headway.tasks.engine.tries import Tries

NOT_HANDED_IN = ("overdue", "missing")
FEW = 0.5  # of the points


@dataclass(frozen=True)
class Work:
    """One student's work for one assignment.

    Attributes:
        status: "graded", "set-aside" (a person must look), "handed-in" (not graded yet), "overdue",
            "missing" (not handed in, no due date) or "open" (not handed in, not due yet).
        score: the points that count; None unless graded.
        max: the assignment's points without bonus.
        late: whether it was handed in after it was due.
        tasks: results by task id.
        tries: task id → the tries that the student's own record lists; empty without a record.
    """

    status: str
    score: float | None = None
    max: float = 0.0
    late: bool = False
    tasks: Mapping[str, TaskResult] = field(default_factory=dict)
    tries: Mapping[str, Tries] = field(default_factory=dict)

    @property
    def share(self) -> float | None:
        """Share of the points earned, 0 to 1; None if not graded or the maximum is 0."""
        return self.score / self.max if self.score is not None and self.max else None

    @property
    def is_few(self) -> bool:
        """Whether the work was graded and earned less than half of the points."""
        return self.share is not None and self.share < FEW


@dataclass(frozen=True)
class Overview:
    """The work of a whole class.

    Attributes:
        folder: the course folder.
        assignments: those that were released, handed in or graded there, in order.
        students: ids of all who are in the gradebook or handed something in, sorted.
        work: by student id and assignment name.
        due: assignment name → due date, for assignments that have one.
        names: student id → name from the class list; empty if there is no list.
        sections: student id → section; empty if the class has no sections.
    """

    folder: Path
    assignments: tuple[Chapter, ...]
    students: tuple[str, ...]
    work: Mapping[tuple[str, str], Work]
    due: Mapping[str, datetime]
    names: Mapping[str, str] = field(default_factory=dict)
    sections: Mapping[str, str] = field(default_factory=dict)

    def of_assignment(self, assignment: str) -> dict[str, Work]:
        """The class's work for an assignment, by student."""
        return {student: self.work[student, assignment] for student in self.students}


@dataclass(frozen=True)
class StudentProgress:
    """How far a student has come.

    Attributes:
        student: the student's id.
        absent: numbers of assignments that are due, or have no due date, and were not handed in.
        aside: numbers of the assignments that were set aside.
        few: numbers of the assignments with less than half of the points.
        late: how many assignments were handed in late.
        share: share of the points in all graded assignments; None if none was graded.
    """

    student: str
    absent: tuple[int, ...]
    aside: tuple[int, ...]
    few: tuple[int, ...]
    late: int
    share: float | None

    @property
    def is_behind(self) -> bool:
        """Whether something is missing, or less than half of the points was earned."""
        return bool(self.absent or self.aside) or (self.share is not None and self.share < FEW)


def read_overview(folder: Path, now: datetime | None = None) -> Overview:
    """Read the work of a whole class from its course folder.

    Args:
        now: the time that due dates are compared with; None means the current time.

    Raises:
        UserError: if it is not a writable course folder, or its gradebook cannot be read.
    """
    now = (now or datetime.now(UTC)).astimezone(UTC).replace(tzinfo=None)  # as nbgrader stores it
    course = open_course(folder)
    files = course.files
    reports = _reports(files.folder)
    handed_in = _handed_in(files.submitted)
    handed_in |= _not_collected(files.folder / STATE, handed_in)
    names, due, recorded = _gradebook(course.gradebook)
    students = set(names)
    for name, report in reports.items():
        students.update(report.students)
        due.setdefault(name, None)
    for student, assignment in handed_in:
        students.add(student)
        due.setdefault(assignment, None)
    assignments = tuple(chapter for chapter in ASSIGNMENTS if chapter.name in due)
    work = {}
    for chapter in assignments:
        name = chapter.name
        report, known = reports.get(name, Report(name)), recorded.get(name, {})
        for student in students:
            folder = files.submitted / student / name
            is_in = (student, name) in handed_in and not _is_empty(
                folder, report.students.get(student)
            )
            one = _work(is_in, report, student, known.get(student), due[name], now)
            if is_in:
                one = replace(one, tries=read_tries(folder, name))
            work[student, name] = one
    dates = {name: date.replace(tzinfo=UTC) for name, date in due.items() if date}
    sections = sections_shown(files.folder)
    return Overview(
        files.folder, assignments, tuple(sorted(students)), work, dates, names, sections
    )


def students_by_progress(overview: Overview) -> list[StudentProgress]:
    """Each student's progress: most missing assignments first, then the lowest share of points."""
    found = [_progress_of(overview, student) for student in overview.students]
    return sorted(
        found,
        key=lambda one: (
            not one.is_behind,
            -len(one.absent) - len(one.aside),
            2.0 if one.share is None else one.share,
            one.student,
        ),
    )


def _progress_of(overview: Overview, student: str) -> StudentProgress:
    of = {one.number: overview.work[student, one.name] for one in overview.assignments}
    counted = [work for work in of.values() if work.share is not None]
    most = sum(work.max for work in counted)
    return StudentProgress(
        student,
        tuple(number for number, work in of.items() if _is_absent(work)),
        tuple(number for number, work in of.items() if work.status == "set-aside"),
        tuple(number for number, work in of.items() if work.is_few),
        sum(work.late for work in of.values()),
        sum(work.score for work in counted) / most if most else None,
    )


def _is_absent(work: Work) -> bool:
    """Whether required work was not handed in; the capstone is all bonus, so it is optional."""
    return work.status in NOT_HANDED_IN and work.max > 0


def _reports(folder: Path) -> dict[str, Report]:
    found = {}
    for chapter in ASSIGNMENTS:
        report = read_report(folder / "reports" / f"{chapter.name}.json", chapter.name)
        if report.students:
            found[chapter.name] = report
    return found


def _handed_in(submitted: Path) -> set[tuple[str, str]]:
    """(student, assignment) of each folder in submitted/."""
    names = {chapter.name for chapter in ASSIGNMENTS}
    return {
        (path.parent.name, path.name)
        for path in submitted.glob("*/*")
        if path.name in names and not path.parent.name.startswith(".")
    }


def _not_collected(state: Path, handed_in: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """(student, assignment) of what was handed in and could not be collected."""
    return {
        (student, chapter.name)
        for chapter in ASSIGNMENTS
        for student in not_in_reach(
            read_collected(state / chapter.name),
            {student for student, name in handed_in if name == chapter.name},
        )
    }


def _gradebook(
    file: GradebookFile,
) -> tuple[dict[str, str], dict[str, datetime | None], dict[str, dict[str, RecordedSubmission]]]:
    """A gradebook's student names, due dates and recorded submissions; empty if there is none."""
    if not file.exists():
        return {}, {}, {}
    with file.opened() as gradebook:
        names = names_of(gradebook)
        known = {chapter.name for chapter in ASSIGNMENTS}
        due = {name: date for name, date in due_dates_of(gradebook).items() if name in known}
        return names, due, {name: recorded_submissions(gradebook, name) for name in due}


def _work(
    is_in: bool,
    report: Report,
    student: str,
    recorded: RecordedSubmission | None,
    due: datetime | None,
    now: datetime,
) -> Work:
    row = report.students.get(student)
    most = recorded.most if recorded else _most(report)
    if is_in and row and row.status == "graded":
        score = recorded.final_score if recorded else row.score
        return Work("graded", score, most, bool(recorded and recorded.late), row.tasks)
    if row and row.status == "set-aside":  # perhaps in a group's folder
        return Work("set-aside", None, most)
    if is_in:
        return Work("handed-in", None, most)
    if due is None:
        return Work("missing", None, most)
    longer = recorded.extension if recorded and recorded.extension else timedelta()
    return Work("overdue" if now > due + longer else "open", None, most)


def _is_empty(folder: Path, row: Row | None) -> bool:
    """Whether grading found no notebook in the folder and there is still none."""
    if row is None or row.status != "missing":
        return False
    try:
        return not any(map(NOTEBOOK.fullmatch, os.listdir(folder)))
    except OSError:
        return True


def _most(report: Report) -> float:
    return max((row.max for row in report.students.values()), default=1.0)
