"""A record of the checks that a student has run, kept only by those who want it.

    tries.csv, beside the notebook:
    when,task,status,points,mistake,answer
    2026-11-03T14:05Z,01-one-hot/lookup,failed,0,negative-wraps,5f0c2a91

That the file is there is the student's consent: `headway tries on` makes it, a check adds a line to
it, and nothing makes it but that. Who deletes it has deleted the record and ended it. Its last
column tells answers apart and not what they are, so that a check of an answer that has not changed
is no new try.
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
MOST_BYTES = 500_000  # of the file; then it is full
DIGITS = 8
MOST_LINES = 20_000
CHECKED = ("passed", "partial", "failed")


@dataclass(frozen=True)
class Tries:
    """How often a task was tried.

    Attributes:
        count: checks of an answer, up to the first that was passed.
        passed: whether one was.
    """

    count: int
    passed: bool


def are_recorded(folder: Path = Path()) -> bool:
    """Whether there is a record in a folder, and no program of nbgrader's runs the notebook."""
    return "NBGRADER_EXECUTION" not in os.environ and (folder / FILE).is_file()


def begin(folder: Path) -> bool:
    """Begin a record in a folder; False if there is one."""
    try:
        with (folder / FILE).open("x", encoding="utf-8", newline="") as file:
            csv.writer(file).writerow(COLUMNS)
    except FileExistsError:
        return False
    return True


def end(folder: Path) -> bool:
    """Delete the record of a folder; False if there is none."""
    try:
        (folder / FILE).unlink()
    except FileNotFoundError:
        return False
    return True


def add(verdict: Verdict, source: str, folder: Path = Path()) -> None:
    """Add a check to the record of a folder. What goes wrong with it is no trouble of the check's.

    Args:
        source: of the answer; empty where it is not known.
        folder: in which the notebook runs.
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
    # Neither made here nor reached by a link: the file is the consent.
    flags = os.O_RDWR | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
    with open(os.open(path, flags), "r+", encoding="utf-8", newline="") as file:
        if os.fstat(file.fileno()).st_size > MOST_BYTES:
            return
        of_task = [line for line in csv.reader(file) if len(line) == len(row) and line[1] == row[1]]
        if not (of_task and row[-1] and of_task[-1][2:] == row[2:]):
            csv.writer(file).writerow(row)


def count_tries(text: str, assignment: str) -> dict[str, Tries]:
    """How often each task of an assignment was tried, by the text of a record, of whomever.

    Whatever is no line of such a record is passed over.
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
    """The task and the status of each line, read alone, so that no quote swallows others."""
    for line in lines:
        try:
            cells = next(csv.reader(StringIO(line)), [])
        except csv.Error:
            continue
        if len(cells) == len(COLUMNS):
            yield cells[1], cells[2]
