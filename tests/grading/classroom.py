"""Course folders with submissions to grade, for tests."""

import copy
import csv
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Gradebook

from headway.chapters import CHAPTERS, Chapter, course_root

CHAPTER = CHAPTERS[0]
# In a cell of the course's solution, the lines that are not part of the answer.
MARKS = re.compile(
    r"^[ \t]*### (BEGIN SOLUTION|GIVEN\n.*?### END SOLUTION|END SOLUTION)[ \t]*(\n|\Z)",
    re.DOTALL | re.MULTILINE,
)


def path_of(course: Path, student: str, chapter: Chapter = CHAPTER) -> Path:
    """Where a student's notebook belongs in a course folder."""
    return course / "submitted" / student / chapter.notebook


def notebook_of(chapter: Chapter, base: str) -> NotebookNode:
    """A student's notebook: "release", as handed out; "solution", with the course's answers in."""
    return copy.deepcopy(_notebook(chapter, base))


@cache
def _notebook(chapter: Chapter, base: str) -> NotebookNode:
    notebook = nbformat.read(course_root() / "exercises" / chapter.notebook, as_version=4)
    if base == "solution":
        solved = nbformat.read(course_root() / "solutions" / chapter.notebook, as_version=4)
        for cell in solved.cells:
            if cell.metadata.nbgrader.solution:
                name = cell.metadata.nbgrader.grade_id
                cell_named(notebook, name).source = MARKS.sub("", cell.source).rstrip("\n")
    elif base != "release":
        raise ValueError(f"The base is {base!r}; expected 'solution' or 'release'.")
    return notebook


def hand_in(
    course: Path,
    student: str,
    base: str = "solution",
    change: Callable[[NotebookNode], None] | None = None,
    chapter: Chapter = CHAPTER,
) -> Path:
    """Hand in the solution, or the released notebook, after `change(notebook)`; gives its path."""
    notebook = notebook_of(chapter, base)
    if change:
        change(notebook)
    path = path_of(course, student, chapter)
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)
    return path


@contextmanager
def gradebook_of(course: Path) -> Iterator[Gradebook]:
    """The gradebook of a course folder; what the block changes is kept."""
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        yield book
        book.db.commit()


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
