"""Course folders with submissions to grade, for tests."""

import copy
import csv
import shutil
from collections.abc import Callable
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from headway.chapters import CHAPTERS, course_root

CHAPTER = CHAPTERS[0]


def path_of(course: Path, student: str) -> Path:
    """Where a student's notebook belongs in a course folder."""
    return course / "submitted" / student / CHAPTER.notebook


def hand_in(
    course: Path,
    student: str,
    which: str = "solutions",
    change: Callable[[NotebookNode], None] | None = None,
) -> Path:
    """Hand in the solution, or the released notebook, after `change(notebook)`."""
    path = path_of(course, student)
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(course_root() / which / CHAPTER.notebook, path)
    if change:
        notebook = nbformat.read(path, as_version=4)
        change(notebook)
        nbformat.write(notebook, path)
    return path


def cell_named(notebook: NotebookNode, grade_id: str) -> NotebookNode:
    """The cell with an nbgrader id."""
    (found,) = (
        c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") == grade_id
    )
    return found


def duplicate(notebook: NotebookNode, grade_id: str) -> None:
    """Put a copy of a cell at the end, as copy and paste in JupyterLab does."""
    twin = copy.deepcopy(cell_named(notebook, grade_id))
    twin.id = "twin"
    notebook.cells.append(twin)


def statuses_and_scores(course: Path) -> dict[str, tuple[str, float | None]]:
    """What the table of grades says of each student for the assignment."""
    with (course / "grades.csv").open(encoding="utf-8") as file:
        return {
            row["student_id"]: (row["status"], float(row["score"]) if row["score"] else None)
            for row in csv.DictReader(file)
            if row["assignment"] == CHAPTER.name
        }
