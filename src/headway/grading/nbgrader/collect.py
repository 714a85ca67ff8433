"""Collect submissions from the exchange without trusting their folders.

Students' own programs write into the exchange. So a folder there may name another student or an
earlier time, or contain links to files that only the instructor can read, such as the solution.
Students cannot choose the account that owns a folder and the time of its last change in the
kernel, so these two count. Links and files of other accounts are left out. So is what cannot be
read or changes during reading, without stopping the other submissions.

Every submission stays in the exchange. Which one is collected, the latest or the last punctual one,
is `c.Collecting.last_punctual`; extensions count.
"""

import os
import pwd
import re
import shutil
import stat
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.exchange.default import ExchangeCollect

from headway.errors import is_fault
from headway.grading.copies import COLLECTED, Copies, contents, place
from headway.grading.nbgrader.penalties import late_costs
from headway.grading.nbgrader.recorded import due_dates_of
from headway.grading.punctual import Collecting, choose
from headway.grading.times import TimeError, UnknownZoneError

LATITUDE = timedelta(minutes=1)  # how long handing in may take
READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
TIMESTAMP, SECRET = "timestamp.txt", "submission_secret.txt"
# The offset of a zone without an abbreviation, such as Asia/Singapore. Its plus sign confuses
# nbgrader, which splits folder names at each +.
BARE_OFFSET = re.compile(r":\d\d(?:\.\d+)? \+\d\d(?:\d\d)?(?=\+|$)")
MOST_OF_SECRET = 1_000  # bytes
MOST_ENTRIES = 1_000  # files and folders
LONGEST_PATH = 400  # characters; the contents of longer ones are left out
NOBODY = ""  # the user name for folders that are not valid submissions


class Collect(ExchangeCollect):
    """nbgrader's `ExchangeCollect`, but account and time come from the folder's file status."""

    def _path_to_record(self, path: str) -> dict:
        try:
            record = self._record(path)
        except Exception as error:  # nbgrader cannot parse the name
            self.log.error("%s is no submission, and was left out: %r", ascii(path), error)
            record = {"username": NOBODY, "filename": path, "timestamp": datetime.min}
        self._found.setdefault(record["username"], []).append(record)
        return record

    def _record(self, path: str) -> dict:
        if not stat.S_ISDIR(os.lstat(path).st_mode):
            raise NotADirectoryError(path)
        owner = owner_of(path)
        try:
            record = super()._path_to_record(path)
        except TimeError as error:
            if not (isinstance(error, UnknownZoneError) or BARE_OFFSET.search(path)):
                raise
            # The folder's file status shows the student and the time.
            name = os.path.basename(path)
            record = {"username": owner, "filename": name, "timestamp": datetime.min}
        if owner != record["username"]:
            self.log.warning("%s was handed in by %s, and counts as theirs", ascii(path), owner)
        when = time_of_arrival(path, record["timestamp"])
        if when != record["timestamp"]:
            self.log.warning("%s came at %s UTC, and counts from then", ascii(path), when)
        return {**record, "username": owner, "timestamp": when}

    def init_src(self) -> None:
        """Find the submission of each student that counts."""
        found: dict[str, list[dict]] = {}
        self._found = found
        super().init_src()
        found.pop(NOBODY, None)
        rule = Collecting(config=self.config).last_punctual
        # Then nbgrader also replaces what was collected before by an earlier submission.
        self.before_duedate = self.before_duedate or rule
        self.src_records = [
            self._that_counts(student, records) for student, records in found.items()
        ]

    def _that_counts(self, student: str, records: list[dict]) -> dict:
        times = [record["timestamp"].replace(tzinfo=UTC) for record in records]
        until = self._until(student)
        choice = choose(times, until, self.before_duedate)
        if choice.is_late_instead and late_costs(self.config):
            self.log.warning(
                "%s handed in again after the due date, and that late submission counts; the last "
                "punctual one came at %s UTC. To let it count: c.Collecting.last_punctual = True",
                *(ascii(student), records[choice.punctual]["timestamp"]),
            )
        return records[choice.counts]

    def _until(self, student: str) -> datetime | None:
        """When the assignment is due for a student, with the extension."""
        with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as book:
            name = self.coursedir.assignment_id
            due = due_dates_of(book).get(name)
            try:
                longer = due and book.find_submission(name, student).extension
            except MissingEntry:
                longer = None
        return due and due.replace(tzinfo=UTC) + (longer or timedelta())

    def copy_files(self) -> None:
        """Copy the submissions one by one; a failure does not stop the others."""
        records = self.src_records
        for record in records:
            self.src_records = [record]
            try:
                self.copy_record(record)
            except Exception as error:  # for instance, the student changes the folder meanwhile
                if is_fault(error):
                    raise
                self.log.error("%s was left out: %r", ascii(record["filename"]), error)
        self.src_records = records
        if not records:
            super().copy_files()  # reports that there are none

    def copy_record(self, record: dict) -> None:
        """Copy one submission, the only one of `src_records`.

        What the instructor changed in `submitted/` is kept, since nbgrader would delete it, and
        comes back when the submission that it was made from is collected again.
        """
        student, assignment = record["username"], self.coursedir.assignment_id
        directory = self.coursedir.submitted_directory
        submitted = Path(self.coursedir.format_path(directory, student, assignment))
        copies = Copies(Path(self.coursedir.root, COLLECTED, assignment, student))
        before = self.coursedir.get_existing_timestamp(str(submitted))
        if submitted.is_dir() and self._gives_way(submitted, record):
            self.log.warning(
                "%s was not what had been collected. It is in %s now, because there is another "
                "submission",
                *(ascii(str(submitted)), ascii(str(copies.put_away(submitted)))),
            )
        super().copy_files()
        now = self.coursedir.get_existing_timestamp(str(submitted))
        mine = [
            path
            for path in copies.mine().values()
            if self.coursedir.get_existing_timestamp(str(path)) == now
        ]
        if now is not None and now != before and mine:
            place(mine[0], submitted, copies, keep=False)
            self.log.warning(
                "%s is your version from %s again, since what you had changed counts again",
                *(ascii(str(submitted)), ascii(str(mine[0]))),
            )

    def _gives_way(self, submitted: Path, record: dict) -> bool:
        """Whether nbgrader will replace a folder that differs from what was collected."""
        before, now = self.coursedir.get_existing_timestamp(str(submitted)), record["timestamp"]
        newer = self.update and (before is None or now > before)
        if not (newer or (self.before_duedate and before != now)):
            return False
        return not any(
            self._is_copy(submitted, os.path.join(self.inbound_path, one["filename"]))
            for one in self._found[record["username"]]
            if one["timestamp"] == before
        )

    def _is_copy(self, submitted: Path, src: str) -> bool:
        """Whether a folder holds just what collecting a submission would put there."""
        with TemporaryDirectory(prefix="headway-") as folder:
            own = Path(folder, "submission")
            copy_own_files(src, own, 1_000 * self.coursedir.max_dir_size)
            return contents(own) == contents(submitted)

    def do_copy(self, src: str, dest: str, log: object = None) -> None:
        """Copy a submission's own files, and write the time at which it came."""
        most = 1_000 * self.coursedir.max_dir_size - 2 * MOST_OF_SECRET  # for the two files below
        with TemporaryDirectory(prefix="headway-") as folder:
            own = Path(folder, "submission")
            for left_out in copy_own_files(src, own, most):
                self.log.warning("%s was left out", ascii(left_out))
            when = self._record(src)["timestamp"]
            _write(own / TIMESTAMP, f"{when} UTC\n")
            if not _is_secret(own / SECRET):
                _write(own / SECRET, token_hex(64))  # else releasing feedback fails for everybody
            super().do_copy(str(own), dest, log)


