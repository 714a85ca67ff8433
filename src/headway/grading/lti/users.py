"""Which person of the platform a student is: as they logged in, or as its class list has them."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from nbgrader.api import Student

from headway.errors import UserError

LOGINS = Path("platform") / "logins.json"  # in the classroom's folder, beside the course
LEARNER = "Learner"


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
    students: Iterable[Student], people: dict[str, str], members: Iterable[dict]
) -> tuple[dict[str, str], dict[str, str]]:
    """The platform's id of each student.

    Who logged in through the platform is who they were then. Anybody else is looked for in its
    class list: by `lms_user_id`, which may be its id of the person or the school's, by the
    student's id, which may be the school's, and by the address of mail.

    Returns:
        by student, the id; and by student without one, why.
    """
    index = _Index(members)
    found, why = {}, {}
    for student in students:
        ids = {people[student.id]} if student.id in people else index.look_up(student)
        if len(ids) == 1:
            (found[student.id],) = ids
        else:
            why[student.id] = "could be several people" if ids else "is not known to the platform"
    times = Counter(found.values())
    for name in [name for name, user in found.items() if times[user] > 1]:
        why[name] = "would be the same person as another student"
        del found[name]
    return found, why


class _Index:
    """A class list by whatever tells its people apart."""

    def __init__(self, members: Iterable[dict]):
        self._by: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for one in members:
            user = str(one.get("user_id") or "")
            roles = one.get("roles") or []
            learns = any(str(role).rpartition("#")[2] == LEARNER for role in roles) or not roles
            if not user or not learns or one.get("status", "Active") != "Active":
                continue
            for field in ("user_id", "lis_person_sourcedid", "email"):
                if own := str(one.get(field) or ""):
                    self._by[field][own.casefold() if field == "email" else own].add(user)

    def look_up(self, student: Student) -> set[str]:
        """Whoever it can be by the first id that leads to anybody."""
        number, mail = student.lms_user_id or "", student.email or ""
        ways = [
            ("user_id", number),
            ("lis_person_sourcedid", number),
            ("lis_person_sourcedid", student.id),
            ("email", mail.casefold()),
            ("email", student.id.casefold()),
        ]
        return next(
            (who for field, own in ways if own and (who := self._by[field].get(own))), set()
        )
