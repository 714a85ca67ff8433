"""Submissions out of the archives of Canvas and Moodle, through nbgrader's `zip_collect`.

    c.ExtractorPlugin.zip_ext = []
    c.ZipCollectApp.collector_plugin = "headway.grading.collectors.CanvasCollector"

A path is read from left to right through the part that the platform writes, since students choose
what follows: nothing in it makes a submission another student's. What does not fit is left out, and
nbgrader names it.

Sources: `lib/content_zipper.rb` of canvas-lms; `mod/assign/classes/downloader.php` and
`mod/assign/gradingtable.php` of Moodle.
"""

import csv
import re
from pathlib import Path

from nbgrader.plugins import FileNameCollectorPlugin
from traitlets import Unicode

from headway.grading.times import TimeError, read_moment, to_nbgrader, zone_named

# Where `zip_collect` has put what the platform gave; the first place of the name, and no later one.
EXTRACTED = r"(?:(?!/extracted/).)*/extracted/"
LATE = re.compile(EXTRACTED + r"(?:[^/]+/)?[^/_]+_LATE_")
NUMBER = re.compile(r"\d+$")


class CanvasCollector(FileNameCollectorPlugin):
    """`lovelaceada_LATE_41234_98765_01-one-hot.ipynb`: the student's id is Canvas's, 41234.

    How late something was is not in the archive. Canvas knows, and its own late policy can take off
    points when the grades are back.
    """

    named_regexp = Unicode(
        EXTRACTED
        + r"(?:[^/]+/)?[^/_]+(?:_LATE)?_(?P<student_id>\d+)_\d+_(?P<file_id>(?!\d+_)[^/]+)$"
    ).tag(config=True)

    def collect(self, submitted_file: str) -> dict | None:
        found = super().collect(submitted_file)
        if found and LATE.match(submitted_file):
            self.log.warning(
                "Canvas marks the submission of %s as late, and does not say by how much. Its own "
                "late policy does; here it counts as in time.",
                found["student_id"],
            )
        return found


class MoodleCollector(FileNameCollectorPlugin):
    """`Ada Lovelace_12345_assignsubmission_file/01-one-hot.ipynb`, and Moodle's grading worksheet.

    The number is one of this assignment alone, so the worksheet tells whose it is: a table that
    Moodle offers with the submissions. It lies beside the folder `archive`.
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
        found = super().collect(submitted_file)
        if not found:
            return None
        folder = Path(submitted_file[: submitted_file.index("/extracted/")])
        row = self._rows(folder / self.worksheet).get(found["student_id"], {})
        if not (student := row.get(self.column, "").strip()):
            self.log.warning(
                "%s has no %r for participant %s.",
                folder / self.worksheet,
                self.column,
                found["student_id"],
            )
            return None
        found["student_id"] = student
        time = row.get(self.time_column, "")
        if self.zone and any(map(str.isdigit, time)):
            try:
                moment = to_nbgrader(read_moment(time, zone_named(self.zone)))
                found["timestamp"] = moment.isoformat(" ")
            except TimeError as error:
                self.log.warning("The time of %s was not read. %s", student, error)
        return found

    def _rows(self, path: Path) -> dict[str, dict[str, str]]:
        """The worksheet's rows, by the number of the participant in the first column."""
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = [row for row in csv.DictReader(file) if row]
        numbers = (NUMBER.search(next(iter(row.values())) or "") for row in rows)
        return {number[0]: row for number, row in zip(numbers, rows, strict=True) if number}
