"""Reading a student's file, and saying what is wrong with it.

    about = "Two slips, and no stretch."
    untouched = ["pairs"]

    [tasks.lookup]
    score = 1.5
    misconception = "negative-wraps"
    answer = '''
    def look_up(ids, table):
        return table[ids]
    '''

    [[added]]
    after = "lookup"
    code = '''
    print("done")
    '''

The fields are those of `Student` and `Answer`; a cell that was added has `code` or `markdown`. What
the file does not name is as in the base, and gets full points.
"""

import tomllib
from collections.abc import Collection
from difflib import get_close_matches
from pathlib import Path

from headway.chapters import Chapter
from headway.tasks.engine.find import tasks_of
from headway.tasks.engine.requirements import hints_of
from tests.assignments.student import Answer, Student
from tests.grading.classroom import cell_named, notebook_of

BASES = ("solution", "release")
STATUSES = ("graded", "set-aside", "missing")
STUDENT = {
    "about": str,
    "base": str,
    "status": str,
    "untouched": list,
    "tasks": dict,
    "locked": dict,
    "deleted": list,
    "added": list,
    "old_output": str,
    "cut_after": int,
}
TASK = {"score": (int, float), "misconception": str, "answer": str}
ADDED = {"after": str, "code": str, "markdown": str}
KINDS = {str: "a text", list: "a list", dict: "a table", int: "a whole number"}


class StudentFileError(ValueError):
    """A student's file is wrong; the message names the file, what it says and what is expected."""


def read_student(path: Path, chapter: Chapter) -> Student:
    """The student whom a file describes.

    Raises:
        StudentFileError: if it is not TOML, names what there is not, or says what is so anyway.
    """
    try:
        return _Reader(chapter).student(path.stem, tomllib.loads(path.read_text(encoding="utf-8")))
    except ValueError as error:
        raise StudentFileError(f"{path.parent.name}/{path.name}: {error}") from error


class _Reader:
    """Makes students of an assignment; what is wrong with one is a ValueError."""

    def __init__(self, chapter: Chapter):
        self.chapter = chapter
        self.tasks = {task.id.partition("/")[2]: task for task in tasks_of(chapter.name)}
        release, solution = (notebook_of(chapter, base) for base in ("release", "solution"))
        self.released = {c.metadata.nbgrader.grade_id: c.source for c in release.cells}
        self.solved = {name: cell_named(solution, name).source for name in self.tasks}
        self.locked = [name for name in self.released if name not in self.tasks]

    def student(self, name: str, data: dict) -> Student:
        _check_fields("the file", data, STUDENT)
        if "about" not in data:
            raise ValueError("`about` is missing; expected a sentence on what is handed in.")
        tasks, locked = data.pop("tasks", {}), data.pop("locked", {})
        student = Student(
            self.chapter,
            name,
            answers={task: self._answer(task, one) for task, one in tasks.items()},
            locked={cell: self._locked(cell, text) for cell, text in locked.items()},
            added=tuple(self._added(one) for one in data.pop("added", ())),
            untouched=tuple(data.pop("untouched", ())),
            deleted=tuple(data.pop("deleted", ())),
            **data,
        )
        _check_known("base", student.base, BASES)
        _check_known("status", student.status, STATUSES)
        for cell in student.deleted:
            _check_known("locked cell", cell, self.locked)
        for task in student.untouched:
            _check_known("answer", task, self.tasks)
        if student.untouched and student.base == "release":
            raise ValueError("in a release every answer is untouched; leave `untouched` out.")
        if student.answers and student.status != "graded":
            raise ValueError(f"what is {student.status} gets no points; leave `tasks` out.")
        for task, answer in student.answers.items():
            self._check_needed(student, task, answer)
        return student

    def _answer(self, name: str, data: object) -> Answer:
        _check_known("task", name, self.tasks)
        _check_fields(f"tasks.{name}", data, TASK)
        score, misconception = data.get("score"), data.get("misconception")
        most = self.tasks[name].points
        if score is not None and not 0 <= score <= most:
            raise ValueError(f"tasks.{name}: the score is {score}; expected 0 to {most:g}.")
        if misconception is not None:
            known = hints_of(self.tasks[name])
            _check_known(f"misconception of {name}", misconception, known)
        return Answer(_text(data["answer"]) if "answer" in data else None, score, misconception)

    def _check_needed(self, student: Student, name: str, answer: Answer) -> None:
        """Hold an answer against what there would be without it."""
        usual = 0 if student.is_untouched(name) else self.tasks[name].points
        if answer == Answer():
            raise ValueError(f"tasks.{name} is empty; leave it out.")
        if answer.score == usual:
            raise ValueError(f"tasks.{name}: the score is {usual:g} anyway; leave it out.")
        if answer.text is None:
            return
        if name in student.untouched:
            raise ValueError(f"tasks.{name} has an answer and is untouched; expected one of them.")
        base = self.solved if student.base == "solution" else self.released
        if answer.text == base[name]:
            raise ValueError(f"tasks.{name}: the answer is the {student.base}'s; leave it out.")
        if answer.text == self.released[name]:
            raise ValueError(f"tasks.{name}: the answer is as handed out; list it in `untouched`.")

    def _locked(self, name: str, text: object) -> str:
        _check_known("locked cell", name, self.locked)
        if not isinstance(text, str):
            raise ValueError(f"locked.{name} is {text!r}; expected a text.")
        if _text(text) == self.released[name]:
            raise ValueError(f"locked.{name} is the cell that was handed out; leave it out.")
        return _text(text)

    def _added(self, data: object) -> tuple[str, str, str]:
        _check_fields("added", data, ADDED)
        kinds = [kind for kind in ("code", "markdown") if kind in data]
        if "after" not in data or len(kinds) != 1:
            raise ValueError(f"added has {', '.join(data)}; expected after, and code or markdown.")
        _check_known("cell", data["after"], self.released)
        return data["after"], kinds[0], _text(data[kinds[0]])


def _text(literal: str) -> str:
    """A cell's text, without the line break before the closing quotes."""
    return literal.removesuffix("\n")


def _check_fields(where: str, data: object, fields: dict) -> None:
    if not isinstance(data, dict):
        raise ValueError(f"{where} is {data!r}; expected a table with {', '.join(fields)}.")
    for name, value in data.items():
        _check_known(f"field of {where}", name, fields)
        if not isinstance(value, fields[name]) or isinstance(value, bool):
            wanted = KINDS.get(fields[name], "a number")
            raise ValueError(f"{name} of {where} is {value!r}; expected {wanted}.")


def _check_known(what: str, given: object, names: Collection[str]) -> None:
    if given not in list(names):
        close = get_close_matches(str(given), names, n=1)
        guess = f" Did you mean {close[0]!r}?" if close else ""
        raise ValueError(
            f"there is no {what} {given!r}.{guess} Expected one of {', '.join(names)}."
        )
