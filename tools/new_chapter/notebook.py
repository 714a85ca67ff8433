"""The assignment that is to be written, as nbgrader's source."""

import json

from tools.new_chapter.chapter import FAULTY_LINE, POINTS, NewChapter, NewTask
from tools.new_chapter.fill import filled

METADATA = {
    "kernelspec": {
        "display_name": "Python 3 (ipykernel)",
        "language": "python",
        "name": "python3",
    },
    "language_info": {"name": "python"},
}


def notebook(chapter: NewChapter) -> str:
    """For each task a question, an answer and a locked check, named for the task."""
    cells = [
        markdown("title", filled("notebook/title.md", chapter)),
        code("setup", filled("notebook/setup.py", chapter)),
    ]
    for kind in POINTS:
        cells.append(markdown(f"part-{kind}", filled(f"notebook/part-{kind}.md", chapter)))
        for task in chapter.tasks:
            if task.kind == kind:
                cells += cells_of(task, chapter)
    cells.append(markdown("end", filled("notebook/end.md", chapter)))
    whole = {"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def cells_of(task: NewTask, chapter: NewChapter) -> list[dict]:
    """The three cells of a task."""
    question, answer = "ask", "function"
    if task.id == FAULTY_LINE:
        question, answer = "ask-faulty-line", "faulty-line"
    elif task.kind in ("predict", "debug"):
        answer = task.kind
    check = f'check("{chapter.name}/{task.id}", {task.answer})'
    points = 0 if task.kind == "stretch" else task.points  # nbgrader's extra credit
    return [
        markdown(f"ask-{task.id}", filled(f"notebook/{question}.md", chapter, task)),
        code(
            task.id,
            filled(f"notebook/{answer}.py", chapter, task),
            locked=False,
            solution=True,
        ),
        code(f"check-{task.id}", check, grade=True, points=points),
    ]


def code(name: str, text: str, **marks: object) -> dict:
    """A code cell; locked, unless the marks say otherwise."""
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": name,
        "metadata": _marked(name, marks),
        "outputs": [],
        "source": _lines(text),
    }


def markdown(name: str, text: str) -> dict:
    """A locked cell of text."""
    return {
        "cell_type": "markdown",
        "id": name,
        "metadata": _marked(name, {}),
        "source": _lines(text),
    }


def _marked(name: str, marks: dict[str, object]) -> dict:
    """What nbgrader knows of a cell."""
    usual = {"grade": False, "grade_id": name, "locked": True, "solution": False, "task": False}
    return {"nbgrader": dict(sorted((usual | {"schema_version": 3} | marks).items()))}


def _lines(text: str) -> list[str]:
    return text.rstrip("\n").splitlines(keepends=True)
