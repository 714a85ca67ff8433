"""What a submission of the hostile class is, and how it is written down."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from tests.grading.classroom import CHAPTER, cell_named, hand_in, path_of

POINTS = {
    "dot": 1,
    "shapes": 1,
    "mixture": 1,
    "vocabulary": 3,
    "one-hot": 2,
    "matmul": 2,
    "lookup": 2,
    "faulty-line": 1,
    "encoder": 2,
    "by-code": 2,
    "by-one-hot": 3,
    "pairs": 4,
}
ALL = frozenset(POINTS)
FULL = sum(POINTS.values())


@dataclass(frozen=True)
class Submission:
    """One submission, and what must come of it.

    Attributes:
        student: who hands it in; the folder's name.
        about: what it does, in a few words.
        make: hands it in, given the course folder.
        status: "graded", "set-aside" or "missing".
        tasks: the points of tasks that do not get all of theirs.
        words: what must be said about it, in the report or in the feedback.
        never: what must not be said there.
    """

    student: str
    about: str
    make: Callable[[Path], None]
    status: str = "graded"
    tasks: dict[str, float] | None = None
    words: tuple[str, ...] = ()
    never: tuple[str, ...] = ()

    @property
    def score(self) -> float | None:
        """The points of all tasks; None if it is not graded."""
        if self.status != "graded":
            return None
        return sum((POINTS | (self.tasks or {})).values())


def changed(
    student: str,
    about: str,
    *changes: Callable[[NotebookNode], None],
    lost: frozenset[str] | set[str] = frozenset(),
    words: tuple[str, ...] = (),
    tasks: dict[str, float] | None = None,
    never: tuple[str, ...] = (),
    base: str = "solution",
    files: dict[str, bytes] | None = None,
) -> Submission:
    """A submission that is a changed notebook: graded, and without points for some tasks.

    Args:
        base: "solution", or "release" for the notebook as it was handed out.
        files: what lies beside it.
    """

    def make(course: Path) -> None:
        def change(notebook: NotebookNode) -> None:
            for one in changes:
                one(notebook)

        hand_in(course, student, base, change)
        for path, content in (files or {}).items():
            file = path_of(course, student).parent / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)

    tasks = {**dict.fromkeys(lost, 0.0), **(tasks or {})}
    return Submission(student, about, make, "graded", tasks, words, never)


def raw(
    student: str,
    about: str,
    content: bytes | Callable[[bytes], bytes],
    status: str = "set-aside",
    words: tuple[str, ...] = (),
    tasks: dict[str, float] | None = None,
) -> Submission:
    """A submission whose notebook is a file of these bytes, or of those made from the solution."""

    def make(course: Path) -> None:
        path = hand_in(course, student)
        path.write_bytes(content if isinstance(content, bytes) else content(path.read_bytes()))

    return Submission(student, about, make, status, tasks, words)


def folder(
    student: str,
    about: str,
    arrange: Callable[[Path], None],
    status: str = "set-aside",
    words: tuple[str, ...] = (),
    tasks: dict[str, float] | None = None,
) -> Submission:
    """A submission with its folder rearranged: `arrange` gets the solution's path in it."""
    return Submission(
        student, about, lambda course: arrange(hand_in(course, student)), status, tasks, words
    )


def after_setup(source: str) -> Callable[[NotebookNode], None]:
    """Runs a cell after the imports, before the first answer."""
    return lambda notebook: notebook.cells.insert(2, new_code_cell(source))


def at_end(source: str) -> Callable[[NotebookNode], None]:
    """Runs a cell after all the others."""
    return lambda notebook: notebook.cells.append(new_code_cell(source))


def answer(grade_id: str, source: str) -> Callable[[NotebookNode], None]:
    """Answers with other code."""

    def change(notebook: NotebookNode) -> None:
        cell_named(notebook, grade_id).source = source

    return change


def also(grade_id: str, source: str) -> Callable[[NotebookNode], None]:
    """Adds lines to an answer."""

    def change(notebook: NotebookNode) -> None:
        cell_named(notebook, grade_id).source += f"\n{source}"

    return change


NAME = CHAPTER.name
