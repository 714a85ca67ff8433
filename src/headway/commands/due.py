"""`headway class due`: show or set when an assignment is due, for all or for one student."""

from datetime import UTC, datetime
from pathlib import Path
from shlex import join

from headway.chapters import find_chapter, hidden_modules, solution_notebook
from headway.commands.console import say
from headway.errors import PASSED, UserError, needs_extra
from headway.grading.slow_imports import skip_slow_imports


def run(
    number: str, folder: Path, moment: str | None, student: str | None, zones: list[str]
) -> int:
    """Set what is given, then show when the assignment is due."""
    chapter = find_chapter(number)
    skip_slow_imports()
    with needs_extra("grade", "headway class due"):
        from headway.desk.course import class_names
        from headway.grading.course import Course
        from headway.grading.due_dates import due_dates, extend, set_due, zone_of
        from headway.grading.safe_text import with_name
        from headway.grading.times import in_words
    shown = {name: zone_of(name) for name in zones}
    if student is not None and moment is None:
        raise UserError(
            f"How long does {student} have? Give a moment, extra time like +2d, or none to take "
            "the extension back."
        )
    if moment is not None and len(shown) > 1:
        raise UserError("Give one --zone, for the moment, or write it after the time.")
    zone = next(iter(shown.values()), None) if moment else None
    course = Course(folder, chapter.name, hidden_modules(), may_be_empty=True)
    if moment is not None:
        with course.at_work():
            course.gradebook_file.back_up()
            if student is None:
                set_due(course, moment, zone)
            else:
                extend(course, student, moment, solution_notebook(chapter), zone)
    else:
        course.gradebook_file.back_up()
    dates = due_dates(course)
    if dates.due is None:
        say(f"{chapter.name} has no due date.")
        return PASSED
    shown = {"UTC": UTC, **shown}

    def in_zones(due: datetime) -> str:
        return ", ".join(f"{due.astimezone(z):%Y-%m-%d %H:%M} {name}" for name, z in shown.items())

    names = class_names(course)
    say(f"{chapter.name} is due {in_zones(dates.due)}.")
    for name, longer in sorted(dates.extensions.items()):
        who = with_name(name, names)
        say(f"{who} has {in_words(longer)} more, until {in_zones(dates.due + longer)}.")
    for name, time in sorted(dates.late.items()):
        say(f"{with_name(name, names)} was late by {in_words(time)}.")
    if moment is not None:
        command = join(["headway", "grade", number, "--course", str(folder)])
        say(f"Penalties follow at the next: {command}")
    return PASSED
