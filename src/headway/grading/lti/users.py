"""Find the platform's user id of each student, from logins or from the platform's class list."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from headway.errors import UserError

if TYPE_CHECKING:
    from nbgrader.api import Student

LOGINS = Path("platform") / "logins.json"  # in the classroom's folder, next to the course
LEARNER = "Learner"
SCHOOL, MAIL, LOGIN, NUMBER = "lis_person_sourcedid", "email", "ext_user_username", "number"
CANVAS = "https://www.instructure.com/"


@dataclass(frozen=True)
class Logins:
    """What a hub has saved from logins through the platform.

    Attributes:
        people: account → the platform's user id.
        courses: the platform's course id → URLs of the course's services.
    """

    people: dict[str, str]
    courses: dict[str, dict[str, str]]


def read_logins(course: Path) -> Logins:
    """The logins of the classroom that contains a course folder; empty without a classroom.

    Raises:
        UserError: if they cannot be read.
    """
    path = course.parent / LOGINS
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
        return Logins(dict(known["people"]), dict(known["courses"]))
    except (FileNotFoundError, NotADirectoryError):
        return Logins({}, {})
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(f"{path} cannot be read: {error}.") from error


def users_of(
    students: Iterable["Student"],
    people: dict[str, str],
    members: Iterable[dict],
    school_ids: bool = False,
) -> tuple[dict[str, str], dict[str, str]]:
    """The platform's user id of each student.

    A student who has logged in through the platform has the id of that login. Others are looked up
    in the class list: by `lms_user_id`, else by the student id, else by the email address, which
    people may change. `lms_user_id` is set by `headway class roster`: it is Canvas's number if the
    list has such numbers, and otherwise the school's id.

    Args:
        school_ids: whether student ids are the school's ids instead of logins.

    Returns:
        student → user id; and, for students without one, student → reason, which continues
        "because the platform".
    """
    index = _Index(members)
    found, why = {}, {}
    for student in students:
        known = student.id in people
        ids = {people[student.id]} if known else index.look_up(student, school_ids)
        if len(ids) == 1:
            (found[student.id],) = ids
        else:
            why[student.id] = "could mean several people" if ids else "does not know them"
    times = Counter(found.values())
    for name in [name for name, user in found.items() if times[user] > 1]:
        why[name] = "has one person for two students"
        del found[name]
    return found, why


def learners(members: Iterable[dict]) -> set[str]:
    """The platform's ids of the students in its class list."""
    return {str(one["user_id"]) for one in members if _learns(one)}


def _learns(one: dict) -> bool:
    """Whether a person of the class list is an active student."""
    roles = one.get("roles") or []
    roles = roles if isinstance(roles, list) else [roles]
    is_learner = any(str(role).rpartition("#")[2] == LEARNER for role in roles) or not roles
    return bool(one.get("user_id")) and is_learner and one.get("status", "Active") == "Active"


class _Index:
    """An index of a class list by each kind of id."""

    def __init__(self, members: Iterable[dict]):
        self._by: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for one in filter(_learns, members):
            user = str(one["user_id"])
            told = {SCHOOL: one.get(SCHOOL), MAIL: one.get(MAIL), LOGIN: one.get(LOGIN)}
            messages = one.get("message") or []
            for message in messages if isinstance(messages, list) else [messages]:
                if isinstance(message, dict):
                    told[NUMBER] = message.get(CANVAS + "canvas_user_id")
                    told[LOGIN] = message.get(CANVAS + "canvas_user_login_id") or told[LOGIN]
            for field, own in told.items():
                if own:
                    self._by[field][str(own).casefold()].add(user)

    def look_up(self, student: "Student", school_ids: bool) -> set[str]:
        """The people found by the first of the student's ids that finds anybody."""
        number = student.lms_user_id or ""
        ways = [
            [(NUMBER if self._by[NUMBER] else SCHOOL, number)],
            [(SCHOOL if school_ids else LOGIN, student.id)],
            [(MAIL, student.email or ""), (MAIL, student.id)],
        ]
        for way in ways:
            hits = [self._by[field].get(own.casefold(), set()) for field, own in way if own]
            if found := set().union(*hits):
                return found
        return set()
