"""The state of each submission, on disk, so that a run can be stopped at any moment.

    DIR/.headway/ASSIGNMENT/journal/STUDENT.json    the result, and what decided it
    DIR/.headway/ASSIGNMENT/sheets/STUDENT.ipynb    graded, but not yet in the gradebook
    DIR/.headway/ASSIGNMENT/run.json                the seed of an unfinished run

Files are replaced atomically. An unreadable file counts as missing: the submission is graded again
and gets the same score, which depends only on the submission and the seed.
"""

import hashlib
import json
import secrets
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from headway.grading.digests import text_digest
from headway.grading.files import write_text
from headway.grading.intake.submission import PLAIN_NAME
from headway.grading.notebooks.task_result import TaskResult
from headway.grading.stored import read_as

SEED_BITS = 62
DROPPED = ("number", "page")  # fields of earlier versions


@dataclass(frozen=True)
class CurrentScore:
    """A student's score for an assignment, and what decides it.

    Attributes:
        score: the final score, less the penalty.
        penalty: the late penalty.
        rests_on: digests or short texts of all that decides both, by the names in
            `headway.grading.score_changes.CAUSES`.
        when: date and time of the score; empty if that is now.
    """

    score: float
    penalty: float
    rests_on: dict[str, str]
    when: str = ""


@dataclass(frozen=True)
class EarlierScore:
    """A score that another one has replaced, and why."""

    when: str
    score: float
    why: str
    penalty: float = 0.0


@dataclass(frozen=True)
class NotedPoints:
    """Points by hand for a cell; see `headway.grading.hand_points`.

    Attributes:
        manual: the score in place of the automatic one; None if there is none.
        extra: extra credit.
        answer: a digest of the answer that they were given for.
        when: when that answer was graded.
    """

    manual: float | None
    extra: float
    answer: str
    when: str


@dataclass(frozen=True)
class Entry:
    """The state of a student's submission, as it is stored.

    A new field needs a default, which entries of earlier versions get.

    Attributes:
        status: "graded", "set-aside" or "missing".
        key: digests of all that decides the result, by name: "submission", "assignment", "tasks".
        seed: seed of the hidden cases.
        reason: why it was not graded.
        seconds: how long grading took.
        tasks: results by task id.
        notes: sentences on repairs and other remarks.
        recorded: whether it is in the gradebook.
        when: date and time of grading.
        sheet: digest of the graded notebook in `sheets/` that is not recorded yet.
        earlier: earlier scores, oldest first.
        current: the current score; None before it is recorded.
        by_hand: points by hand, by grade_id.
    """

    status: Literal["graded", "set-aside", "missing"]
    key: dict[str, str] = field(default_factory=dict)
    seed: int = 0
    reason: str | None = None
    seconds: float = 0.0
    tasks: dict[str, TaskResult] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    recorded: bool = False
    when: str = ""
    sheet: str = ""
    earlier: tuple[EarlierScore, ...] = ()
    current: CurrentScore | None = None
    by_hand: dict[str, NotedPoints] = field(default_factory=dict)


class Journal:
    """The entries of an assignment.

    Args:
        folder: `DIR/.headway/ASSIGNMENT`.
    """

    def __init__(self, folder: Path):
        self._folder = folder
        for name in ("journal", "sheets"):
            (folder / name).mkdir(parents=True, exist_ok=True)

    def seed(self) -> int:
        """The seed of this run: a new one, or that of an earlier run that was stopped."""
        path = self._folder / "run.json"
        try:
            seed = json.loads(path.read_text(encoding="utf-8"))["seed"]
            if type(seed) is int and 0 < seed < 1 << SEED_BITS:
                return seed
        except (OSError, ValueError, KeyError, TypeError):
            pass
        seed = secrets.randbits(SEED_BITS - 1) + 1
        write_text(path, json.dumps({"seed": seed}))
        path.chmod(0o600)
        return seed

    def end(self) -> None:
        """End the run, so that later submissions get other hidden cases."""
        (self._folder / "run.json").unlink(missing_ok=True)

    def read(self, student: str) -> Entry | None:
        """A student's entry; None if it is missing or unreadable."""
        try:
            data = json.loads(self._entry_path(student).read_text(encoding="utf-8"))
            return read_as(Entry, _under_todays_names(data))
        except (OSError, ValueError, TypeError, AttributeError):
            return None

    def write(self, student: str, entry: Entry, graded_notebook: str | None = None) -> None:
        """Store an entry, and the graded notebook until `mark_recorded`."""
        if graded_notebook is not None:
            write_text(self._notebook_path(student), graded_notebook)
            entry = replace(entry, sheet=text_digest(graded_notebook))
        write_text(self._entry_path(student), json.dumps(vars(entry), default=vars))

    def unrecorded_notebook(self, student: str) -> str | None:
        """The graded notebook that is not recorded yet; None if it is missing or damaged."""
        entry = self.read(student)
        try:
            graded_notebook = self._notebook_path(student).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return None
        whole = entry and entry.sheet == text_digest(graded_notebook)
        return graded_notebook if whole else None

    def mark_recorded(self, student: str, entry: Entry) -> Entry:
        """Mark an entry as recorded in the gradebook."""
        entry = replace(entry, recorded=True, sheet="")
        self.write(student, entry)
        self._notebook_path(student).unlink(missing_ok=True)
        return entry

    def _entry_path(self, student: str) -> Path:
        return self._folder / "journal" / f"{_file_name(student)}.json"

    def _notebook_path(self, student: str) -> Path:
        return self._folder / "sheets" / f"{_file_name(student)}.ipynb"


def _under_todays_names(data: dict[str, Any]) -> dict[str, Any]:
    """An entry's data, where those of an earlier version have other names."""
    data = {name: part for name, part in data.items() if name not in DROPPED}
    if "history" in data:
        data["earlier"] = data.pop("history")
    if "standing" in data:
        data["current"] = data.pop("standing") or None
    return data


def _file_name(student: str) -> str:
    """The student's name if it is plain, otherwise a hash, since folder names can be anything."""
    if PLAIN_NAME.fullmatch(student) and len(student.encode(errors="surrogateescape")) < 100:
        return student
    return "-" + hashlib.sha256(student.encode(errors="surrogateescape")).hexdigest()
