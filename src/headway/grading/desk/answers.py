"""The answers that a class handed in for one assignment, and the code that all of them share.

Submissions are read with the grader's size limits, and no code in them is run.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from headway.chapters import Chapter, hidden_modules, released_notebook, solution_notebook
from headway.grading.copies import read_collected
from headway.grading.course import Course
from headway.grading.desk.course import class_names
from headway.grading.desk.tokens import names_in
from headway.grading.intake.repair import choose_release, is_answer, repair
from headway.grading.intake.submission import Missing, SetAside, take_snapshot
from headway.grading.nbgrader.source import kept_releases


@dataclass(frozen=True)
class ClassAnswers:
    """What a class has written into the cells for answers.

    Attributes:
        folder: the course folder.
        answers: student → cell name → code. Cells that the student did not change are left out.
        shared: cell name → code that everybody has or may be expected to write: the starter
            code, the course's solution, and the modules that the chapter explains.
        known: names that the assignment defines.
        published: cell name → the course's answers: that in `source/`, and the checkout's.
        given: cell name → the starter code.
        handed_out: names in the notebook as handed out.
        unread: student → why the submission cannot be read.
        without_solution: whether the course's solution is missing, so `shared` lacks it.
        names: student id → name from the class list.
    """

    folder: Path
    answers: Mapping[str, Mapping[str, str]]
    shared: Mapping[str, str]
    known: frozenset[str]
    published: Mapping[str, frozenset[str]] = field(default_factory=dict)
    given: Mapping[str, str] = field(default_factory=dict)
    handed_out: frozenset[str] = frozenset()
    unread: Mapping[str, str] = field(default_factory=dict)
    without_solution: bool = False
    names: Mapping[str, str] = field(default_factory=dict)


def read_answers(folder: Path, chapter: Chapter) -> ClassAnswers:
    """The answers of a course folder.

    Raises:
        UserError: if there is no such folder, or nobody handed the assignment in.
    """
    course = Course.open(folder, chapter.name, hidden_modules())
    files = course.files
    releases = [nbformat.reads(text, as_version=4) for text in _releases(files.folder, chapter)]
    paths = [path for path in (files.source, solution_notebook(chapter)) if path and path.exists()]
    solutions = [answers_of(nbformat.read(path, as_version=4)) for path in paths]
    answers, unread, groups = {}, {}, read_collected(files.state).groups
    seen: set[str] = set()
    for student in files.submissions():
        if groups.get(student) in seen:  # one submission for all of a group
            continue
        try:
            raw = take_snapshot(files.submission(student), chapter.name, student).notebook
            release = choose_release(raw, releases)
            answers[student] = _changed(repair(raw, release).notebook, release)
            seen |= {groups[student]} if student in groups else set()
        except (SetAside, Missing) as reason:
            unread[student] = str(reason)
    given = "\n".join(_code(release) for release in releases)
    modules = "\n".join(map(_source, (*chapter.modules, *chapter.also_hidden)))
    solved = solutions[0] if solutions else {}
    names = {name for release in releases for name in answers_of(release)}
    shared = {name: "\n".join((given, modules, solved.get(name, ""))) for name in names}
    known = names_in("\n".join((given, *solved.values())))
    return ClassAnswers(
        files.folder,
        answers,
        shared,
        frozenset(known),
        published={
            name: frozenset(one[name] for one in solutions if name in one) for name in names
        },
        given=answers_of(releases[-1]),
        handed_out=frozenset(names_in(given)),
        unread=unread,
        without_solution=not solutions,
        names=class_names(course.gradebook),
    )


def answers_of(notebook: NotebookNode) -> dict[str, str]:
    """The code of a notebook's answer cells, by cell name."""
    return {
        cell.metadata.nbgrader.grade_id: cell.source
        for cell in notebook.cells
        if cell.cell_type == "code" and is_answer(cell)
    }


def _releases(folder: Path, chapter: Chapter) -> list[str]:
    """The releases that were graded against, or else the current release, as JSON text."""
    kept = kept_releases(folder, chapter.name)
    return kept or [released_notebook(chapter).read_text(encoding="utf-8")]


def _changed(notebook: NotebookNode, release: NotebookNode) -> dict[str, str]:
    given = answers_of(release)
    return {
        name: code
        for name, code in answers_of(notebook).items()
        if code.split() != given.get(name, "").split()
    }


def _code(notebook: NotebookNode) -> str:
    return "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")


def _source(module: str) -> str:
    return Path(find_spec(module).origin).read_text(encoding="utf-8")
