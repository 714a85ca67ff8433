"""Reading the record of checks that a student may have handed in: a stranger's text.

Whatever is no line of such a record is passed over. The record says what its author lets it say.
"""

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from headway.grading.intake.folder import read_file
from headway.grading.intake.submitted_cells import SetAside
from headway.tasks.engine.find import UnknownTaskError, tasks_of
from headway.tasks.engine.tries import COLUMNS, FILE, MOST_BYTES

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


def read_tries(folder: Path, assignment: str) -> dict[str, Tries]:
    """How often each task was tried by the record in a submission; empty without one.

    Args:
        folder: the student's folder for the assignment.
        assignment: "01-one-hot".
    """
    try:
        text = read_file(folder, FILE, MOST_BYTES * 2).decode("utf-8", errors="replace")
    except (OSError, SetAside):
        return {}
    return count_tries(text, assignment)


def count_tries(text: str, assignment: str) -> dict[str, Tries]:
    """The same for the text of a record."""
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
