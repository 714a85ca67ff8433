"""Collecting what students handed in, without believing what they say of it.

Whoever hands in writes into the exchange with a program of their own. So a folder there may name
another student, tell an earlier time, or hold links to files that only the teacher can read, such
as the solution. What nobody can choose is the account that owns a folder, and the time at which
the kernel saw it change last: these two count. Links are left out, and so is whatever belongs to
another account than the folder. What cannot be read, or changes while it is read, is left out too,
and stops nobody else's.
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

from nbgrader.exchange.default import ExchangeCollect

from headway.errors import is_fault
from headway.grading.times import TimeError, UnknownZoneError

LATITUDE = timedelta(minutes=1)  # that handing in may take
READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
TIMESTAMP, SECRET = "timestamp.txt", "submission_secret.txt"
# Of a time zone that has no name, as Asia/Singapore; nbgrader's own names of folders are parted at
# each plus sign.
BARE_OFFSET = re.compile(r":\d\d(?:\.\d+)? \+\d\d(?:\d\d)?(?=\+|$)")
MOST_OF_SECRET = 1_000  # bytes
MOST_ENTRIES = 1_000  # files and folders
LONGEST_PATH = 400  # letters; what lies in longer ones is left out
NOBODY = ""  # whose the submissions are that nobody can have handed in


class Collect(ExchangeCollect):
    """nbgrader's own collecting, but that account and time are those of the folder."""

    def _path_to_record(self, path: str) -> dict:
        try:
            return self._record(path)
        except Exception as error:  # whatever a name can say that nbgrader does not understand
            self.log.error("%s is no submission, and was left out: %r", ascii(path), error)
            return {"username": NOBODY, "filename": path, "timestamp": datetime.min}

    def _record(self, path: str) -> dict:
        if not stat.S_ISDIR(os.lstat(path).st_mode):
            raise NotADirectoryError(path)
        owner = owner_of(path)
        try:
            record = super()._path_to_record(path)
        except TimeError as error:
            if not (isinstance(error, UnknownZoneError) or BARE_OFFSET.search(path)):
                raise
            # Whoever handed it in, and when, the folder itself shows.
            name = os.path.basename(path)
            record = {"username": owner, "filename": name, "timestamp": datetime.min}
        if owner != record["username"]:
            self.log.warning("%s was handed in by %s, and counts as theirs", ascii(path), owner)
        when = time_of_arrival(path, record["timestamp"])
        if when != record["timestamp"]:
            self.log.warning("%s came at %s UTC, and counts from then", ascii(path), when)
        return {**record, "username": owner, "timestamp": when}

    def init_src(self) -> None:
        """Find the latest submission of each student."""
        super().init_src()
        self.src_records = [record for record in self.src_records if record["username"] != NOBODY]

    def copy_files(self) -> None:
        """Copy one submission after the other, whatever becomes of the one before."""
        records = self.src_records
        for record in records:
            self.src_records = [record]
            try:
                self.copy_record(record)
            except Exception as error:  # its owner may change it at any moment
                if is_fault(error):
                    raise
                self.log.error("%s was left out: %r", ascii(record["filename"]), error)
        self.src_records = records
        if not records:
            super().copy_files()  # says so

    def copy_record(self, record: dict) -> None:
        """Copy one submission, the only one of `src_records`."""
        super().copy_files()

    def do_copy(self, src: str, dest: str, log: object = None) -> None:
        """Copy a submission's own files, with the time at which it came."""
        most = 1_000 * self.coursedir.max_dir_size - 2 * MOST_OF_SECRET  # with room for two more
        with TemporaryDirectory(prefix="headway-") as folder:
            own = Path(folder, "submission")
            for left_out in copy_own_files(src, own, most):
                self.log.warning("%s was left out", ascii(left_out))
            when = self._record(src)["timestamp"]
            _write(own / TIMESTAMP, f"{when} UTC\n")
            if not _is_secret(own / SECRET):
                _write(own / SECRET, token_hex(64))  # or nobody's feedback could be released
            super().do_copy(str(own), dest, log)


def owner_of(path: str) -> str:
    """The name of the account that owns a folder; its number if it has no name."""
    uid = os.lstat(path).st_uid
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def time_of_arrival(path: str, told: datetime) -> datetime:
    """When a submission was handed in: the time that it tells, unless it came at another.

    Args:
        path: of its folder in the exchange.
        told: its own word, in UTC without a zone, as nbgrader has times.
    """
    seen = [os.lstat(path).st_ctime]
    for _, folders, files, descriptor in _walk(path, []):
        for name in folders + files:
            with suppress(OSError):  # gone, or closed
                seen.append(os.stat(name, dir_fd=descriptor, follow_symlinks=False).st_ctime)
    came = datetime.fromtimestamp(max(seen), UTC).replace(tzinfo=None, microsecond=0)
    return came if abs(came - told) > LATITUDE else told


def copy_own_files(source: str, target: Path, most: int) -> list[str]:
    """Copy the ordinary files of a folder that belong to its owner; whatever else there was.

    The folder may change while it is copied: each thing is opened once, never by way of a link.

    Args:
        most: bytes that are copied; a file that goes beyond is left out.
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
    """What `os.fwalk` gives, as far as it can be read and is of a sensible size."""
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
    except OSError:  # the folder itself is closed, or gone
        left_out.append(top)


def _copy(name: str, folder: int, owner: int, target: Path, most: int) -> int | None:
    """The size of what was copied; None if it was not."""
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
    """Whether nbgrader can read it when it releases feedback."""
    try:
        return path.stat().st_size <= MOST_OF_SECRET and bool(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return False


def _write(path: Path, text: str) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    path.write_text(text, encoding="utf-8")
