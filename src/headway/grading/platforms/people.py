"""Read people from a platform's export: ids, names, email addresses and sections.

Sources: `lib/gradebook_exporter.rb` of canvas-lms; `user/action_redir.php` and
`grade/export/txt/grade_export_txt.php` of Moodle.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from headway.errors import UserError
from headway.grading.intake.submission import PLAIN_NAME
from headway.grading.platforms.tables import Table
from headway.grading.safe_text import one_line

POINTS, HIDDEN = "Points Possible", re.compile(r"\s*(Muted|Manual Posting.*)?\s*", re.IGNORECASE)
TEST_STUDENT = ("Student, Test", "Test Student")
TEST_LOGIN = re.compile(r"[0-9a-f]{32,64}")
QUOTED = re.compile(r'="(.*)"', re.DOTALL)  # Canvas's form of a name that begins with =
LAST_NAMES = ("Last name", "Surname")
JOINERS = "\u200c\u200d"  # invisible, but parts of names in Persian, Hindi and others
LONGEST = 128  # characters of nbgrader's columns
# Moodle's columns → the gradebook's fields with the same content, the student's id first.
MOODLE_FIELDS = {"Username": "id", "Email address": "email", "ID number": "lms_user_id"}
SECTIONS, NO_SECTION = ("Section", "Group", "Groups"), "No groups"
IN_ENGLISH = (
    "Names of columns are expected in English; on the platform, set your own language to English "
    "and export again."
)


@dataclass(frozen=True)
class Person:
    """A student in a platform's export; unknown fields are empty.

    Attributes:
        id: nbgrader's student id.
        lms_user_id: the platform's id: Canvas's number, Moodle's ID number.
        section: Canvas's sections, or the groups that somebody added to Moodle's table.
    """

    id: str
    first_name: str = ""
    last_name: str = ""
    email: str = ""
    lms_user_id: str = ""
    section: str = ""


def full_name(person: object) -> str:
    """First and last name of a person or of a gradebook's student; may be empty."""
    return " ".join(filter(None, (person.first_name, person.last_name)))


def is_folder_name(name: str) -> bool:
    """Whether a student's id is a valid folder name for submissions."""
    return len(name) <= LONGEST and bool(PLAIN_NAME.fullmatch(name))


def folded(name: str) -> str:
    """A key that is equal for ids which are the same folder on macOS and Windows."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def same_but_capitals(name: str, known: Collection[str]) -> str | None:
    """A known id that differs from this one in capitals only."""
    return next((one for one in known if one != name and folded(one) == folded(name)), None)


def owners(folder: str, known: Collection[str]) -> dict[str, str]:
    """Whose folder it may be although no student has this name: student → what to do about it.

    That of "eve+fay" is eve's and fay's if both are known, since one student's id may have a plus;
    that of "Ann" is ann's.
    """
    parts = folder.split("+")
    if folder in known:
        return {}
    if len(parts) > 1 and set(parts) <= set(known):
        names = ", ".join(one_line(name, 40) for name in parts)
        reason = (
            f"It was handed in as {one_line(folder, 120)}. If that is a group, put a copy into the "
            f"folder of each: {names}. Then take the group's folder away."
        )
        return dict.fromkeys(parts, reason)
    if other := same_but_capitals(folder, known):
        reason = (
            f"It was handed in as {one_line(folder, 120)}, and the gradebook has "
            f"{one_line(other, 120)}. If that is the same person, rename the folder."
        )
        return {other: reason}
    return {}


def is_canvas(table: Table) -> bool:
    """Whether a table is Canvas's gradebook."""
    names = {"Student"} <= set(table.header) or {"LastName", "FirstName"} <= set(table.header)
    return names and {"ID", "Section"} <= set(table.header)


def is_moodle(table: Table) -> bool:
    """Whether a table is one of Moodle's: participants, or grades."""
    return "First name" in table.header and any(name in table.header for name in LAST_NAMES)


def people(table: Table, id_column: str | None = None) -> list[Person]:
    """The students of a table.

    Args:
        id_column: the column with nbgrader's student id; by default "SIS Login ID" for Canvas, and
            for Moodle the first of "Username", "Email address" and "ID number" in the table.

    Raises:
        UserError: if the table is neither Canvas's nor Moodle's, or lacks the column.
    """
    if is_canvas(table):
        return list(_of_canvas(table, table.require(id_column or "SIS Login ID")))
    if is_moodle(table):
        column = id_column or next((one for one in MOODLE_FIELDS if one in table.header), None)
        return list(_of_moodle(table, table.require(column or "Username")))
    raise UserError(
        f"{table.path} is neither Canvas's gradebook nor Moodle's participants or grades. It has "
        f"the columns: {', '.join(map(repr, table.header[:12]))}. {IN_ENGLISH}"
    )


def canvas_students(table: Table) -> Iterator[list[str]]:
    """The rows of students, without the rows of points, hidden rows and the test student."""
    for row in table.rows:
        hidden = POINTS in row[0] or all(HIDDEN.fullmatch(field) for field in row)
        if not (hidden or _is_test_student(table, row)):
            yield row


def has_test_student(table: Table) -> bool:
    """Whether it is Canvas's gradebook, and lists the student that Canvas makes for trying out."""
    return is_canvas(table) and any(_is_test_student(table, row) for row in table.rows)


def _is_test_student(table: Table, row: list[str]) -> bool:
    """Whether a row has the test student's name and, as only that one has, no id of a school.

    Its login is a long number or none; under Canvas's own form of the name, it may be any.
    """
    names = ("Student",) if "Student" in table.header else ("LastName", "FirstName")
    name = ", ".join(row[table.require(name)] for name in names)
    if name not in TEST_STUDENT:
        return False
    login, school = (table.column(name) for name in ("SIS Login ID", "SIS User ID"))
    if school is not None and (row[school] or name == TEST_STUDENT[0]):
        return not row[school]
    own = "" if login is None else row[login]
    return not own or bool(TEST_LOGIN.fullmatch(own))


def _of_canvas(table: Table, id_at: int) -> Iterator[Person]:
    number, login = table.require("ID"), table.column("SIS Login ID")
    whole = table.column("Student")
    last, first = table.column("LastName"), table.column("FirstName")
    section = table.require("Section")
    for row in canvas_students(table):
        if whole is not None:
            last_name, _, first_name = (part.strip() for part in _name(row[whole]).partition(","))
        else:
            last_name, first_name = _name(row[last]), _name(row[first])
        email = row[login] if login is not None and "@" in row[login] else ""
        yield Person(row[id_at], first_name, last_name, email, row[number], row[section])


def _of_moodle(table: Table, id_at: int) -> Iterator[Person]:
    first, last = table.require("First name"), table.column(*LAST_NAMES)
    number, email = table.column("ID number"), table.column("Email address")
    section = table.column(*SECTIONS)
    for row in table.rows:
        yield Person(
            row[id_at],
            _name(row[first]),
            _name(row[last]),
            row[email] if email is not None else "",
            row[number] if number is not None else "",
            row[section].replace(NO_SECTION, "") if section is not None else "",
        )


def _name(text: str) -> str:
    """A name on one line, without its quoting for spreadsheets and invisible characters, cut to
    nbgrader's limit, since people may choose their own names."""
    quoted = QUOTED.fullmatch(text)
    line = " ".join((quoted[1] if quoted else text).split())
    return "".join(c for c in line if c.isprintable() or c in JOINERS)[:LONGEST]
