"""An optional record of the checks that a student has run.

    tries.csv, in the notebook's folder:
    when,task,status,points,mistake,answer
    2026-11-03T14:05Z,01-one-hot/lookup,failed,0,negative-wraps,5f0c2a91

The file exists only with the student's consent: only `headway tries on` creates it, and a check
adds a line to an existing file. Deleting the file deletes the record and ends the recording. The
last column is a hash of the answer, so that checking an unchanged answer again is not a new try.
"""

import csv
import hashlib
import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path

from headway.tasks.engine.find import UnknownTaskError, tasks_of
from headway.tasks.engine.verdict import Verdict

FILE = "tries.csv"
COLUMNS = ("when", "task", "status", "points", "mistake", "answer")
MOST_BYTES = 500_000  # a larger file gets no more lines
DIGITS = 8
MOST_LINES = 20_000
CHECKED = ("passed", "partial", "failed")


@dataclass(frozen=True)
class Tries:
    """How often a task was tried.

    Attributes:
        count: number of checks, up to the first that passed.
        passed: whether a check passed.
    """

    count: int
    passed: bool


def are_recorded(folder: Path = Path()) -> bool:
    """Whether a folder has a record, and the notebook is not run by nbgrader."""
    return "NBGRADER_EXECUTION" not in os.environ and (folder / FILE).is_file()


def begin(folder: Path) -> bool:
    """Begin a record in a folder; False if it has one already."""
    try:
        with (folder / FILE).open("x", encoding="utf-8", newline="") as file:
            csv.writer(file).writerow(COLUMNS)
    except FileExistsError:
        return False
    return True


def end(folder: Path) -> bool:
    """Delete a folder's record; False if there is none."""
    try:
        (folder / FILE).unlink()
    except FileNotFoundError:
        return False
    return True


def add(verdict: Verdict, source: str, folder: Path = Path()) -> None:
    """Add a check to the record of a folder. File errors are ignored, so the check goes on.

    Args:
        source: code of the answer; empty if it is not known.
        folder: the notebook's working directory.
    """
    if verdict.status == "untouched":
        return
    with suppress(OSError, UnicodeError, csv.Error):
        _add(folder / FILE, _row(verdict, source))


def _row(verdict: Verdict, source: str) -> list[str]:
    text = "".join(source.split())
    return [
        f"{datetime.now(UTC):%Y-%m-%dT%H:%MZ}",
        verdict.task.id,
        verdict.status,
        f"{verdict.score:g}",
        verdict.misconception.name if verdict.misconception else "",
        hashlib.sha256(text.encode()).hexdigest()[:DIGITS] if text else "",
    ]


def _add(path: Path, row: list[str]) -> None:
    # No O_CREAT and no links: only a file that the student created is consent.
    flags = os.O_RDWR | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
    with open(os.open(path, flags), "r+", encoding="utf-8", newline="") as file:
        if os.fstat(file.fileno()).st_size > MOST_BYTES:
            return
        of_task = [line for line in csv.reader(file) if len(line) == len(row) and line[1] == row[1]]
        if not (of_task and row[-1] and of_task[-1][2:] == row[2:]):
            csv.writer(file).writerow(row)


def count_tries(text: str, assignment: str) -> dict[str, Tries]:
    """How often each task of an assignment was tried, read from a record's untrusted text.

    Malformed lines are skipped.
    """
    try:
        known = {task.id for task in tasks_of(assignment)}
    except UnknownTaskError:
        return {}
    found: dict[str, Tries] = {}
    for task_id, status in _lines(text.splitlines()[:MOST_LINES]):
        before = found.get(task_id, Tries(0, False))
        if task_id in known and status in CHECKED and not before.passed:
            found[task_id] = Tries(before.count + 1, status == "passed")
    return found


def _lines(lines: list[str]) -> Iterable[tuple[str, str]]:
    """The task and status of each line, parsed singly, so that a quote affects only its line."""
    for line in lines:
        try:
            cells = next(csv.reader(StringIO(line)), [])
        except csv.Error:
            continue
        if len(cells) == len(COLUMNS):
            yield cells[1], cells[2]