def owner_of(path: str) -> str:
    """The name of the account that owns a folder; the user id if it has no name."""
    uid = os.lstat(path).st_uid
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def time_of_arrival(path: str, told: datetime) -> datetime:
    """When a submission was handed in: its claimed time, or its last change if they differ.

    Args:
        path: the submission's folder in the exchange.
        told: its claimed time, in UTC without a zone, as in nbgrader.
    """
    seen = [os.lstat(path).st_ctime]
    for _, folders, files, descriptor in _walk(path, []):
        for name in folders + files:
            with suppress(OSError):  # gone, or not accessible
                seen.append(os.stat(name, dir_fd=descriptor, follow_symlinks=False).st_ctime)
    came = datetime.fromtimestamp(max(seen), UTC).replace(tzinfo=None, microsecond=0)
    return came if abs(came - told) > LATITUDE else told


def copy_own_files(source: str, target: Path, most: int) -> list[str]:
    """Copy the regular files of a folder that belong to its owner; return the paths left out.

    The folder may change during copying, so each file is opened once and never through a link.

    Args:
        most: most bytes to copy; a file that exceeds the rest is left out.
    """
    left_out: list[str] = []
    target.mkdir()
    owner = os.lstat(source).st_uid
    for folder, folders, files, descriptor in _walk(source, left_out):
        place = target / os.path.relpath(folder, source)
        place.mkdir(exist_ok=True)
        for name in files:
            size = _copy(name, descriptor, owner, place / name, most)
            if size is None:
                left_out.append(os.path.join(folder, name))
            most -= size or 0
        left_out += [os.path.join(folder, name) for name in folders if _is_link(name, descriptor)]
    return left_out


def _walk(top: str, left_out: list[str]) -> Iterator[tuple[str, list[str], list[str], int]]:
    """As `os.fwalk`, but unreadable folders and those beyond the limits are left out."""
    entries = 0
    try:
        for folder, folders, files, descriptor in os.fwalk(top, follow_symlinks=False):
            entries += len(folders) + len(files)
            if entries > MOST_ENTRIES:
                left_out.append(folder)
                return
            if folders and len(folder) - len(top) > LONGEST_PATH:
                left_out += [os.path.join(folder, name) for name in folders]
                folders.clear()
            yield folder, folders, files, descriptor
    except OSError:  # the folder itself is gone, or not accessible
        left_out.append(top)


def _copy(name: str, folder: int, owner: int, target: Path, most: int) -> int | None:
    """Copy a file; return its size, or None if it was left out."""
    try:
        descriptor = os.open(name, READ, dir_fd=folder)
    except OSError:  # a link, or gone
        return None
    with open(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or found.st_uid != owner or found.st_size > most:
            return None
        return target.write_bytes(file.read(found.st_size))


def _is_link(name: str, folder: int) -> bool:
    try:
        return stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    except OSError:  # gone
        return False


def _is_secret(path: Path) -> bool:
    """Whether a file is a secret that nbgrader can read when it releases feedback."""
    try:
        return path.stat().st_size <= MOST_OF_SECRET and bool(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return False


def _write(path: Path, text: str) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    path.write_text(text, encoding="utf-8")
