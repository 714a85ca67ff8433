"""Read and set due dates and extensions in the gradebook.

An extension, as in nbgrader, is a time in addition to the due date, so it moves with the due date.
The next `headway grade` computes the penalties again, without running a notebook.
"""

import re
import shlex
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry

from headway.errors import UserError
from headway.grading.course import Course
from headway.grading.times import TimeError, read_moment, to_nbgrader, zone_named

NONE = "none"
LAST_YEAR = 9000  # an extension of a later date could exceed Python's last year
LONGER = re.compile(r"\+(?=\d)(?:(\d{1,4})d)?(?:(\d{1,4})h)?(?:(\d{1,4})m)?")
WITH_TIME = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d.*", re.DOTALL)


@dataclass(frozen=True)
class DueDates:
    """The due date and extensions of an assignment.

    Attributes:
        due: the due date; None if there is none.
        extensions: student → extension.
        late: student → how long after the extended due date the submission came.
    """

    due: datetime | None
    extensions: dict[str, timedelta]
    late: dict[str, timedelta]


def due_dates(course: Course) -> DueDates:
    """The due date and extensions in the gradebook of a course folder's assignment."""
    with course.gradebook() as gradebook:
        try:
            due = gradebook.find_assignment(course.assignment).duedate
        except MissingEntry:
            due = None
    recorded = course.in_gradebook()
    extensions = {name: one.extension for name, one in recorded.items() if one.extension}
    late = {name: one.late for name, one in recorded.items() if one.late}
    return DueDates(due and due.replace(tzinfo=UTC), extensions, late)


def set_due(course: Course, text: str, zone: tzinfo | None = None) -> None:
    """Set or remove the assignment's due date.

    Args:
        text: "2026-03-31 23:59 Europe/Berlin", or "none".
        zone: time zone for a text without one.

    Raises:
        UserError: if the text is neither.
    """
    due = None if text == NONE else to_nbgrader(_moment(text, zone))
    with course.gradebook() as gradebook:
        gradebook.update_or_create_assignment(course.assignment, duedate=due)


def extend(
    course: Course, student: str, text: str, solution: Path | None, zone: tzinfo | None = None
) -> None:
    """Set or remove one student's extension.

    Args:
        text: the student's due date, or the extension, "+2d", "+1d12h", or "none".
        solution: the checkout's notebook with its solution, if there is a checkout.
        zone: time zone for a text without one.

    Raises:
        UserError: if the text is invalid or before the due date, the assignment has no due date,
            or there is no such student.
    """
    due = due_dates(course).due
    if due is None:
        raise UserError(
            f"{course.assignment} has no due date that could be extended. Set it first."
        )
    extension = _extension(text, due, zone)
    course.prepare(solution)  # the assignment must be in the gradebook
    with course.gradebook() as gradebook:
        if student in course.submissions():
            gradebook.update_or_create_student(student)
        _require_student(gradebook, student)
        with gradebook.db.no_autoflush:  # else nbgrader would write an incomplete submission
            gradebook.update_or_create_submission(course.assignment, student, extension=extension)


def _extension(text: str, due: datetime, zone: tzinfo | None) -> timedelta | None:
    if text == NONE:
        return None
    if longer := LONGER.fullmatch(text):
        days, hours, minutes = (int(number or 0) for number in longer.groups())
        return timedelta(days=days, hours=hours, minutes=minutes) or None
    extension = _moment(text, zone) - due
    if extension < timedelta():
        raise UserError(
            f"{text} is before the assignment is due, {due:%Y-%m-%d %H:%M} UTC. An extension is "
            "later."
        )
    return extension or None


def _require_student(gradebook: Gradebook, student: str) -> None:
    try:
        gradebook.find_student(student)
    except MissingEntry as error:
        raise UserError(
            f"There is no student {student!r}: nobody with this id handed in or is in the "
            f"gradebook. `nbgrader db student add {shlex.quote(student)}` adds one, in the course "
            "folder."
        ) from error


def _moment(text: str, zone: tzinfo | None) -> datetime:
    try:
        if not WITH_TIME.fullmatch(text):
            raise TimeError(
                f"{text!r:.60} is no date and time. Expected a date, a time and a zone, like "
                '"2026-03-31 23:59 Europe/Berlin".'
            )
        moment = read_moment(text, zone)
        if moment.year > LAST_YEAR:
            raise TimeError(f'{text!r:.60} is too far away. For no due date write "{NONE}".')
        return moment
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
