"""`headway grade`: grade a class's submissions of an assignment.

The exit code is 1 if something was set aside; with --only, if that student was.
"""

import json
import os
import shlex
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from headway.chapters import (
    find_chapter,
    hidden_modules,
    released_notebook,
    solution_notebook,
)
from headway.commands.console import (
    cells_of_student,
    columns_of_students,
    note,
    out,
    progress,
    say,
)
from headway.commands.options import CourseFolder, Number
from headway.errors import NOT_PASSED, PASSED, needs_extra, require_linux
from headway.grading.slow_imports import skip_slow_imports
from headway.interrupts import stop_if_asked

LISTED = 2
OWN_SOURCE = (
    "Graded against {}, which differs from this checkout's: fine if you changed it. To take the "
    "checkout's, delete that folder and use --force."
)


def grade(
    number: Number,
    folder: CourseFolder = None,
    only: Annotated[
        str | None, typer.Option("--only", metavar="STUDENT", help="Grade this student only.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Also grade again what has not changed.")
    ] = False,
    no_feedback: Annotated[
        bool, typer.Option("--no-feedback", help="Write no pages for the students.")
    ] = False,
    workers: Annotated[
        int | None,
        typer.Option(metavar="N", help="How many to grade at a time. Default: one a core.", min=1),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Grade on the Dask cluster at this address."),
    ] = None,
    gpu: Annotated[
        bool, typer.Option("--gpu", help="Let submissions use this machine's GPUs.")
    ] = False,
    trust: Annotated[
        bool,
        typer.Option(
            "--trust-submissions", help="Grade without a sandbox. They can do whatever you can."
        ),
    ] = False,
) -> int:
    """Grade the submissions of an assignment."""
    require_linux("headway grade")
    chapter = find_chapter(number)
    solution = solution_notebook(chapter)
    skip_slow_imports()
    with needs_extra("grade", "headway grade"):
        import headway.grading.results.feedback  # noqa: F401 - nbgrader will import it by name
        from headway.grading.class_run import Options
        from headway.grading.course import Course
        from headway.grading.grade import grade_class
        from headway.grading.notebooks.points import SCALED
        from headway.grading.notebooks.unchanged_values import IS_THAT_MEANT
        from headway.grading.reporting import EMPTIED
        from headway.grading.results.leaderboard import leaderboard_task
        from headway.grading.safe_text import visible
        from headway.grading.workers.pool import open_pool
    course = Course.open(folder, chapter.name, hidden_modules())
    if gpu:
        course.config.Allowance.gpu = True
    if trust:
        course.config.Allowance.trust_submissions = True
        note(
            "Grading without a sandbox: students' code has your rights on this machine and can "
            "change its own score. Grade only people you trust."
        )
    with open_pool(workers or len(os.sched_getaffinity(0)), scheduler) as pool, progress() as bar:
        step = bar.add_task("grading", total=None)

        def advance(student: str, done: int, total: int) -> None:
            bar.update(step, description=f"graded {visible(student)}", total=total, completed=done)
            stop_if_asked()

        options = Options(only, force, not no_feedback)
        try:
            report, same_as_checkout = grade_class(
                course, solution, pool, options, advance, released_notebook(chapter)
            )
        except KeyboardInterrupt:
            note("What was graded is kept; run the same command to go on.")
            raise
    # What has changed is said once, and not at every run.
    once = SCALED, EMPTIED, IS_THAT_MEANT
    changes = [one for one in report.warnings if any(mark in one for mark in once)]
    if not same_as_checkout:
        changes.append(OWN_SOURCE.format(course.files.source))
    for remark in (
        *(one for one in report.warnings if one not in changes),
        *_unsaid(course.files.state / "said.json", changes),
    ):
        note(remark)
    _show(report)
    say(f"Report: {course.files.folder / 'report.html'}")
    if leaderboard_task(chapter.name):
        say(f"Leaderboard: {course.files.folder / 'leaderboard.html'}")
    say(f"Grades: {course.files.folder / 'grades.csv'}")
    there = shlex.join(["cd", str(course.files.folder)])
    say(f"To look at the notebooks: {there} && jupyter lab (Nbgrader > Formgrader)")
    aside = set(report.with_status("set-aside"))
    return NOT_PASSED if aside & set(report.students if only is None else [only]) else PASSED


def _unsaid(path: Path, remarks: list[str]) -> list[str]:
    """The remarks that the last run did not make; the next one won't make these.

    Args:
        path: where the last run's are.
    """
    from headway.grading.files import write_text

    before = []
    with suppress(OSError, ValueError):
        before = json.loads(path.read_text(encoding="utf-8"))
    write_text(path, json.dumps(remarks))
    return [remark for remark in remarks if remark not in before]


def _show(report) -> None:
    from headway.grading.safe_text import listed, visible

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns_of_students(report.names):
        table.add_column(column, overflow="fold")
    table.add_column("status")
    table.add_column("score", justify="right")
    table.add_column("what to know", ratio=1, overflow="fold")
    for student, row in report.students.items():
        named = [r.misconception for r in row.tasks.values() if r.misconception]
        words = [row.remarks, row.reason or listed(named, LISTED)]
        words = Text(visible("; ".join(filter(None, words))))
        who = cells_of_student(student, report.names)
        table.add_row(*who, row.status, row.points, words)
    out.print(table, soft_wrap=False)
    counts = {
        "graded": len(report.with_status("graded")),
        "set aside": len(report.with_status("set-aside")),
        "missing": len(report.with_status("missing")),
    }
    say(", ".join(f"{count} {what}" for what, count in counts.items()) + ".")
