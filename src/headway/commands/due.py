"""`headway class due`: show or set when an assignment is due, for all or for one student."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from functools import partial
from shlex import join
from typing import Annotated

import typer

from headway.chapters import find_chapter, hidden_modules, solution_notebook
from headway.commands.console import note, say
from headway.commands.options import CourseFolder, Number
from headway.errors import PASSED, UserError, needs_extra
from headway.grading.slow_imports import skip_slow_imports


def due(
    number: Number,
    moment: Annotated[
        str | None,
        typer.Argument(
            metavar="[WHEN]",
            help=(
                'The due date, as "2026-03-31 23:59 Europe/Berlin". The word none removes it. '
                "Without WHEN, it is shown."
            ),
        ),
    ] = None,
    folder: CourseFolder = None,
    student: Annotated[
        str | None,
        typer.Option(
            "--for", metavar="STUDENT", help="Only for this student; WHEN may be +1d12h, too."
        ),
    ] = None,
    zones: Annotated[
        list[str] | None,
        typer.Option(
            "--zone", metavar="ZONE", help="Time zone of WHEN, or one in which to show the dates."
        ),
    ] = None,
) -> int:
    """Show or set when an assignment is due, for all or for one student."""
    chapter = find_chapter(number)
    skip_slow_imports()
    with needs_extra("grade", "headway class due"):
        from headway.grading.course import Course
        from headway.grading.desk.course import class_names
        from headway.grading.due_dates import due_dates, extend, set_due, zone_of
        from headway.grading.safe_text import with_name
        from headway.grading.times import apart, comes_twice, in_words, name_of
    shown = {name: zone_of(name) for name in zones or ()}
    if student is not None and moment is None:
        raise UserError(
            f"How long does {student} have? Give a moment, extra time like +2d, or none to take "
            "the extension back."
        )
    if moment is not None and len(shown) > 1:
        raise UserError("Give one --zone, for the moment, or write it after the time.")
    zone, given = next(iter(shown.values()), None) if moment else None, None
    course = Course.open(folder, chapter.name, hidden_modules(), may_be_empty=True)
    if moment is not None:
        with course.at_work():
            course.gradebook.back_up()
            if student is None:
                given = set_due(course.files, course.gradebook, moment, zone)
            else:
                given = extend(course, student, moment, solution_notebook(chapter), zone)
    else:
        course.gradebook.back_up()
    dates = due_dates(course.files, course.gradebook, zone or UTC)
    if dates.due is None:
        say(f"{chapter.name} has no due date.")
        return PASSED
    zone = (given or dates.due).tzinfo
    said = partial(_in_zones, zones=shown or {name_of(zone): zone})
    names = class_names(course.gradebook)
    say(f"{chapter.name} is due {said(dates.due)}.")
    for name, longer in sorted(dates.extensions.items()):
        until = dates.due.astimezone(UTC) + longer
        days, rest = apart(dates.due, until)
        more = in_words(timedelta(days) + rest)
        say(f"{with_name(name, names)} has {more} more, until {said(until)}.")
    for name, time in sorted(dates.late.items()):
        say(f"{with_name(name, names)} was late by {in_words(time)}.")
    if given and comes_twice(given):
        note(
            f"{given:%Y-%m-%d %H:%M} comes twice in {name_of(zone)}, because the clocks go back. "
            f"This is the later one, {_in_zone(given, 'UTC', UTC)}. For the earlier one, write "
            f"{given.replace(fold=0).isoformat(' ', 'minutes')}."
        )
    if moment is not None:
        command = join(["headway", "grade", number, "--course", str(folder)])
        say(f"Penalties follow at the next: {command}")
    return PASSED


def _in_zones(due: datetime, zones: Mapping[str, tzinfo]) -> str:
    there = ", ".join(_in_zone(due, name, zone) for name, zone in zones.items())
    return there if "UTC" in zones else f"{there} ({_in_zone(due, 'UTC', UTC)})"


def _in_zone(due: datetime, name: str, zone: tzinfo) -> str:
    return f"{due.astimezone(zone):%Y-%m-%d %H:%M} {name}"
