"""A student of a sample class: what is handed in, and what must come of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from headway.chapters import Chapter
from headway.tasks.engine.find import tasks_of
from tests.grading.classroom import cell_named, hand_in, notebook_of


@dataclass(frozen=True)
class Answer:
    """One task of a student.

    Attributes:
        text: of the answer's cell; None where the base's stays.
        score: the points that it must get; None for what is usual (see `Student.expected`).
        misconception: that must be named.
    """

    text: str | None = None
    score: float | None = None
    misconception: str | None = None


@dataclass(frozen=True)
class Student:
    """A submission as its changes to a base.

    Cells have the names that nbgrader knows them by; an answer's is its task's without the chapter.

    Attributes:
        chapter: whose assignment it is.
        name: of the student, and of the file.
        about: what is handed in, in a sentence.
        base: "solution" or "release"; what all other cells are.
        status: "graded", "set-aside" or "missing".
        answers: by task, where the cell differs from the base's or gets something unusual.
        untouched: answers that stand as they were handed out.
        locked: texts of cells that no student may change, changed on purpose.
        deleted: names of cells that no student may change, deleted on purpose.
        added: (name of the cell before it, "code" or "markdown", text) of cells of their own.
        old_output: what each code cell printed when the student ran it.
        cut_after: bytes after which the file ends, as an upload that broke off.
    """

    chapter: Chapter
    name: str
    about: str
    base: str = "solution"
    status: str = "graded"
    answers: Mapping[str, Answer] = field(default_factory=dict)
    untouched: tuple[str, ...] = ()
    locked: Mapping[str, str] = field(default_factory=dict)
    deleted: tuple[str, ...] = ()
    added: tuple[tuple[str, str, str], ...] = ()
    old_output: str = ""
    cut_after: int | None = None

    def hand_in(self, course: Path) -> None:
        """Make the notebook, in a course folder."""
        path = hand_in(course, self.name, self.base, self._change, self.chapter)
        if self.cut_after is not None:
            path.write_bytes(path.read_bytes()[: self.cut_after])

    def expected(self) -> dict:
        """The row that a report must have.

        A task gets all its points, or none where the answer stands as it was handed out, and no
        misconception is named, unless the file says otherwise.

        Returns:
            "about", "status", "score" (the sum; None unless graded), "tasks" (score and
            misconception by id) and "notes": by the words with which a note must begin, the cells
            that it must name.
        """
        tasks = {}
        for task in tasks_of(self.chapter.name) if self.status == "graded" else ():
            name = task.id.partition("/")[2]
            answer = self.answers.get(name, Answer())
            usual = 0 if self.is_untouched(name) else task.points
            score = usual if answer.score is None else answer.score
            tasks[task.id] = {"score": score, "misconception": answer.misconception}
        return {
            "about": self.about,
            "status": self.status,
            "score": sum(t["score"] for t in tasks.values()) if tasks else None,
            "tasks": tasks,
            "notes": {
                opening: list(names)
                for opening, names in (
                    ("Cells of the assignment were changed", self.locked),
                    ("Cells of the assignment were deleted", self.deleted),
                )
                if names
            },
        }

    def is_untouched(self, task: str) -> bool:
        """Whether the answer stands as it was handed out."""
        answered = task in self.answers and self.answers[task].text is not None
        return task in self.untouched or (self.base == "release" and not answered)

    def _change(self, notebook: NotebookNode) -> None:
        """From the base to what the student hands in."""
        released = notebook_of(self.chapter, "release")
        texts = {name: cell_named(released, name).source for name in self.untouched}
        texts |= {name: one.text for name, one in self.answers.items() if one.text is not None}
        for name, text in (texts | dict(self.locked)).items():
            cell_named(notebook, name).source = text
        for before, kind, text in reversed(self.added):
            new = new_code_cell(text) if kind == "code" else new_markdown_cell(text)
            notebook.cells.insert(notebook.cells.index(cell_named(notebook, before)) + 1, new)
        for name in self.deleted:
            notebook.cells.remove(cell_named(notebook, name))
        for cell in notebook.cells if self.old_output else ():
            if cell.cell_type == "code":
                cell.execution_count = 1
                cell.outputs = [new_output("stream", name="stdout", text=self.old_output)]
