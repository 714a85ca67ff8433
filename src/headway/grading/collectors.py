"""Collect submissions from the archives of Canvas and Moodle, through nbgrader's `zip_collect`.

    c.ZipCollectApp.extractor_plugin = "headway.grading.collectors.ArchiveExtractor"
    c.ZipCollectApp.collector_plugin = "headway.grading.collectors.CanvasCollector"

Patterns match a path from the left, where the platform writes. Students choose the rest of the
path, so nothing there may assign a submission to another student. nbgrader reports paths that do
not match.

The platform identifies the student by its own id. If the gradebook has exactly one student with
this id, as after `headway class roster`, the submission is that student's. Otherwise the
platform's id becomes the student id.

Sources: `lib/content_zipper.rb` of canvas-lms; `mod/assign/classes/downloader.php` and
`mod/assign/gradingtable.php` of Moodle.
"""

import re
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.plugins import FileNameCollectorPlugin
from traitlets import Unicode

from headway.errors import UserError
from headway.grading.archives import ArchiveExtractor  # noqa: F401 - instructors name it here
from headway.grading.platforms.people import is_folder_name
from headway.grading.platforms.tables import read_table
from headway.grading.times import TimeError, read_moment, to_nbgrader, zone_named

# The folder into which `zip_collect` extracts; only the first /extracted/ in a path counts.
EXTRACTED = r"(?:(?!/extracted/).)*/extracted/"
THREE_NUMBERS = re.compile(r"/[^/_]+(?:_LATE)?_\d+_\d+_\d+_[^/]*$")
LATE = re.compile(EXTRACTED + r"(?:[^/]+/)?[^/_]+_LATE_")
TEST_STUDENT = re.compile(EXTRACTED + r"(?:[^/]+/)?(?:studenttest|teststudent)_(?:LATE_)?\d+_")
NUMBER = re.compile(r"\d+$")
# Moodle's columns → the gradebook's fields with the same content.
MOODLE_FIELDS = {"Email address": "email", "ID number": "lms_user_id"}


class _Collector(FileNameCollectorPlugin):
    """What both platforms share: finding the student by an id, and renaming duplicate files."""

    def student_with(self, platform_id: str, field: str) -> str | None:
        """The student with this platform id in a field of the gradebook.

        If no student has it, the id itself. None if two students have it, or if it equals the
        student id of somebody with another platform id.
        """
        students = self._students[field, platform_id.casefold()] or {platform_id}
        if len(students) == 1:
            (student,) = students
            if self._fields.get((student, field), platform_id).casefold() == platform_id.casefold():
                return student
        self.log.warning("Whose %r is, the gradebook does not tell for certain.", platform_id)
        return None

    def found(self, groups: dict) -> dict | None:
        """The match, or None if its student id is invalid; a duplicate file name gets a number."""
        student = groups["student_id"]
        if student is None:
            return None
        if not is_folder_name(student):
            self.log.warning("%r cannot be the id of a student.", student)
            return None
        name, times = Path(groups["file_id"]), 1
        while groups["file_id"] in self._names[student]:
            times += 1
            groups["file_id"] = f"{name.stem} ({times}){name.suffix}"
        if times > 1:
            self.log.warning("%s has more than one file %r.", student, name.name)
        self._names[student].add(groups["file_id"])
        return groups

    @cached_property
    def _names(self) -> dict[str, set[str]]:
        """The names of the files found so far, by student."""
        return defaultdict(set)

    @cached_property
    def _fields(self) -> dict[tuple[str, str], str]:
        """(student id, field) → the platform id in the gradebook."""
        return {
            (student.id, field): own
            for student in self._gradebook(lambda book: book.students) or ()
            for field in ("lms_user_id", "email")
            if (own := getattr(student, field))
        }

    @cached_property
    def _students(self) -> dict[tuple[str, str], set[str]]:
        """(field, platform id) → the gradebook's student ids."""
        found = defaultdict(set)
        for (student, field), own in self._fields.items():
            found[field, own.casefold()].add(student)
        return found

    def _gradebook(self, look) -> object:
        """The value of `look(gradebook)`; None if there is no gradebook yet."""
        if self.parent is None:
            return None
        directory = self.parent.coursedir
        kind, _, path = directory.db_url.partition(":///")
        if kind == "sqlite" and not (Path(directory.root) / path).is_file():
            return None
        with Gradebook(directory.db_url, directory.course_id) as book:
            return look(book)


