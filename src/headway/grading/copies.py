"""Keep each copy that was collected, and put one of them into `submitted/`.

    DIR/collected/01-one-hot/ada/1/      the first copy that ada handed in
    DIR/collected/01-one-hot/ada/2/      the next one
    DIR/collected/01-one-hot/ada/mine-1/ what the instructor had changed in submitted/
    DIR/.headway/01-one-hot/collected.json

What an instructor changed in `submitted/` is never lost: it stays, or moves to `collected/`, and
comes back when the copy that it was made from counts again.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from headway.errors import is_fault
from headway.grading.files import SCRATCH, copy_atomically, write_text
from headway.grading.intake.folder import BYTE_CODE
from headway.grading.intake.submission import SECRET, TIMESTAMP
from headway.grading.stored import read_as
from headway.grading.times import TimeError, read_moment
from headway.interrupts import held

CHECKPOINTS = ".ipynb_checkpoints"  # JupyterLab's copies, which nobody hands in on purpose
COLLECTED, MINE = "collected", "mine-"
RECORD = "collected.json"
OWN_FILES = (TIMESTAMP, SECRET)  # that only nbgrader and we may write


@dataclass(frozen=True)
class Copy:
    """A copy that was collected.

    Attributes:
        number: 1 for the first one.
        folder: where it is.
        time: when it was handed in, if that is known.
    """

    number: int
    folder: Path
    time: datetime | None


@dataclass
class Collected:
    """What collecting has to remember of an assignment.

    Attributes:
        placed: student → the number of the copy that was put into `submitted/`.
        corrected: student → number of a copy → number of the folder with the instructor's version
            of it, which was in `submitted/` until another copy came.
        groups: student → the name of the group whose submission it is.
        unclear: files that did not get into `submitted/`: a sentence, and the students whose they
            are or may be.
        marked: student → the numbers of the copies that Canvas marks as late.
    """

    placed: dict[str, int] = field(default_factory=dict)
    corrected: dict[str, dict[str, int]] = field(default_factory=dict)
    groups: dict[str, str] = field(default_factory=dict)
    unclear: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    marked: dict[str, list[int]] = field(default_factory=dict)


def read_collected(state: Path) -> Collected:
    """What was collected for an assignment; nothing if there is no record, or it is unreadable.

    Args:
        state: the assignment's folder in `.headway/`.
    """
    try:
        return read_as(Collected, json.loads((state / RECORD).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return Collected()


def not_in_reach(collected: Collected, handed_in: Iterable[str]) -> dict[str, str]:
    """Student → what of theirs could not be collected, for students without a submission.

    Args:
        handed_in: the students with a submission. If it is one of several whose a file may be, the
            file is taken to be that student's.
    """
    there = set(handed_in)
    return {
        student: said
        for said, students in collected.unclear
        for student in students
        if there.isdisjoint(students)
    }


def handed_in_again(collected: Collected) -> set[str]:
    """The students whose copy in `submitted/` came after another one."""
    return {student for student, number in collected.placed.items() if number > 1}


def date_marked(
    collected: Collected, folder: Path, submission: Callable[[str], Path], moment: datetime
) -> list[str]:
    """Give copies that Canvas marks as late, and that have no time, this one.

    They were collected before the assignment had a due date.

    Args:
        folder: the assignment's folder in `collected/`.
        submission: gives a student's folder in `submitted/`.

    Returns:
        the students whose copies got it.
    """
    dated = []
    for student, numbers in collected.marked.items():
        for number in numbers:
            copy, now = folder / student / str(number), submission(student)
            if not copy.is_dir() or _time_text(copy):
                continue
            is_placed = collected.placed.get(student) == number
            if is_placed and same_time(copy, now) and contents(copy) == contents(now):
                write_time(now, moment)
            write_time(copy, moment)
            dated.append(student)
    return dated


def write_collected(state: Path, collected: Collected) -> None:
    """Store what was collected."""
    write_text(state / RECORD, json.dumps(vars(collected), ensure_ascii=False, indent=1))


class Copies:
    """The copies of one student.

    Args:
        folder: the student's folder in `collected/ASSIGNMENT/`.
    """

    def __init__(self, folder: Path):
        self.folder = folder

    def all(self) -> list[Copy]:
        """The copies, in the order of collecting."""
        found = [path for path in self.folder.glob("*/") if path.name.isdecimal()]
        return [
            Copy(int(path.name), path, _time_of(path))
            for path in sorted(found, key=lambda path: int(path.name))
        ]

    def add(self, files: Path, time: datetime | None, is_late: bool) -> bool:
        """Keep a copy; return whether it is another one than the last.

        The last copy once more is not kept again, but gets the new time, unless it is late now and
        was not before: then the student handed in the same files once more.

        Args:
            files: a folder with the files, without a time.
            is_late: whether the time is after the due date, and the last copy's is not.
        """
        before = self.all()
        if before and not is_late and contents(before[-1].folder) == contents(files):
            if before[-1].time != time:
                write_time(before[-1].folder, time)
            return False
        number = before[-1].number + 1 if before else 1
        write_time(files, time)
        copy_atomically(files, self.folder / str(number))
        return True

    def mine(self) -> dict[int, Path]:
        """The instructor's versions by number, the newest first."""
        found = {
            int(path.name[len(MINE) :]): path
            for path in self.folder.glob(f"{MINE}*/")
            if path.name[len(MINE) :].isdecimal()
        }
        return dict(sorted(found.items(), reverse=True))

    def put_away(self, submitted: Path) -> Path:
        """Move what is in `submitted/` to a new folder here."""
        target = self.folder / f"{MINE}{max(self.mine(), default=0) + 1}"
        target.parent.mkdir(parents=True, exist_ok=True)
        os.rename(submitted, target)
        return target


