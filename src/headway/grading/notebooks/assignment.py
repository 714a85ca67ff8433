"""Read an assignment's notebook file, and find the tasks that its cells check."""

import warnings
from dataclasses import replace
from itertools import takewhile
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from headway.errors import UserError
from headway.grading.notebooks.cell_errors import unreadable
from headway.grading.notebooks.check_calls import checked_task
from headway.grading.notebooks.points import check_name
from headway.grading.notebooks.task_result import TaskResult
from headway.grading.notebooks.verdicts import result_of
from headway.tasks.engine.find import tasks_of
from headway.tasks.engine.task import Task

MAX_BYTES = 20_000_000
MAX_CELLS = 2_000


def read_notebook(path: Path) -> NotebookNode:
    """The notebook in a file, in the current format.

    Raises:
        UserError: if there is no file, or it is not a notebook; the message says why, and what to
            do.
    """
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise UserError(f"{path} is not a plain file. Expected a Jupyter notebook.")
    if not path.exists():
        raise UserError(f"There is no file {path}. Expected a Jupyter notebook, FILE.ipynb.")
    size = path.stat().st_size
    if size == 0:
        raise UserError(f"{path} is empty. Expected a Jupyter notebook; save it again.")
    if size > MAX_BYTES:
        raise UserError(
            f"{path} is {size / 1e6:.0f} MB large, more than {MAX_BYTES / 1e6:.0f} MB. "
            "Clear its outputs and save it again."
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about missing cell ids, which nbformat adds
            # utf-8-sig, since some editors write a byte order mark.
            notebook = nbformat.reads(path.read_text(encoding="utf-8-sig"), as_version=4)
    except PermissionError:
        raise
    except Exception as error:  # invalid JSON, deep nesting and others
        raise UserError(
            f"{path} is no Jupyter notebook: {_why(error)}. "
            "Open it in JupyterLab and save it again, or start from a fresh copy."
        ) from error
    if not all(isinstance(cell.get("source"), str) for cell in notebook.cells):
        raise UserError(f"{path} has a cell without text. Save it again from JupyterLab.")
    if len(notebook.cells) > MAX_CELLS:
        raise UserError(f"{path} has {len(notebook.cells):,} cells, more than {MAX_CELLS:,}.")
    return notebook


def _why(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "its bytes are not UTF-8 text"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, nbformat.reader.NotJSONError):
        return "its text is not JSON"
    return "its text is JSON but not that of a notebook"


def check_cells(notebook: NotebookNode) -> dict[str, NotebookNode]:
    """The check cells, by task id.

    Students may add checks. If several cells check a task, the one that nbgrader scores is taken,
    or else the last one.
    """
    cells = {}
    for cell in notebook.cells:
        task = checked_task(cell)
        if task and not (task.id in cells and _is_scored(cells[task.id]) > _is_scored(cell)):
            cells[task.id] = cell
    return cells


def _is_scored(cell: NotebookNode) -> bool:
    metadata = cell.metadata.get("nbgrader")
    return isinstance(metadata, dict) and metadata.get("grade") is True


def task_results(notebook: NotebookNode, assignment: str) -> list[tuple[Task, TaskResult]]:
    """The result of each task of an assignment in an executed notebook, in order.

    A task that an instructor's own test replaces, in the same cell, has none.
    """
    cells = check_cells(notebook)
    tested = [
        cell.metadata["nbgrader"].get("grade_id")
        for cell in notebook.cells
        if _is_scored(cell) and not checked_task(cell)
    ]
    results = []
    for task in tasks_of(assignment):
        if task.id in cells:
            result = _with_unreadable(notebook, cells[task.id], result_of(cells[task.id], task))
        elif check_name(task.id) in tested:
            continue
        else:
            reason = "The notebook has no cell that checks this task."
            result = TaskResult("failed", 0.0, task.points, None, reason)
        results.append((task, result))
    return results


def _with_unreadable(notebook: NotebookNode, check: NotebookNode, result: TaskResult) -> TaskResult:
    """The result, with what the cells before the check could not read added to its reason."""
    if result.status == "passed":
        return result
    before = reversed(notebook.cells[: notebook.cells.index(check)])
    own = takewhile(lambda cell: not checked_task(cell), before)
    said = unreadable(output for cell in own for output in cell.get("outputs", []))
    return replace(result, reason=f"{said} {result.reason or ''}".strip()) if said else result


def saved_results(notebook: NotebookNode, assignment: str) -> list[tuple[Task, TaskResult]]:
    """As `task_results`, for a saved notebook in which some checks may not have run yet."""
    waiting = {
        task_id for task_id, cell in check_cells(notebook).items() if not cell.get("outputs")
    }
    not_yet = "Its check has not been run yet."
    return [
        (task, TaskResult("untouched", 0.0, task.points, None, not_yet))
        if task.id in waiting
        else (task, result)
        for task, result in task_results(notebook, assignment)
    ]
