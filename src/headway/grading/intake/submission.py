"""Looking a submission over before it is graded: what cannot be graded is set aside, with a reason.

Nothing of the submission is executed here, and nbgrader has not seen it yet, so that a broken one
changes nothing and stops nobody else's.
"""

import os
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from headway.grading.digests import digest_of
from headway.grading.intake.folder import read_folder
from headway.grading.intake.submitted_cells import SetAside
from headway.grading.intake.without_outputs import without_outputs
from headway.grading.times import UnknownZoneError, read_moment

__all__ = ["Missing", "SetAside", "Snapshot", "take_snapshot"]

# nbgrader reads a student's name as a pattern of file names and writes it into paths and tables. An
# apostrophe stands in addresses of mail, which are ids with Moodle.
PLAIN_NAME = re.compile(r"\w([\w .@+'-]*[\w.@+-])?")
MAX_KEPT = 50_000_000  # bytes that go on from here
# Browsers add the second ending to files that they take for text.
NOTEBOOK = re.compile(r".*\.ipynb(\.txt|\.json)?", re.IGNORECASE)
# Of those, the ones that nbgrader's exchange takes for notebooks.
EXCHANGED = re.compile(r"([^/]+)\.ipynb")
TIMESTAMP = "timestamp.txt"
# The parser takes a time zone that is a path for a file, and would open it.
PATH = re.compile(r"(?<!\w)/|/(?!\w)")


class Missing(Exception):  # noqa: N818 - an outcome, not a fault
    """Nothing was handed in that could be a notebook; the message says what is there instead."""


@dataclass(frozen=True)
class Snapshot:
    """A submission as it was at one moment, read whole.

    Args:
        notebook: the file that will be repaired and run, without its outputs.
        files: the student's other files, contents by relative path with "/".
        digest: of all names and contents, the timestamp's among them; hexadecimal.
        timestamp: when it was handed in, if that is known; with a time zone.
        notes: sentences on what was amiss but could be put right.
        renamed: the name, without its extension, under which the notebook was handed in, where that
            is another than its own; nbgrader's exchange looks for the feedback under it.
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
        assignment: "01-one-hot"; the notebook has its name.
        student: the student's id.

    Raises:
        SetAside: if it cannot be graded before a person has looked at it.
        Missing: if there is no notebook.
    """
    if problem := _problem_with_name(student):
        raise SetAside(problem)
    try:
        files = read_folder(folder)
    except FileNotFoundError as error:
        raise Missing("Nothing was handed in.") from error
    except OSError as error:
        raise SetAside(f"{folder.name} cannot be read: {error.strerror}.") from error
    parts = (part for path, content in files.items() for part in (path.encode(), content))
    digest = digest_of(parts)
    timestamp = _timestamp(files.pop(TIMESTAMP, b""))
    name, notes, renamed = f"{assignment}.ipynb", (), ""
    if name not in files:
        if os.path.lexists(folder / name):
            raise SetAside(f"{name} is a folder. Expected the notebook itself.")
        name, notes = _other_notebook(list(files), name)
        exchanged = EXCHANGED.fullmatch(name)
        renamed = exchanged[1] if exchanged else ""
    rest = {path: content for path, content in files.items() if not NOTEBOOK.fullmatch(path)}
    notebook = without_outputs(files[name])
    if len(notebook) + sum(map(len, rest.values())) > MAX_KEPT:
        raise SetAside(
            f"Without the notebook's outputs, the folder holds more than {MAX_KEPT / 1e6:.0f} MB. "
            "Expected the notebook and little else."
        )
    return Snapshot(notebook, rest, digest, timestamp, notes, renamed)


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
    except Exception as error:  # dates fail in many ways: not text, no date, out of range
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


def _other_notebook(paths: list[str], name: str) -> tuple[str, tuple[str, ...]]:
    """The one notebook that was handed in under another name, and the note that it was."""
    candidates = [path for path in paths if NOTEBOOK.fullmatch(path)]
    if not candidates:
        holds = f"The folder holds: {', '.join(paths[:5])}." if paths else "The folder is empty."
        raise Missing(f"There is no {name}. {holds}")
    if len(candidates) > 1:
        raise SetAside(
            f"There is no {name}, but several other notebooks: {', '.join(candidates[:5])}. "
            "Rename the right one."
        )
    return candidates[0], (f"{candidates[0]} was taken for {name}.",)


def _problem_with_name(student: str) -> str | None:
    if PLAIN_NAME.fullmatch(student):
        return None
    return (
        f"The folder's name {student!r} is no student's name: expected letters, digits, "
        "and . _ - @ + ', or spaces between them. Rename the folder."
    )