@held()
def place(folder: Path, submitted: Path, copies: Copies, keep: bool) -> Path | None:
    """Put a copy into `submitted/`; return where what was there is now, if it is kept.

    Args:
        folder: the copy.
        keep: whether to keep what was there.
    """
    submitted.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=submitted.parent, prefix=SCRATCH) as scratch:
        new, old, kept = Path(scratch, "new"), Path(scratch, "old"), None
        shutil.copytree(folder, new)
        if os.path.lexists(submitted):
            if keep:
                kept = copies.put_away(submitted)
            else:
                os.rename(submitted, old)
        os.rename(new, submitted)
    return kept


def write_files(files: Sequence[tuple[str, Path]], folder: Path) -> list[str]:
    """Copy files into a folder under names that can be kept; return what is wrong with the others.

    Of files with the same name, the first keeps it and the others get a number.
    """
    lost, used = [], set()
    for name, place in files:
        kept, times = _name_to_keep(name), 1
        path = PurePosixPath(kept)
        while kept.casefold() in used:
            times += 1
            kept = str(path.with_name(f"{path.stem} ({times}){path.suffix}"))
        used.add(kept.casefold())
        target = folder / kept
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(place, target)
        except (OSError, ValueError) as error:
            if is_fault(error):
                raise
            said = getattr(error, "strerror", None) or error
            lost.append(f"{name}, which has a name that cannot be kept ({said})")
    return lost


def _name_to_keep(name: str) -> str:
    """A path that stays within the folder, is seen by grading, and is none of nbgrader's files."""
    parts = [part for part in name.split("/") if part not in ("", ".", "..")] or ["_"]
    if len(parts) == 1 and parts[0] in OWN_FILES:
        parts[0] = f"_{parts[0]}"
    return "/".join(
        f"_{part}" if part.startswith(".") and part != CHECKPOINTS else part for part in parts
    )


def contents(folder: Path) -> Mapping[str, str] | None:
    """What a folder holds besides nbgrader's files: a digest by path; None without the folder.

    What grading does not read is left out, such as the checkpoints that JupyterLab makes.
    """
    if folder.is_symlink() or not folder.is_dir():
        return None
    found = {}
    for path in folder.rglob("*"):
        inner = path.relative_to(folder)
        if any(part.startswith(".") or part == BYTE_CODE for part in inner.parts):
            continue
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            found[str(inner)] = "no plain file"
        elif path.is_file() and str(inner) not in OWN_FILES:
            with path.open("rb") as file:
                found[str(inner)] = hashlib.file_digest(file, "sha256").hexdigest()
    return found


def same_time(one: Path, other: Path) -> bool:
    """Whether two copies say that they were handed in at the same time."""
    return _time_text(one) == _time_text(other)


def write_time(folder: Path, time: datetime | None) -> None:
    """Write, or take away, the time of handing in."""
    if time is None:
        (folder / TIMESTAMP).unlink(missing_ok=True)
    else:
        write_text(folder / TIMESTAMP, f"{time.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC\n")


def _time_of(folder: Path) -> datetime | None:
    try:
        return read_moment(_time_text(folder), UTC)
    except TimeError:
        return None


def _time_text(folder: Path) -> str:
    try:
        return (folder / TIMESTAMP).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""
