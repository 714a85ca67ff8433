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
from typing import Any

from headway.grading.digests import text_digest
from headway.grading.files import write_text
from headway.grading.intake.submission import PLAIN_NAME
from headway.grading.notebooks.verdicts import TaskResult

SEED_BITS = 62
NUMBER, TEXT_OR_NONE = (int, float), (str, type(None))
FORM = {
    "status": str,
    "key": dict,
    "seed": int,
    "reason": TEXT_OR_NONE,
    "seconds": NUMBER,
    "tasks": dict,
    "notes": list,
    "recorded": bool,
    "when": str,
    "sheet": str,
    "history": list,
    "standing": dict,
    "by_hand": dict,
}
TASK = {
    "status": str,
    "score": NUMBER,
    "max": NUMBER,
    "misconception": TEXT_OR_NONE,
    "reason": TEXT_OR_NONE,
    "measured": dict,
    "listed_as": str,
}
FIGURES = {"measured": {}, "listed_as": ""}  # only for tasks with a leaderboard
STATUSES = ("graded", "set-aside", "missing")
STEP = {"when": str, "score": NUMBER, "why": str, "penalty": NUMBER}
STANDING = {"when": str, "score": NUMBER, "penalty": NUMBER, "rests_on": dict}

BY_HAND = {"manual": (*NUMBER, type(None)), "extra": NUMBER, "answer": str, "when": str}


@dataclass(frozen=True)
class Entry:
    """The state of a student's submission.

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
        history: earlier scores, oldest first: {"when", "score", "penalty", "why"}, where "why" is
            the cause of the next one.
        standing: the current score, {"when", "score", "penalty", "rests_on"}; see
            `headway.grading.history`. Empty before it is recorded.
        by_hand: points by hand, by grade_id: {"manual", "extra", "answer", "when"}, with a digest
            of the answer that they were given for, and when that was graded; see
            `headway.grading.hand_points`.
    """

    status: str
    key: dict[str, str] = field(default_factory=dict)
    seed: int = 0
    reason: str | None = None
    seconds: float = 0.0
    tasks: dict[str, TaskResult] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    recorded: bool = False
    when: str = ""
    sheet: str = ""
    history: tuple[dict[str, Any], ...] = ()
    standing: dict[str, Any] = field(default_factory=dict)
    by_hand: dict[str, Any] = field(default_factory=dict)


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
            return _entry_of(data)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
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


def _entry_of(data: dict[str, Any]) -> Entry:
    """The entry in JSON data; raises TypeError or another exception if they are invalid."""
    data = {"standing": {}, "by_hand": {}} | data  # missing in journals of earlier versions
    for name in ("number", "page"):  # only in journals of earlier versions
        data.pop(name, None)
    _require(data, FORM)
    if data["status"] not in STATUSES:
        raise TypeError(f"status is {data['status']!r:.40}.")
    for task in data["tasks"].values():
        _require(FIGURES | task, TASK)
    for step in data["history"]:
        _require({"penalty": 0.0} | step, STEP)
    if data["standing"]:
        _require(data["standing"], STANDING)
    for given in data["by_hand"].values():
        _require(given, BY_HAND)
    _require(dict(enumerate(data["notes"])), dict.fromkeys(range(len(data["notes"])), str))
    tasks = {task_id: TaskResult(**task) for task_id, task in data["tasks"].items()}
    lists = {name: tuple(data[name]) for name in ("notes", "history")}
    return Entry(**data | lists | {"tasks": tasks})


def _require(data: dict, form: dict[Any, type | tuple[type, ...]]) -> None:
    if data.keys() != form.keys():
        raise TypeError(f"Expected {', '.join(form)}.")
    for name, kind in form.items():
        if type(data[name]) not in (kind if isinstance(kind, tuple) else (kind,)):
            raise TypeError(f"{name} is {data[name]!r:.40}.")


def _file_name(student: str) -> str:
    """The student's name if it is plain, otherwise a hash, since folder names can be anything."""
    if PLAIN_NAME.fullmatch(student) and len(student.encode(errors="surrogateescape")) < 100:
        return student
    return "-" + hashlib.sha256(student.encode(errors="surrogateescape")).hexdigest()
