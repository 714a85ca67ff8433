"""Inspect a submission before grading, and set it aside, with a reason, if it cannot be graded.

This happens before nbgrader reads the submission, and runs no code of it. So a broken submission
changes nothing and does not stop the others.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from headway.grading.digests import digest_of
from headway.grading.intake.folder import read_folder
from headway.grading.intake.submitted_cells import SetAside
from headway.grading.intake.which_notebook import NOTEBOOK, find_notebook
from headway.grading.intake.without_outputs import without_outputs
from headway.grading.times import UnknownZoneError, read_moment

__all__ = ["NOTEBOOK", "Missing", "SetAside", "Snapshot", "digest_of_folder", "take_snapshot"]

# nbgrader reads a student's name as a file pattern, and writes it into paths and tables. Email
# addresses, which are ids in Moodle, may contain an apostrophe.
PLAIN_NAME = re.compile(r"\w([\w .@+'-]*[\w.@+-])?")
MAX_KEPT = 50_000_000  # bytes that are passed on to grading
# Those of them that nbgrader's exchange recognizes as notebooks.
EXCHANGED = re.compile(r"([^/]+)\.ipynb")
TIMESTAMP, SECRET = "timestamp.txt", "submission_secret.txt"  # nbgrader's own files
# The date parser would open a time zone that is a path as a file.
PATH = re.compile(r"(?<!\w)/|/(?!\w)")


class Missing(Exception):  # noqa: N818 - an outcome, not a fault
    """Nothing was handed in; the message says so."""


@dataclass(frozen=True)
class Snapshot:
    """The complete content of a submission at one moment.

    Args:
        notebook: the notebook file to repair and run, without its outputs.
        files: the student's other files: contents by relative path with "/".
        digest: hexadecimal digest of all names and contents, including the timestamp.
        timestamp: when it was handed in, with a time zone; None if that is not known.
        notes: sentences on problems that were repaired.
        renamed: the submitted notebook's name, without extension, if it is not the right one;
            nbgrader's exchange looks for the feedback under this name.
    """

    notebook: bytes
    files: dict[str, bytes]
    digest: str
    timestamp: datetime | None = None
    notes: tuple[str, ...] = ()
    renamed: str = ""


def take_snapshot(folder: Path, assignment: str, student: str) -> Snapshot:
    """Read what a student handed in.

    Args:
        folder: the student's folder for the assignment.
        assignment: "01-one-hot", which is also the notebook's name.
        student: the student's id.

    Raises:
        SetAside: if a person must look at it before it can be graded.
        Missing: if there is nothing.
    """
    if problem := _problem_with_name(student):
        raise SetAside(problem)
    try:
        files = read_folder(folder)
    except FileNotFoundError as error:
        raise Missing("Nothing was handed in.") from error
    except OSError as error:
        raise SetAside(f"{folder.name} cannot be read: {error.strerror}.") from error
    digest = _digest(files)
    timestamp = _timestamp(files.pop(TIMESTAMP, b""))
    name, notes, renamed = f"{assignment}.ipynb", (), ""
    raw = files.get(name)
    if raw is None:
        if os.path.lexists(folder / name):
            raise SetAside(f"{name} is a folder. Expected the notebook itself.")
        theirs = {path: content for path, content in files.items() if path != SECRET}
        if not theirs:
            raise Missing("Nothing was handed in. The folder is empty.")
        path, raw, notes = find_notebook(theirs, name)
        exchanged = EXCHANGED.fullmatch(path)
        renamed = exchanged[1] if exchanged else ""
    rest = {path: content for path, content in files.items() if not NOTEBOOK.fullmatch(path)}
    notebook = without_outputs(raw)
    if len(notebook) + sum(map(len, rest.values())) > MAX_KEPT:
        raise SetAside(
            f"Without the notebook's outputs, the folder holds more than {MAX_KEPT / 1e6:.0f} MB. "
            "Expected the notebook and little else."
        )
    return Snapshot(notebook, rest, digest, timestamp, notes, renamed)


def digest_of_folder(folder: Path) -> str:
    """The digest that a snapshot of a folder has; raises as `read_folder`."""
    return _digest(read_folder(folder))


def _digest(files: Mapping[str, bytes]) -> str:
    return digest_of(part for path, content in files.items() for part in (path.encode(), content))


def _timestamp(content: bytes) -> datetime | None:
    """The time in nbgrader's timestamp.txt; None if it is empty."""
    try:
        text = content[:200].decode("utf-8").strip()
        if not text:
            return None
        if PATH.search(text):
            raise ValueError
        moment = read_moment(text, UTC).astimezone(UTC)
    except UnknownZoneError as error:
        raise SetAside(f"{TIMESTAMP}: {error}") from error
    except Exception as error:  # not text, not a date, out of range, and others
        raise SetAside(
            f"{TIMESTAMP} holds no date and time. Expected one like 2026-03-31 12:00:00 UTC; "
            "correct it, or delete the file."
        ) from error
    if moment > datetime.now(UTC) + timedelta(days=1):
        raise SetAside(
            f"{TIMESTAMP} says {moment:%Y-%m-%d %H:%M} UTC, which is in the future. Correct it "
            "or delete the file; if it is right, set this machine's clock."
        )
    return moment


def _problem_with_name(student: str) -> str | None:
    if PLAIN_NAME.fullmatch(student):
        return None
    return (
        f"The folder's name {student!r} is no student's name: expected letters, digits, "
        "and . _ - @ + ', or spaces between them. Rename the folder."
    )
