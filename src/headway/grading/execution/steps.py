"""What is done with each cell of a repaired notebook: run it, or judge the answer it names."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from nbformat import NotebookNode

from headway.grading.notebooks.verdicts import check_call, checked_task
from headway.tasks.engine.own_cell import makes
from headway.tasks.engine.task import Task

LONGEST_READ = 20_000  # characters of a cell in which a name is looked for
# What stands left of an assignment, up to a comment. Each character is looked at once or twice: of
# what strangers wrote, hundreds of cells are read like this.
ASSIGNED = re.compile(r"^([^#(=\n]*)(?:#[^(=\n]*)?=(?!=)", re.M)


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
    metadata = cell.metadata.get("nbgrader", {})
    task = checked_task(cell) if metadata.get("grade") and metadata.get("locked") else None
    if task is None:
        return Step(index, cell.source)
    call = check_call(cell.source)
    return Step(index, call.rest, task, call.answer)


def source_of(name: str, steps: Sequence[Step]) -> str:
    """The source of the last cell that makes what goes by a name; empty if none does."""
    return next((step.source for step in reversed(steps) if makes(name, step.source)), "")


def binds(name: str, source: str) -> bool:
    """Whether code seems to define, import or assign a name; it is read and not run."""
    named, source = re.escape(name), source[:LONGEST_READ]
    made = (
        rf"^[ \t]*(?:def|class)\s+{named}\b",
        rf"^[ \t]*(?:import|from)\b.*\b{named}\b",
    )
    if re.search("|".join(made), source, re.M):
        return True
    used = re.compile(rf"(?<!\.)\b{named}\b(?!\.)")
    return any(used.search(left) for left in ASSIGNED.findall(source))
