"""Looking a submission over before it is graded: what cannot be graded is set aside, with a reason.

Nothing of the submission is executed here, and nbgrader has not seen it yet, so that a broken one
changes nothing and stops nobody else's.
"""

import math
import re
import stat
from pathlib import Path

from nbgrader.utils import parse_utc

from headway.errors import UserError
from headway.grading.notebook import read_notebook

MAX_FOLDER_BYTES = 50_000_000
# nbgrader reads a student's name as a pattern of file names and writes it into paths and tables.
PLAIN_NAME = re.compile(r"\w[\w .@+-]*")


def problem_with(student: str, folder: Path, assignment: str) -> str | None:
    """A sentence on why a submission cannot be graded; None if it can be tried."""
    if not PLAIN_NAME.fullmatch(student):
        return (
            f"The folder's name {student!r} is no student's name: expected letters, digits, "
            "spaces and . _ - @ +. Rename the folder."
        )
    return (
        _problem_with_files(folder)
        or _problem_with_timestamp(folder / "timestamp.txt")
        or _problem_with_notebook(folder, assignment)
    )


def _problem_with_files(folder: Path) -> str | None:
    if folder.is_symlink() or not folder.is_dir():
        return f"{folder.name} is not a folder. Expected a folder with the notebook in it."
    size = 0
    for path in folder.rglob("*"):
        mode = path.lstat().st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            kind = "a link" if stat.S_ISLNK(mode) else "no plain file"
            return f"{path.relative_to(folder)} is {kind}. Expected the file itself."
        size += path.lstat().st_size
    if size > MAX_FOLDER_BYTES:
        return (
            f"The folder holds {size / 1e6:.0f} MB, more than {MAX_FOLDER_BYTES / 1e6:.0f} MB. "
            "Expected the notebook and little else."
        )
    return None


def _problem_with_timestamp(path: Path) -> str | None:
    if not path.exists():
        return None
    try:
        text = path.read_text(encoding="utf-8").strip()
        if text:
            parse_utc(text)
    except Exception:  # dates fail in many ways: not text, no date, out of range, a folder
        return (
            f"{path.name} holds no date and time. Expected one like 2026-03-31 12:00:00 UTC; "
            "correct it, or delete the file."
        )
    return None


def _problem_with_notebook(folder: Path, assignment: str) -> str | None:
    path = folder / f"{assignment}.ipynb"
    if not path.exists():
        others = sorted(p.name for p in folder.iterdir() if not p.name.startswith("."))
        holds = f"The folder holds: {', '.join(others[:5])}." if others else "The folder is empty."
        return f"There is no {path.name}. {holds}"
    try:
        notebook = read_notebook(path)
    except (UserError, PermissionError) as error:
        return str(error).replace(str(path), path.name)
    seen = set()
    for number, cell in enumerate(notebook.cells, 1):
        marks = cell.metadata.get("nbgrader", {})
        if not isinstance(marks, dict):
            return f"Cell {number} carries damaged nbgrader data. Start from a fresh copy."
        points = marks.get("points", 0)
        if type(points) not in (int, float) or not 0 <= points < math.inf:
            return (
                f"Cell {number} carries {points!r:.40} as its nbgrader points. Expected a number; "
                "start from a fresh copy."
            )
        name = marks.get("grade_id")
        if name is None and any(marks.get(kind) for kind in ("grade", "solution", "locked")):
            return (
                f"Cell {number} is marked for nbgrader but has no nbgrader id. "
                "Delete the cell, or start from a fresh copy."
            )
        if name is None:
            continue
        if not isinstance(name, str):
            return f"Cell {number} carries a damaged nbgrader id. Start from a fresh copy."
        if name in seen:
            return f"The cell {name!r} stands in the notebook twice. Delete one of the two."
        seen.add(name)
    if not seen:
        return f"{path.name} has none of the assignment's cells. Start from a fresh copy."
    return None
