"""Read and set due dates and extensions in the gradebook.

An extension, as in nbgrader, is a time in addition to the due date, so it moves with the due date.
Its days are those of the calendar where the due date was set, and nbgrader keeps no time zone:

    .headway/01-one-hot/due-zone.txt    Europe/Berlin

The next `headway grade` computes the penalties again, without running a notebook.
"""

import re
import shlex
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from difflib import get_close_matches
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry

from headway.errors import UserError
from headway.grading.course import Course
from headway.grading.course_files import CourseFiles
from headway.grading.files import write_text
from headway.grading.nbgrader.gradebook_file import GradebookFile
from headway.grading.nbgrader.recorded import due_dates_of, recorded_submissions
from headway.grading.nbgrader.source import take_in
from headway.grading.times import (
    TimeError,
    apart,
    later_by,
    name_of,
    read_moment,
    to_nbgrader,
    zone_named,
)

NONE = "none"
ZONE = "due-zone.txt"
LAST_YEAR = 9000  # an extension of a later date could exceed Python's last year
LONGER = re.compile(r"\+(?=\d)(?:(\d{1,4})d)?(?:(\d{1,4})h)?(?:(\d{1,4})m)?")
WITH_TIME = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d.*", re.DOTALL)


@dataclass(frozen=True)
class DueDates:
    """The due date and extensions of an assignment.

    Attributes:
        due: the due date, in the zone in which it was set; None if there is none.
        extensions: student → extension.
        late: student → how long after the extended due date the submission came.
    """

    due: datetime | None
    extensions: dict[str, timedelta]
    late: dict[str, timedelta]


def due_dates(files: CourseFiles, file: GradebookFile, zone: tzinfo = UTC) -> DueDates:
    """The due date and extensions in the gradebook of a course folder's assignment.

    Args:
        zone: the due date's zone, if it is not known in which one it was set.
    """
    if not file.exists():
        return DueDates(None, {}, {})
    with file.opened() as gradebook:
        due = due_dates_of(gradebook).get(files.assignment)
        recorded = recorded_submissions(gradebook, files.assignment)
    extensions = {name: one.extension for name, one in recorded.items() if one.extension}
    late = {name: one.late for name, one in recorded.items() if one.late}
    return DueDates(
        due and due.replace(tzinfo=UTC).astimezone(_zone(files) or zone), extensions, late
    )


def set_due(
    files: CourseFiles, file: GradebookFile, text: str, zone: tzinfo | None = None
) -> datetime | None:
    """Set or remove the assignment's due date, and move the extensions with it.

    Args:
        text: "2026-03-31 23:59 Europe/Berlin", or "none".
        zone: time zone for a text without one.

    Returns:
        the due date in its zone; of a time that comes twice, the later one.

    Raises:
        UserError: if the text is neither.
    """
    due, before = None if text == NONE else _moment(text, zone), due_dates(files, file)
    with file.opened() as gradebook:
        gradebook.update_or_create_assignment(files.assignment, duedate=due and to_nbgrader(due))
        for student, longer in before.extensions.items() if due and before.due else ():
            until = later_by(due, *apart(before.due, before.due.astimezone(UTC) + longer))
            extension = _time_between(due, until)
            gradebook.update_or_create_submission(files.assignment, student, extension=extension)
    if due:
        write_text(files.state / ZONE, f"{name_of(due.tzinfo)}\n")
    return due


def extend(
    course: Course, student: str, text: str, solution: Path | None, zone: tzinfo | None = None
) -> datetime | None:
    """Set or remove one student's extension.

    Args:
        text: the student's due date, or the extension, "+2d", "+1d12h", or "none".
        solution: the checkout's notebook with its solution, if there is a checkout.
        zone: time zone for a text without one, and for the due date if its own is not known.

    Returns:
        the student's due date, in the zone that was given; None without an extension.

    Raises:
        UserError: if the text is invalid or before the due date, the assignment has no due date,
            or there is no such student.
    """
    files = course.files
    due = due_dates(files, course.gradebook, zone or UTC).due
    if due is None:
        raise UserError(f"{files.assignment} has no due date that could be extended. Set it first.")
    until = _extended(text, due, zone)
    # The assignment must be in the gradebook.
    take_in(files, course.gradebook, course.config, solution)
    with course.gradebook.opened() as gradebook:
        if student in files.submissions():
            gradebook.update_or_create_student(student)
        _require_student(gradebook, student)
        with gradebook.db.no_autoflush:  # else nbgrader would write an incomplete submission
            gradebook.update_or_create_submission(
                files.assignment, student, extension=until and _time_between(due, until)
            )
    return until


def _extended(text: str, due: datetime, zone: tzinfo | None) -> datetime | None:
    """A student's due date; None without an extension."""
    if text == NONE:
        return None
    if longer := LONGER.fullmatch(text):
        days, hours, minutes = (int(number or 0) for number in longer.groups())
        until = later_by(due, days, timedelta(hours=hours, minutes=minutes))
    else:
        until = _moment(text, zone)
    if _time_between(due, until) < timedelta():
        raise UserError(
            f"{text} is before the assignment is due, {due:%Y-%m-%d %H:%M} "
            f"{name_of(due.tzinfo)}. An extension is later."
        )
    return until if _time_between(due, until) else None


def _time_between(due: datetime, until: datetime) -> timedelta:
    """The time that passes; Python's difference within one zone is that of the clocks."""
    return to_nbgrader(until) - to_nbgrader(due)


def _zone(files: CourseFiles) -> tzinfo | None:
    """The zone in which the due date was set; None if that is not known."""
    try:
        return zone_named((files.state / ZONE).read_text(encoding="utf-8").strip())
    except (OSError, ValueError):
        return None


def _require_student(gradebook: Gradebook, student: str) -> None:
    try:
        gradebook.find_student(student)
    except MissingEntry as error:
        known = {one.id.casefold(): one.id for one in gradebook.students}
        close = get_close_matches(student.casefold(), known, n=1)
        meant = f" Did you mean {known[close[0]]}?" if close else ""
        raise UserError(
            f"There is no student {student!r}: nobody with this id handed in or is in the "
            f"gradebook.{meant} `nbgrader db student add {shlex.quote(student)}` adds one, in the "
            "course folder."
        ) from error


def _moment(text: str, zone: tzinfo | None) -> datetime:
    """The moment of a text; of a time that comes twice, the later one."""
    try:
        if not WITH_TIME.fullmatch(text):
            raise TimeError(
                f"{text!r:.60} is no date and time. Expected a date, a time and a zone, like "
                '"2026-03-31 23:59 Europe/Berlin".'
            )
        moment = read_moment(text, zone)
        if moment.year > LAST_YEAR:
            raise TimeError(f'{text!r:.60} is too far away. For no due date write "{NONE}".')
        return moment.replace(fold=1)
    except TimeError as error:
        raise UserError(str(error)) from error


def zone_of(name: str) -> tzinfo:
    """A time zone by its name.

    Raises:
        UserError: if the name is unknown.
    """
    try:
        return zone_named(name)
    except TimeError as error:
        raise UserError(str(error)) from error
