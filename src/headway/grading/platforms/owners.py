"""Find the students of a class behind a platform's ids, its worksheet, and a table of groups."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from pathlib import Path

from headway.errors import UserError
from headway.grading.platforms.paths import Reading
from headway.grading.platforms.people import IN_ENGLISH, MOODLE_FIELDS, is_folder_name
from headway.grading.platforms.tables import Table, read_table
from headway.grading.times import TimeError, read_moment

MODIFIED, GROUP = "Last modified (submission)", ("Group", "Team")
NUMBER_AT_END = re.compile(r"\d+$")


class ClassList:
    """The gradebook's students, found by the ids that a platform has for them.

    Args:
        students: nbgrader's students.
    """

    def __init__(self, students: Iterable[object]):
        self._own: dict[tuple[str, str], str] = {}
        self._with: dict[tuple[str, str], set[str]] = defaultdict(set)
        self.names: dict[str, str] = {}
        for student in students:
            self.names[student.id] = f"{student.last_name or ''}{student.first_name or ''}"
            for field in MOODLE_FIELDS.values():
                own = self._own[student.id, field] = getattr(student, field) or student.id
                self._with[field, own.casefold()].add(student.id)

    def knows(self, platform_id: str, field: str) -> bool:
        """Whether a student has this id in a field of the gradebook, or, if it's empty, as id."""
        return bool(self._with[field, platform_id.casefold()])

    def find(self, platform_id: str, field: str) -> str | None:
        """The student whom the class list knows by this id, as `knows` tells.

        If no student has it, the id itself. None if two students have it, if it equals the student
        id of somebody with another platform id, or if it cannot be a student's id.
        """
        students = self._with[field, platform_id.casefold()] or {platform_id}
        if len(students) > 1:
            return None
        (student,) = students
        theirs = self._own.get((student, field), platform_id)
        same = theirs.casefold() == platform_id.casefold()
        return student if same and is_folder_name(student) else None

    def owner(self, ways: list[Reading]) -> tuple[Reading | None, list[str]]:
        """How to read a path of Canvas, and the students whose it may be if that is not certain.

        Of several ways, one is certain if the class list knows its number alone, and the path has
        that student's name where Canvas puts it.
        """
        if len(ways) == 1:
            return ways[0], []
        known = [way for way in ways if self.knows(way.number, "lms_user_id")]
        found = [self.find(way.number, "lms_user_id") for way in known]
        students = [student for student in found if student]
        if len(known) == len(students) == 1:
            (way,), (student,) = known, students
            if _folded(way.who) == _folded(self.names[student]):
                return way, []
        return None, students


@dataclass(frozen=True)
class Participant:
    """A row of Moodle's grading worksheet.

    Attributes:
        ids: the gradebook's field → the id.
        group: the group's name; None if each student hands in alone.
        time: when the submission was last changed; None if it is not known.
    """

    ids: Mapping[str, str]
    group: str | None
    time: datetime | None

    def student(self, of_class: ClassList) -> str | None:
        """The student; None if that is not certain."""
        known = {of_class.find(own, it) for it, own in self.ids.items() if of_class.knows(own, it)}
        if not known:  # the student's id as `headway class roster` chooses it
            known = {of_class.find(own, it) for it, own in list(self.ids.items())[:1]}
        return known.pop() if len(known) == 1 else None


class Worksheet:
    """Moodle's grading worksheet of an assignment.

    Args:
        path: the file.
        zone: time zone of its times; None if they are not to be read.

    Raises:
        UserError: if it is not one.
    """

    def __init__(self, path: Path, zone: tzinfo | None):
        self.path, table = path, read_table(path)
        self.has_times = table.column(MODIFIED) is not None
        if not any(table.column(name) is not None for name in MOODLE_FIELDS):
            raise UserError(
                f"{path} has none of the columns {', '.join(MOODLE_FIELDS)}, so it does not say "
                "who is who. Take Moodle's grading worksheet of this assignment; while submissions "
                f"are anonymous, it names nobody. {IN_ENGLISH}"
            )
        self.in_groups = table.column(*GROUP) is not None
        self.unread: list[str] = []  # times that are none
        self.numbered: list[tuple[str, Participant]] = []  # each with Moodle's number
        self._by_group: dict[str, dict[str, list[Participant]]] = defaultdict(dict)
        for row in table.rows:
            one = self._participant(table, row, zone)
            if number := NUMBER_AT_END.search(row[0]):
                self.numbered.append((number[0], one))
            if one.group is not None:
                same = self._by_group[_folded(one.group)]
                same.setdefault(one.group, []).append(one)
        times = Counter(number for number, _ in self.numbered)
        self._by_number = {number: one for number, one in self.numbered if times[number] == 1}
        if not (self.in_groups or self._by_number):
            raise UserError(
                f"{path} has no participants' numbers in its first column. Take Moodle's grading "
                "worksheet of this assignment, not its class list."
            )

    def behind(self, reading: Reading) -> tuple[str, list[Participant]]:
        """The group's name, empty for one student, and its members; none if that is not clear."""
        if not self.in_groups:
            one = self._by_number.get(reading.number)
            return "", [one] if one else []
        groups = self._by_group.get(_folded(reading.who), {})
        if len(groups) != 1:
            return reading.who, []
        ((group, members),) = groups.items()
        return group, members

    def _participant(self, table: Table, row: list[str], zone: tzinfo | None) -> Participant:
        ids = {
            field: row[at]
            for name, field in MOODLE_FIELDS.items()
            if (at := table.column(name)) is not None and row[at]
        }
        group, modified = table.column(*GROUP), table.column(MODIFIED)
        time, text = None, row[modified] if modified is not None else ""
        if zone and any(map(str.isdigit, text)):
            try:
                time = read_moment(text, zone)
            except TimeError as error:
                self.unread.append(str(error))
        return Participant(ids, None if group is None else row[group], time)


def read_groups(path: Path, of_class: ClassList) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Student → the group's name and all its members, from a table with the columns group, student.

    Raises:
        UserError: if it is no such table, or a student is unknown or in two groups.
    """
    table = read_table(path)
    group_at, student_at = table.require("group"), table.require("student")
    seen: dict[str, str] = {}
    for row in table.rows:
        group, student = row[group_at], row[student_at]
        if not is_folder_name(student) or (of_class.names and student not in of_class.names):
            raise UserError(
                f"{path} names {student!r:.60}, who is not in the class list. Expected the "
                "student's id, as in submitted/ and the report."
            )
        if seen.setdefault(student, group) != group:
            raise UserError(
                f"{path} has {student!r} in the groups {seen[student]!r} and {group!r}."
            )
    return with_members(seen)


def with_members(groups: Mapping[str, str]) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Student → the group's name and all its members, from student → the group's name."""
    members: dict[str, list[str]] = defaultdict(list)
    for student, group in groups.items():
        members[group].append(student)
    return {student: (group, tuple(members[group])) for student, group in groups.items()}


def _folded(name: str) -> str:
    """A name without what Canvas and Moodle change when they write it into a path."""
    return "".join(filter(str.isalnum, name.casefold()))
