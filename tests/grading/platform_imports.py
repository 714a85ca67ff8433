"""What Canvas and Moodle do with a file of grades, as their source code says it.

Only what decides whose grade goes where; written anew, from `lib/gradebook_importer.rb` of
canvas-lms and from `grade/import/csv/classes/load_data.php` and `lib/csvlib.class.php` of Moodle.
"""

import csv
import re
from dataclasses import dataclass, field
from pathlib import Path


class RefusedError(Exception):
    """The platform takes nothing of the file."""


@dataclass
class CanvasCourse:
    """A course in Canvas.

    Attributes:
        students: by Canvas's number: name as it is sorted, SIS User ID, SIS Login ID.
        assignments: by Canvas's number: title.
        grades: by student and title; what the import leaves.
        made: titles that Canvas would offer to make, and names of students it does not know.
    """

    students: dict[int, tuple[str, str, str]]
    assignments: dict[int, str]
    grades: dict[tuple[int, str], str] = field(default_factory=dict)
    made: list[str] = field(default_factory=list)

    def take(self, path: Path) -> None:
        """Import a file as Canvas does."""
        rows = list(csv.reader(path.open(encoding="utf-8", newline=""), strict=True))
        header, *below = rows
        info = self._columns_of_students(header)
        titles = [self._title(name) for name in header[info:]]
        for row in below:
            if "Points Possible" in row[0]:
                continue
            row = [self._decimal(one) for one in row]
            student = self._student(header, row)
            if student is None:
                self.made.append(row[0])
                continue
            for title, grade in zip(titles, row[info:], strict=True):
                if title is not None:
                    self.grades[student, title] = grade

    def _columns_of_students(self, header: list[str]) -> int:
        if not (len(header) > 3 and "Student" in header[0] and "ID" in header[1]):
            raise RefusedError("Invalid header row")
        count = 3
        if header[2] == "SIS Login ID":
            count += 1
        elif header[2] == "SIS User ID" and header[3] == "SIS Login ID":
            count += 2 + ("Integration ID" in header[4])
            count += "Root Account" in header[count - 1]
        if "Section" not in header[count - 1]:
            raise RefusedError("Invalid header row")
        return count

    def _title(self, name: str) -> str | None:
        computed = r"(Current|Final) (Score|Points|Grade)|Override (Score|Grade|Status)"
        if re.search(computed, name):
            return None
        found = re.fullmatch(r"(.*)\s\((\d+)\)", name)
        if found and int(found[2]) in self.assignments:
            return self.assignments[int(found[2])]
        if name not in self.assignments.values():
            self.made.append(found[1] if found else name)
        return name

    def _student(self, header: list[str], row: list[str]) -> int | None:
        number = re.match(r"\s*\d+", row[1])  # as Ruby's to_i
        if number and int(number[0]) in self.students:
            return int(number[0])
        for at, column in ((1, "SIS User ID"), (2, "SIS Login ID")):
            if column in header and (own := row[header.index(column)]):
                for student, ids in self.students.items():
                    if ids[at] == own:
                        return student
        return next((one for one, ids in self.students.items() if ids[0] == row[0]), None)

    @staticmethod
    def _decimal(text: str) -> str:
        if not re.fullmatch(r"-?[0-9.,]+%?", text):
            return text
        *parts, last = re.split("[,.]", text)
        return ".".join(["".join(parts), last]) if parts else last


def moodle_takes(
    path: Path, users: list[dict[str, str]], by: str, most: float = 100
) -> dict[tuple[str, str], str]:
    """Import a file as Moodle does, with every column of an assignment mapped to its grade item.

    Args:
        users: each with `username`, `idnumber` and `email`.
        by: the column that is mapped to the user, from and to.

    Returns:
        by user name and column, the grade or feedback.
    """
    text = path.read_bytes().decode("utf-8").removeprefix("\ufeff")
    rows = list(_php_rows(text))
    if any(len(row) != len(rows[0]) for row in rows):
        raise RefusedError("csvweirdcolumns")
    header = [name.strip() for name in rows[0]]
    key = {"Username": "username", "ID number": "idnumber", "Email address": "email"}[by]
    names = ("Username", "ID number", "Email address", "First name", "Last name")
    found, user = {}, None  # not forgotten from one row to the next
    for row in rows[1:]:
        own = row[header.index(by)].strip()
        if own not in ("", "0"):
            users_found = [one["username"] for one in users if one[key] == own]
            if len(users_found) != 1:
                raise RefusedError("usermappingerror")
            user = users_found[0]
        if user is None:
            raise RefusedError("usermappingerrorusernotfound")
        for column, value in zip(header, map(str.strip, row), strict=True):
            if column in names:
                continue
            is_grade = not column.endswith("(feedback)") and value not in ("", "-")
            if is_grade and float(value) > most:
                raise RefusedError("gradevaluetoobig")
            found[user, column] = value
    return found


def _php_rows(text: str):
    """Rows as PHP's fgetcsv reads them: within quotes, a backslash keeps a quote from ending it."""
    row, cell, quoted, at = [], "", False, 0
    while at < len(text):
        one = text[at]
        if quoted:
            if one == "\\" and at + 1 < len(text):
                cell += text[at : at + 2]
                at += 1
            elif one == '"' and text[at + 1 : at + 2] == '"':
                cell += '"'
                at += 1
            elif one == '"':
                quoted = False
            else:
                cell += one
        elif one == '"' and not cell:
            quoted = True
        elif one == ",":
            row, cell = [*row, cell], ""
        elif one == "\n":
            yield [*row, cell]
            row, cell = [], ""
        else:
            cell += one
        at += 1
    if row or cell:
        yield [*row, cell]