class CanvasCollector(_Collector):
    """Collects files such as `lovelaceada_LATE_41234_98765_01-one-hot.ipynb`.

    41234 is Canvas's number of the student, `lms_user_id` in the gradebook.

    The archive does not say how late a submission was. A submission marked LATE gets the time
    `late_at`; without `late_at`, one second after the due date, so that it counts as late unless
    the student has an extension; without a due date, no time, so that it counts as in time.

    With anonymous grading, Canvas writes "anon" or "anonymous" and an anonymous id that may look
    like a student's number. Such files are left out, and so are those of Canvas's Test Student.
    """

    named_regexp = Unicode(
        EXTRACTED
        + r"(?:(?![^/]*_\d+_\d+_)[^/]+/)?"
        + r"(?!anon(?:ymous)?_)[^/_]+(?:_LATE)?_(?P<student_id>\d+)_\d+_(?P<file_id>(?!\d+_)[^/]+)$"
    ).tag(config=True)
    late_at = Unicode(
        "", help='When what is late was handed in: "2026-04-01 12:00 Europe/Berlin".'
    ).tag(config=True)

    def collect(self, submitted_file: str) -> dict | None:
        groups = super().collect(submitted_file)
        if not groups:
            if THREE_NUMBERS.search(submitted_file):
                self.log.warning(
                    "Whose %s is cannot be told for certain: its name begins with a number and _. "
                    "Put it into the folder of submissions by hand.",
                    submitted_file,
                )
            return None
        number = groups["student_id"]
        is_known = bool(self._students.get(("lms_user_id", number)))
        if TEST_STUDENT.match(submitted_file) and not is_known:
            self.log.warning("%s is of Canvas's Test Student, and was left out.", submitted_file)
            return None
        groups["student_id"] = self.student_with(number, "lms_user_id")
        if groups["student_id"] and LATE.match(submitted_file):
            late = self._late
            how = f"it gets the time {late:%Y-%m-%d %H:%M:%S} UTC" if late else "counts as in time"
            self.log.warning(
                "Canvas marks the submission of %s as late, and does not say by how much: %s.",
                groups["student_id"],
                how,
            )
            if late:
                groups["timestamp"] = to_nbgrader(late).isoformat(" ")
        return self.found(groups)

    @cached_property
    def _late(self) -> datetime | None:
        if self.late_at:
            try:
                return read_moment(self.late_at).astimezone(UTC)
            except TimeError as error:
                self.parent.fail(f"c.CanvasCollector.late_at: {error}")
        try:
            name = self.parent and self.parent.coursedir.assignment_id
            due = self._gradebook(lambda book: book.find_assignment(name).duedate)
        except MissingEntry:
            return None
        return due.replace(tzinfo=UTC) + timedelta(seconds=1) if due else None


class MoodleCollector(_Collector):
    """Collects files such as `Ada Lovelace_12345_assignsubmission_file/01-one-hot.ipynb`.

    The number 12345 is valid only within the assignment. Moodle's grading worksheet, a table to
    download with the submissions, says whose it is. It must be next to the folder `archive`.
    """

    named_regexp = Unicode(
        EXTRACTED
        + r"(?:(?![^/]*_assignsubmission_)[^/]+/)?"
        + r"[^/]*_(?P<student_id>\d+)_assignsubmission_file_?/(?P<file_id>[^/]+)$"
    ).tag(config=True)
    worksheet = Unicode("worksheet.csv", help="The name of the grading worksheet.").tag(config=True)
    column = Unicode("Email address", help="Its column of the students' ids.").tag(config=True)
    time_column = Unicode(
        "Last modified (submission)", help="Its column of the times of handing in."
    ).tag(config=True)
    zone = Unicode("", help="Time zone of these times; without it they are not read.").tag(
        config=True
    )

    def collect(self, submitted_file: str) -> dict | None:
        groups = super().collect(submitted_file)
        if not groups:
            return None
        folder = Path(submitted_file[: submitted_file.index("/extracted/")])
        row = self._rows(folder / self.worksheet).get(groups["student_id"], {})
        if not (own := (row.get(self.column) or "").strip()):
            self.log.warning(
                "%s has no %r for participant %s.",
                folder / self.worksheet,
                self.column,
                groups["student_id"],
            )
            return None
        groups["student_id"] = self.student_with(own, MOODLE_FIELDS.get(self.column, ""))
        time = row.get(self.time_column) or ""
        if self.zone and any(map(str.isdigit, time)):
            try:
                moment = to_nbgrader(read_moment(time, zone_named(self.zone)))
                groups["timestamp"] = moment.isoformat(" ")
            except TimeError as error:
                self.log.warning("The time of %s was not read. %s", groups["student_id"], error)
        return self.found(groups)

    def _rows(self, path: Path) -> dict[str, dict[str, str]]:
        """The worksheet's rows, by the participant's number in the first column."""
        if not path.is_file():
            if self.parent is None:
                return {}
            self.parent.fail(
                f"There is no {path}. Download the assignment's grading worksheet from Moodle."
            )
        if path not in self._read:
            try:
                table = read_table(path)
            except UserError as error:
                if self.parent is None:
                    raise
                self.parent.fail(str(error))
            rows = [dict(zip(table.header, row, strict=True)) for row in table.rows]
            numbers = [NUMBER.search(row[0]) for row in table.rows]
            self._read[path] = {
                number[0]: row for number, row in zip(numbers, rows, strict=True) if number
            }
        return self._read[path]

    @cached_property
    def _read(self) -> dict[Path, dict[str, dict[str, str]]]:
        """A cache of the worksheets, which may be long: they can contain students' texts."""
        return {}
