"""`headway class`: a class over all assignments, in the terminal and as a page."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from headway.commands.console import (
    cells_of_student,
    columns_of_students,
    note,
    out,
    say,
    say_json,
)
from headway.commands.options import Json
from headway.errors import PASSED, needs_extra
from headway.grading.safe_text import visible

if TYPE_CHECKING:
    from headway.grading.desk.mistakes import Recurring
    from headway.grading.desk.overview import Overview, StudentProgress
    from headway.grading.desk.tasks import Difficulty

PAGE = "class.html"
MOST_ROWS = 20  # of a table in the terminal; the page has all


def class_(
    context: typer.Context,
    folder: Annotated[
        Path | None,
        typer.Option("--course", metavar="DIR", help="Your course folder, if you are not in it."),
    ] = None,
    as_json: Json = False,
) -> int:
    """Show a class over all assignments: who is behind, which mistakes recur, what is too hard."""
    if context.invoked_subcommand:
        context.obj = folder  # where `CourseFolder` of the command that follows finds it
        return PASSED
    with needs_extra("grade", "headway class"):
        from headway.grading.desk.class_page import class_page
        from headway.grading.desk.mistakes import recurring_mistakes
        from headway.grading.desk.overview import read_overview, students_by_progress
        from headway.grading.desk.tasks import difficulties
        from headway.grading.files import write_private
    now = datetime.now().astimezone()
    overview = read_overview(folder or Path(), now)
    students = students_by_progress(overview)
    mistakes, tasks = recurring_mistakes(overview), difficulties(overview)
    page = overview.folder / PAGE
    write_private(page, class_page(overview, students, mistakes, tasks, now))
    if as_json:
        say_json(as_data(overview, students, mistakes, tasks))
        return PASSED
    if not students:
        say(f"{overview.folder} has no students yet, and nobody has handed in anything.")
    else:
        _show(overview, students, mistakes, tasks)
    say(f"Page: {page}")
    return PASSED


def as_data(
    overview: "Overview",
    students: Sequence["StudentProgress"],
    mistakes: Sequence["Recurring"],
    tasks: Sequence["Difficulty"],
) -> dict:
    """The same as JSON data."""
    return {
        "assignments": [one.name for one in overview.assignments],
        "students": {
            one.student: {
                "name": overview.names.get(one.student) or None,
                "section": overview.sections.get(one.student),
                "behind": one.is_behind,
                "not_handed_in": one.absent,
                "set_aside": one.aside,
                "few_points": one.few,
                "late": one.late,
                "share": one.share,
            }
            for one in students
        },
        "mistakes": {one.name: one.students for one in mistakes},
        "tasks": {
            one.task.id: {
                "hard": one.is_hard,
                "graded": one.graded,
                "share": one.share,
                "not_tried": one.untried,
                "discrimination": one.discrimination,
                "recorded": one.recorded,
                "tries": one.tries,
            }
            for one in tasks
        },
    }


def _show(
    overview: "Overview",
    students: Sequence["StudentProgress"],
    mistakes: Sequence["Recurring"],
    tasks: Sequence["Difficulty"],
) -> None:
    behind = [one for one in students if one.is_behind]
    people, works = len(students), len(overview.assignments)
    say(
        f"{people} {'student' if people == 1 else 'students'}, "
        f"{works} {'assignment' if works == 1 else 'assignments'}, {len(behind)} behind."
    )
    if behind:
        _print("Who is behind", _of_students(behind[:MOST_ROWS], overview), len(behind))
    if mistakes:
        _print("Mistakes that recur", _of_mistakes(mistakes[:MOST_ROWS]), len(mistakes))
    if tasks:
        hard = [one for one in tasks if one.is_hard]
        _print("Tasks that are hard", _of_tasks(hard[:MOST_ROWS]), len(hard))
    say("")


def _print(title: str, table: Table, number: int) -> None:
    say(f"\n{title}")
    if not number:
        say("None.")
        return
    out.print(table, soft_wrap=False)
    if number > MOST_ROWS:
        note(f"{number - MOST_ROWS} more are on the page.")


def _table(*columns: str, right: Sequence[str] = ()) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in columns:
        table.add_column(name, justify="right" if name in right else "left", overflow="fold")
    return table


def _of_students(behind: Sequence["StudentProgress"], overview: "Overview") -> Table:
    names, sections = overview.names, overview.sections
    columns = ("not handed in", "set aside", "few points", "points")
    section = ["section"] if sections else []
    table = _table(*columns_of_students(names), *section, *columns, right=["points"])
    for one in behind:
        who = cells_of_student(one.student, names)
        if sections:
            who.append(Text(visible(sections.get(one.student, ""))))
        groups = (one.absent, one.aside, one.few)
        table.add_row(*who, *map(_numbers, groups), _percent(one.share))
    return table


def _of_mistakes(mistakes: Sequence["Recurring"]) -> Table:
    table = _table("mistake", "made again by", "in", right=["made again by"])
    for one in mistakes:
        where = ", ".join(f"{name[:2]} ({len(who)})" for name, who in one.students.items())
        table.add_row(Text(one.name), f"{len(one.again)}", where)
    return table


def _of_tasks(tasks: Sequence["Difficulty"]) -> Table:
    columns = ("task", "points", "not tried", "sets apart", "tries")
    table = _table(*columns, right=columns[1:])
    for one in tasks:
        apart = "" if one.discrimination is None else f"{one.discrimination:.2f}"
        tries = f"{one.tries:g}" if one.recorded else ""
        table.add_row(one.task.id, _percent(one.share), _percent(one.untried), apart, tries)
    return table


def _numbers(numbers: Sequence[int]) -> str:
    return ", ".join(f"{number:02d}" for number in numbers)


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.0f} %"
