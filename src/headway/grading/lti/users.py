"""Which person of the platform a student is: as they logged in, or as its class list has them."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from headway.errors import UserError

if TYPE_CHECKING:
    from nbgrader.api import Student

LOGINS = Path("platform") / "logins.json"  # in the classroom's folder, beside the course
LEARNER = "Learner"
SCHOOL, MAIL, LOGIN, NUMBER = "lis_person_sourcedid", "email", "ext_user_username", "number"
CANVAS = "https://www.instructure.com/"


@dataclass(frozen=True)
class Logins:
    """What a hub learned when people came from the platform.

    Attributes:
        people: by account, the platform's id of the person.
        courses: by the platform's id, the addresses of services of a course.
    """

    people: dict[str, str]
    courses: dict[str, dict[str, str]]


def read_logins(course: Path) -> Logins:
    """Those of the classroom in which a course folder lies; empty without one.

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
    """The platform's id of each student.

    Who logged in through the platform is who they were then. Anybody else is looked for in its
    class list: by `lms_user_id`; if that leads to nobody, by the student's id; and if neither does,
    by the address of mail, which people may change. `lms_user_id` is what `headway class roster`
    makes of it: Canvas's number where the list tells Canvas's numbers, and the school's id
    elsewhere.

    Args:
        school_ids: the students' ids are the school's, and no logins.

    Returns:
        by student, the id; and by student without one, why, behind "because the platform".
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
    """Whether a person of the class list is a student, and one who has not left."""
    roles = one.get("roles") or []
    roles = roles if isinstance(roles, list) else [roles]
    is_learner = any(str(role).rpartition("#")[2] == LEARNER for role in roles) or not roles
    return bool(one.get("user_id")) and is_learner and one.get("status", "Active") == "Active"


class _Index:
    """A class list by whatever tells its people apart."""

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
        """Everybody to whom the first of a student's ids leads that leads to anybody."""
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
