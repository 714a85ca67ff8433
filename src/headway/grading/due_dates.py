"""When an assignment is due, and who has longer: read from the gradebook and written into it.

An extension is nbgrader's: a time on top of the due date, so it moves where the due date moves.
What either does to penalties is settled by the next `headway grade`, which runs no notebook for it.
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
LAST_YEAR = 9000  # later ones leave no room for an extension
LONGER = re.compile(r"\+(?=\d)(?:(\d{1,4})d)?(?:(\d{1,4})h)?(?:(\d{1,4})m)?")
WITH_TIME = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d.*", re.DOTALL)


@dataclass(frozen=True)
class DueDates:
    """When an assignment is due.

    Attributes:
        due: for all; None without a due date.
        extensions: how much longer single students have, by student.
        late: who handed in after it was due for them, and by how much.
    """

    due: datetime | None
    extensions: dict[str, timedelta]
    late: dict[str, timedelta]


def due_dates(course: Course) -> DueDates:
    """When the assignment of a course folder is due, as its gradebook has it."""
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
    """Let the assignment be due at a moment, or never.

    Args:
        text: "2026-03-31 23:59 Europe/Berlin", or "none".
        zone: of a text that names none.

    Raises:
        UserError: if the text is neither.
    """
    due = None if text == NONE else to_nbgrader(_moment(text, zone))
    with course.gradebook() as gradebook:
        gradebook.update_or_create_assignment(course.assignment, duedate=due)


def extend(
    course: Course, student: str, text: str, solution: Path | None, zone: tzinfo | None = None
) -> None:
    """Give one student longer, or as long as the others.

    Args:
        text: when it is due for the student, or how much later, "+2d", "+1d12h", or "none".
        solution: the checkout's notebook with its solution, if there is a checkout.
        zone: of a text that names none.

    Raises:
        UserError: if the text is none of these, the assignment has no due date or an earlier one,
            or there is no such student.
    """
    due = due_dates(course).due
    if due is None:
        raise UserError(
            f"{course.assignment} has no due date that could be extended. Set it first."
        )
    extension = _extension(text, due, zone)
    course.prepare(solution)  # what a student has longer for must be in the gradebook
    with course.gradebook() as gradebook:
        if student in course.submissions():
            gradebook.update_or_create_student(student)
        _require_student(gradebook, student)
        with gradebook.db.no_autoflush:  # as nbgrader has it, half a submission would be written
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
        UserError: if it is not known here.
    """
    try:
        return zone_named(name)
    except TimeError as error:
        raise UserError(str(error)) from error
