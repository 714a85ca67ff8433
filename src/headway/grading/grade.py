"""Grading an assignment of a class: each submission on its own, and a report of all.

Each submission is looked over, then executed and scored by nbgrader; what goes wrong with one is
its reason to be set aside and no other's business.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from nbgrader.api import MissingEntry

from headway.errors import UserError
from headway.grading.convert import ConversionError
from headway.grading.course import Course
from headway.grading.intake import problem_with
from headway.grading.notebook import check_cells, read_notebook, task_results
from headway.grading.page import report_page
from headway.grading.report import Report, Row, read_report, write_whole
from headway.grading.table import write_table

PLAIN_REASONS = {
    "DeadKernelError": "The kernel died while the notebook ran: a crash, or too much memory.",
    "UnresponsiveKernelError": "The notebook did not stop when it was told to.",
    "SchemaTooOldError": "The notebook's nbgrader data is damaged or of an old version.",
    "SchemaTooNewError": "The notebook's nbgrader data is of a newer version of nbgrader.",
    "ValidationError": "The notebook's nbgrader data is damaged.",
}


def grade_class(
    course: Course,
    solution: Path,
    only: str | None = None,
    force: bool = False,
    advance: Callable[[str, int], None] = lambda student, total: None,
) -> tuple[Report, bool]:
    """Grade what was submitted and write gradebook, feedback, grades and report.

    A submission that has not changed since it was graded is not executed again.

    Args:
        course: the course folder.
        solution: the checkout's notebook with its solution.
        only: grade this student alone; the others keep what they have.
        force: grade unchanged submissions again, too.
        advance: called with a student's name before each one, and with the number of all.

    Returns:
        the report, and whether the source graded against is the checkout's own.

    Raises:
        UserError: if the course cannot be graded at all.
    """
    submissions = course.submissions()
    if only is not None and only not in submissions:
        raise UserError(
            f"There is no submission of {only!r} for {course.assignment}. "
            f"Submissions came from: {', '.join(submissions)}."
        )
    with course.lock():
        return _grade_all(course, solution, submissions if only is None else [only], force, advance)


def _grade_all(
    course: Course,
    solution: Path,
    wanted: list[str],
    force: bool,
    advance: Callable[[str, int], None],
) -> tuple[Report, bool]:
    submissions = course.submissions()
    own_source = course.prepare(solution)
    before = read_report(_kept(course), course.assignment)
    rows: dict[str, Row] = {}
    for student in wanted:
        advance(student, len(wanted))
        rows[student] = _grade(course, student, before, force)
    others = set(before.students) & set(submissions) - set(wanted)
    rows |= {student: before.students[student] for student in others}
    with course.gradebook() as gradebook:
        known = {student.id for student in gradebook.students}
        most = gradebook.find_assignment(course.assignment).max_score
    for student in known - set(submissions):
        rows[student] = Row("missing", None, most, "Nothing was handed in.")
    report = Report(course.assignment, dict(sorted(rows.items())))
    _write(course, report)
    return report, own_source


def _grade(course: Course, student: str, before: Report, force: bool) -> Row:
    start = time.monotonic()
    folder = course.submission(student)
    with course.gradebook() as gradebook:
        most = gradebook.find_assignment(course.assignment).max_score
    try:
        reason = problem_with(student, folder, course.assignment)
        if reason is None and not force and _is_fresh(course, student):
            earlier = before.students.get(student)
            return _graded(course, student, earlier.seconds if earlier else 0.0)
        if reason is None:
            course.autograde(student)
            return _graded(course, student, time.monotonic() - start)
    except ConversionError as error:
        kind = type(error.__cause__).__name__
        reason = PLAIN_REASONS.get(kind, f"nbgrader could not grade it. {error}")
    except UserError as error:
        reason = f"It was graded, but the result cannot be used. {error}"
    except Exception as error:  # whatever it is, it is no other student's business
        reason = f"It could not be graded. {type(error).__name__}: {error}"
    return Row("set-aside", None, most, reason, time.monotonic() - start)


def _is_fresh(course: Course, student: str) -> bool:
    """Whether a submission was graded after it, and what it is graded against, last changed."""
    done = course.feedback(student)  # written last, so a run that was stopped begins here anew
    if not (done.exists() and course.autograded(student).exists()):
        return False
    files = [course.source, *course.submission(student).rglob("*")]
    # The time of change moves with every copy and replacement, other than that of modification.
    changed = max(max(s.st_mtime, s.st_ctime) for s in map(Path.stat, files))
    return done.stat().st_mtime > changed


def _graded(course: Course, student: str, seconds: float) -> Row:
    """A row from what nbgrader recorded: scores from the gradebook, words from the notebook."""
    notebook = read_notebook(course.autograded(student))
    cells = check_cells(notebook)
    with course.gradebook() as gradebook:
        try:
            submission = gradebook.find_submission(course.assignment, student)
        except MissingEntry:
            most = gradebook.find_assignment(course.assignment).max_score
            reason = "It was graded, but the gradebook does not know it. Grade with --force."
            return Row("set-aside", None, most, reason, seconds)
        score = max(0.0, submission.score - (submission.late_submission_penalty or 0.0))
        most = submission.max_score
        scores = {grade.name: grade.score for page in submission.notebooks for grade in page.grades}
    tasks = {}
    for task, result in task_results(notebook, course.assignment):
        marks = cells[task.id].metadata.get("nbgrader", {}) if task.id in cells else {}
        name = marks.get("grade_id")
        tasks[task.id] = replace(result, score=scores.get(name, 0.0))
    return Row("graded", score, most, None, seconds, tasks)


def _kept(course: Course) -> Path:
    return course.folder / "reports" / f"{course.assignment}.json"


def _write(course: Course, report: Report) -> None:
    """Write the results; the machine-readable report last, when all it tells of is there."""
    reports = {}
    for path in _kept(course).parent.glob("*.json"):
        earlier = read_report(path, path.stem)
        if earlier.students:
            reports[path.stem] = earlier
    reports[course.assignment] = report
    with course.gradebook() as gradebook:
        write = partial(write_table, gradebook=gradebook, reports=reports, latest=course.assignment)
        write_whole(course.folder / "grades.csv", write)
    for path, base in ((course.folder / "report.json", ""), (_kept(course), "../")):
        html, data = report_page(report, base), report.as_json()
        write_whole(path.with_suffix(".html"), partial(_write_text, html))
        write_whole(path, partial(_write_text, data))


def _write_text(text: str, path: Path) -> None:
    # A folder's name may hold bytes that are no text; JSON has the same escape for them.
    path.write_text(text, encoding="utf-8", errors="backslashreplace")
