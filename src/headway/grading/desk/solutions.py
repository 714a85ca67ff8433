"""Write pages of the assignments with their solutions, for instructors.

Solutions must not become public: the book's build does not use this module, and it refuses to
write into a folder that is published or packaged.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import nbformat
from markupsafe import Markup
from nbformat import NotebookNode

from headway.chapters import ASSIGNMENTS, Chapter
from headway.checkout import checkout
from headway.errors import UserError
from headway.grading.desk.markdown import markdown_to_html
from headway.grading.files import write_text
from headway.grading.notebooks.check_calls import checked_task
from headway.grading.results.pages import render
from headway.tasks.engine.find import tasks_of
from headway.tasks.engine.task import Task
from headway.tasks.engine.worth import worth

# Folders of a checkout that are served, published, or put into a wheel.
PUBLIC = ("_build", "book", "exercises", "src")
# Files that show that a folder is a site built with Sphinx.
OF_SITES = ("searchindex.js", "objects.inv", "genindex.html")
OURS = '<meta name="generator" content="headway solutions">'
MARK = re.compile(r"[ \t]*### (BEGIN SOLUTION|GIVEN|END SOLUTION)[ \t]*")
COMMENT = re.compile(r"^([ \t]*)# ?")
MOST_DEPTH = 40  # parent folders that are checked


@dataclass(frozen=True)
class Part:
    """A cell as the page shows it.

    Attributes:
        kind: "text", "code", "answer" or "check".
        html: the rendered text, for kind "text".
        lines: lines of code, each with whether it is part of the solution.
        given: the starter code that replaces the solution in the student's notebook, if any.
        task: the task of a check cell.
    """

    kind: str
    html: str = ""
    lines: tuple[tuple[str, bool], ...] = ()
    given: tuple[str, ...] = ()
    task: Task | None = None

    @property
    def is_wide(self) -> bool:
        """Whether it holds elements that do not wrap: tables, formulas or code."""
        return any(mark in self.html for mark in ("<table", "<math", "<pre"))


def write_solutions(notebooks: Mapping[Chapter, Path], folder: Path) -> Path:
    """Write a page for each assignment and an index; return the path of the index.

    Args:
        notebooks: source notebooks with solutions.
        folder: a new or empty folder, or one that holds such pages already.

    Raises:
        UserError: if the folder is published, or holds other files.
    """
    require_private(folder)
    first = folder / "index.html"
    if folder.exists() and any(folder.iterdir()) and OURS not in _text(first):
        raise UserError(f"{folder} holds other files. Expected a new or an empty folder.")
    for chapter, path in notebooks.items():
        notebook = nbformat.read(path, as_version=4)
        write_text(_page(chapter, folder), solution_page(chapter, notebook))
    there = [chapter for chapter in ASSIGNMENTS if OURS in _text(_page(chapter, folder))]
    rows = [(chapter, worth(tasks_of(chapter.name))) for chapter in there]
    write_text(first, render("solutions.html", {}, rows=rows, generator=Markup(OURS)))
    return first


def _page(chapter: Chapter, folder: Path) -> Path:
    return folder / f"{chapter.name}.html"


def require_private(folder: Path) -> None:
    """Refuse a folder that is published.

    Raises:
        UserError: if it lies in a built site, or in a published part of the checkout.
    """
    place = folder.resolve()
    for around in (place, *place.parents)[:MOST_DEPTH]:
        if any((around / name).exists() for name in OF_SITES):
            raise UserError(
                f"{folder} is inside the site {around}, which others can read. Choose a folder "
                "that only you can read."
            )
    root = checkout()
    for name in PUBLIC if root else ():
        if place.is_relative_to(root / name):
            raise UserError(
                f"{folder} is inside {root / name}, which is served, published or packaged. Choose "
                "a folder that only you can read."
            )


def solution_page(chapter: Chapter, notebook: NotebookNode) -> str:
    """The HTML of an assignment with its solution."""
    return render(
        "solution.html",
        {},
        chapter=chapter,
        parts=list(_parts(notebook)),
        worth=worth(tasks_of(chapter.name)),
        generator=Markup(OURS),
    )


def _parts(notebook: NotebookNode) -> Iterator[Part]:
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            yield Part("text", Markup(markdown_to_html(cell.source)))
            continue
        task = checked_task(cell) if cell.metadata.get("nbgrader", {}).get("grade") else None
        lines, given = solved(cell.source)
        kind = "check" if task else "answer" if any(own for _, own in lines) else "code"
        yield Part(kind, lines=tuple(lines), given=tuple(given), task=task)


def solved(source: str) -> tuple[list[tuple[str, bool]], list[str]]:
    """Split a cell's code into solution and starter code.

    Returns:
        the lines without nbgrader's marks, each with whether it belongs to the solution; and the
        lines that replace the solution in the student's notebook.
    """
    lines, given, region = [], [], "END SOLUTION"
    for line in source.split("\n"):
        if mark := MARK.fullmatch(line):
            region = mark[1]
        elif region == "GIVEN":
            given.append(COMMENT.sub(r"\1", line))
        else:
            lines.append((line, region == "BEGIN SOLUTION"))
    return lines, given


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
