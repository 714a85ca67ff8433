"""A folder with safe copies of the submissions, for nbgrader's converters.

nbgrader copies and parses its folder of submissions before it calls any plug-in. So it gets
another folder of the same structure, with plain files that we wrote: the notebook under its right
name, the student's other files, and the submission time.
"""

import re
from pathlib import Path

from headway.grading.intake.submission import PLAIN_NAME, TIMESTAMP, Snapshot

# Suffixes of files that are copied. All files end up next to nbgrader's feedback page, where a
# browser may open them, so there is nothing that a browser would run. Python files get a further
# suffix: a kernel that is started there would run an `importlib.py` before any cell.
KEPT = frozenset(
    (
        *(".csv", ".tsv", ".txt", ".md", ".json", ".jsonl", ".toml", ".yaml", ".yml", ".log"),
        *(".py", ".npy", ".npz", ".pt", ".pth", ".safetensors", ".bin", ".dat"),
        *(".png", ".jpg", ".jpeg", ".gif", ".webp"),
    )
)
PLAIN = re.compile(r"[\w .@+'-]")
LONGEST_ESCAPED = 100  # characters of an escaped name


class StagingFolder:
    """The folder with safe copies.

    Args:
        folder: its path; must be empty.
    """

    def __init__(self, folder: Path):
        self.folder = folder

    def put(self, student: str, assignment: str, snapshot: Snapshot, notebook: bytes) -> None:
        """Add a submission: its notebook, and its other files with the suffixes in `KEPT`.

        Args:
            notebook: content that replaces the submitted notebook.
        """
        place = self.folder / student / assignment
        place.mkdir(parents=True)
        for path, content in snapshot.files.items():
            if _is_kept(*path.split("/")):
                file = place / _name_of_text(path)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content)
        if snapshot.timestamp:
            moment = snapshot.timestamp.replace(tzinfo=None)
            text = f"{moment.isoformat(' ', 'microseconds')} UTC"
            (place / TIMESTAMP).write_text(text, encoding="utf-8")
        (place / f"{assignment}.ipynb").write_bytes(notebook)


def shown_name(student: str) -> str:
    """A student's name for nbgrader, with unusual characters escaped.

    nbgrader's patterns stop at a line break and read `*` as everybody, and nbgrader writes names
    into pages and to the terminal unchanged. A student with such a name is set aside, and reported
    under the escaped name. It is cut if it is too long for a folder, and then ends in a backslash,
    so that it is never a valid name.
    """
    if PLAIN_NAME.fullmatch(student):
        return student
    shown = "".join(c if PLAIN.fullmatch(c) else _escape(c) for c in student)
    return shown if len(shown) <= LONGEST_ESCAPED else f"{shown[: LONGEST_ESCAPED - 1]}\\"


def _escape(character: str) -> str:
    written = character.encode("unicode_escape").decode()
    return f"\\x{ord(character):02x}" if written == character else written


def _name_of_text(path: str) -> str:
    return f"{path}.txt" if path.lower().endswith(".py") else path


def _is_kept(*parts: str) -> bool:
    """Whether a file is copied. nbgrader fails on folders with names such as `timestamp.txt`."""
    *folders, name = parts
    plain = not any("." in folder for folder in folders)
    return plain and name != TIMESTAMP and Path(name).suffix.lower() in KEPT
