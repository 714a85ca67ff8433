"""The steps of grading a repaired notebook: run a cell, or judge the answer that it checks."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from nbformat import NotebookNode

from headway.grading.notebooks.check_calls import check_call, checked_task
from headway.tasks.engine.task import Task
from headway.tasks.engine.unseen_text.cell import makes

LONGEST_READ = 20_000  # characters of a cell that are searched for a name
# The left side of an assignment, up to a comment. The pattern takes linear time, since it searches
# hundreds of untrusted cells.
ASSIGNED = re.compile(r"^([^#(=\n]*)(?:#[^(=\n]*)?=(?!=)", re.M)


@dataclass(frozen=True)
class Step:
    """One code cell.

    Attributes:
        index: the cell's index in the notebook.
        source: the code to run; may be empty.
        task: the task that the cell checks, if any.
        expression: the answer's expression, "look_up" in `check("01-one-hot/lookup", look_up)`.
    """

    index: int
    source: str
    task: Task | None = None
    expression: str = ""


def steps_of(notebook: NotebookNode) -> list[Step]:
    """The code cells of a notebook, in order.

    A locked check does not run, since its answer is judged from outside. Other statements in its
    cell run before.
    """
    return [
        _step(index, cell)
        for index, cell in enumerate(notebook.cells)
        if cell.cell_type == "code" and cell.source.strip()
    ]


def _step(index: int, cell: NotebookNode) -> Step:
    metadata = cell.metadata.get("nbgrader", {})
    task = checked_task(cell) if metadata.get("grade") and metadata.get("locked") else None
    if task is None:
        return Step(index, cell.source)
    call = check_call(cell.source)
    return Step(index, call.rest, task, call.answer)


def source_of(name: str, steps: Sequence[Step]) -> str:
    """The source of the last cell that defines a name; empty if none does."""
    return next((step.source for step in reversed(steps) if makes(name, step.source)), "")


def binds(name: str, source: str) -> bool:
    """Whether code seems to define, import or assign a name, by a search of its text."""
    named, source = re.escape(name), source[:LONGEST_READ]
    made = (
        rf"^[ \t]*(?:def|class)\s+{named}\b",
        rf"^[ \t]*(?:import|from)\b.*\b{named}\b",
    )
    if re.search("|".join(made), source, re.M):
        return True
    used = re.compile(rf"(?<!\.)\b{named}\b(?!\.)")
    return any(used.search(left) for left in ASSIGNED.findall(source))
