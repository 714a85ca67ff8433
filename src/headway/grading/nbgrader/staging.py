"""A folder of submissions that nbgrader's converters may touch: made by us, of plain files.

nbgrader copies and parses what stands in its folder of submissions before any plug-in is asked. So
it gets another folder, of the same form, that holds what was read from the real one: the notebook
under its right name, the student's other files, and the time of handing in.
"""

import re
from pathlib import Path

from headway.grading.intake.submission import PLAIN_NAME, TIMESTAMP, Snapshot

# All files end up beside the page that nbgrader writes, and a browser may open them from there: so
# data, text and pictures, and nothing that a browser would run. nbgrader also takes some names for
# its own, and fails on a folder of such a name. Whoever opens the notebook there starts a kernel,
# which runs an `importlib.py` beside it before any cell: so Python files get an ending more.
KEPT = frozenset(
    (
        *(".csv", ".tsv", ".txt", ".md", ".json", ".jsonl", ".toml", ".yaml", ".yml", ".log"),
        *(".py", ".npy", ".npz", ".pt", ".pth", ".safetensors", ".bin", ".dat"),
        *(".png", ".jpg", ".jpeg", ".gif", ".webp"),
    )
)
PLAIN = re.compile(r"[\w .@+'-]")
LONGEST_ESCAPED = 100  # characters of a name with escapes


class StagingFolder:
    """The folder.

    Args:
        folder: where; empty.
    """

    def __init__(self, folder: Path):
        self.folder = folder

    def put(self, student: str, assignment: str, snapshot: Snapshot, notebook: bytes) -> None:
        """Put a submission there: its notebook, and of its other files those of known kinds.

        Args:
            notebook: what stands in the place of the submitted one.
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
    """A student's name as nbgrader gets it: what no name of a student has, as its escape.

    nbgrader's patterns end at a line break, take `*` for everybody, and it writes names into pages
    and to the terminal as they are. Who has such a name is set aside, and is told of by this one.
    It is cut where escapes are more than the name of a folder can hold, and even then is not plain.
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
    """Whether a file is put there, by the names of its folders and its own."""
    *folders, name = parts
    plain = not any("." in folder for folder in folders)
    return plain and name != TIMESTAMP and Path(name).suffix.lower() in KEPT
