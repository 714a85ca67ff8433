"""What is done with each cell of a repaired notebook: run it, or judge the answer it names."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from nbformat import NotebookNode

from headway.grading.notebooks.verdicts import check_call, checked_task
from headway.tasks.engine.task import Task


@dataclass(frozen=True)
class Step:
    """One code cell.

    Attributes:
        index: its place in the notebook.
        source: what is run; empty if there is nothing to run.
        task: the task that the cell checks, if it checks one.
        expression: of the answer, "look_up" in `check("01-one-hot/lookup", look_up)`.
    """

    index: int
    source: str
    task: Task | None = None
    expression: str = ""


def steps_of(notebook: NotebookNode) -> list[Step]:
    """The code cells of a notebook, in order.

    A locked check is not run: its answer is put to use from outside. Statements that stand beside
    it are run before.
    """
    return [
        _step(index, cell)
        for index, cell in enumerate(notebook.cells)
        if cell.cell_type == "code" and cell.source.strip()
    ]


def _step(index: int, cell: NotebookNode) -> Step:
    marks = cell.metadata.get("nbgrader", {})
    task = checked_task(cell) if marks.get("grade") and marks.get("locked") else None
    if task is None:
        return Step(index, cell.source)
    call = check_call(cell.source)
    return Step(index, call.rest, task, call.answer)


def source_of(name: str, steps: Sequence[Step]) -> str:
    """The source of the last cell that makes what goes by a name; empty if none does."""
    made = re.compile(rf"^({re.escape(name)}\s*=(?!=)|(def|class)\s+{re.escape(name)}\b)", re.M)
    return next((step.source for step in reversed(steps) if made.search(step.source)), "")
