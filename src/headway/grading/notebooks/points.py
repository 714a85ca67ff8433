"""What an assignment's graded cells count, where an instructor gave them other points.

A task knows what it is worth, and an answer earns a share of that. The points of its check cell are
the instructor's: with others, the share stays. Who earned 1.5 of 2 has 0.75 of 1 after the check
was lowered to one point, and a perfect answer has 6 of 6 after it was raised from 3. A check of no
points counts nothing, and so does a task that was dropped. The check of a bonus task has no points
from the start; what it earns comes on top.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import nbformat
from nbformat import NotebookNode

from headway.grading.notebooks.verdicts import TaskResult, checked_task
from headway.tasks.engine.find import UnknownTaskError, tasks_of
from headway.tasks.engine.task import Task

SCALED = (
    "What was earned is scaled to them. Points that were given by hand are not: look at them again."
)


def scaled(earned: float, of: float, most: float) -> float:
    """The same share of `most` points that `earned` is `of` others; nothing of none.

    Args:
        earned: 0 … `of`.
    """
    if of == most:
        return earned
    return min(earned * most / of, most) if of else 0.0


def cell_points(notebook: NotebookNode) -> dict[str, float]:
    """The points of the cells that somebody grades, by nbgrader's ids."""
    return {_metadata(cell)["grade_id"]: _points(cell) for cell in _graded(notebook)}


def task_points(notebook: NotebookNode) -> dict[str, float]:
    """What the tasks count that a notebook's cells check, by the task's id."""
    tasks = ((checked_task(cell), _points(cell)) for cell in _graded(notebook))
    return {task.id: counted_points(task, points) for task, points in tasks if task}


def on_top(task: Task, points: float) -> bool:
    """Whether what a task earns comes on top: a bonus whose check cell has no points."""
    return task.bonus and not points


def counted_points(task: Task, points: float) -> float:
    """What a task counts whose check cell has these points."""
    return task.points if on_top(task, points) else points


def weighed(results: Mapping[str, TaskResult], points: Mapping[str, float]) -> dict:
    """Results of tasks, each with its share of the points that it counts; none of dropped tasks.

    Args:
        points: what each task counts, by its id.
    """
    return {
        name: replace(
            result, score=scaled(result.score, result.max, points[name]), max=points[name]
        )
        for name, result in results.items()
        if name in points
    }


def reweighting_warnings(editions: Sequence[str], assignment: str) -> tuple[str, ...]:
    """The sentence that says which points are an instructor's; nothing where none are.

    Args:
        editions: of the assignment's notebook, as JSON, the oldest first, today's last.
    """
    notebooks = [nbformat.reads(text, as_version=4) for text in editions]
    changes = what_was_reweighted(notebooks, assignment)
    return (f"Points were changed: {'; '.join(changes)}. {SCALED}",) if changes else ()


def what_was_reweighted(editions: Sequence[NotebookNode], assignment: str) -> list[str]:
    """Where points are not those that a task is worth, or that the first edition gave a cell.

    Args:
        editions: of the assignment's notebook, the oldest first, today's last.

    Returns:
        parts of a sentence: "01-one-hot/dot counts 6 points instead of 3".
    """
    worth = {task.id: task.points for task in _tasks(assignment)}
    counts = task_points(editions[-1])
    for edition in editions:
        for cell in _graded(edition):
            if not checked_task(cell):
                worth.setdefault(_metadata(cell)["grade_id"], _points(cell))
    counts = cell_points(editions[-1]) | counts
    return [
        f"{name} counts {counts[name]:g} points instead of {points:g}"
        if name in counts
        else f"{name} was dropped"
        for name, points in worth.items()
        if counts.get(name) != points
    ]


def _tasks(assignment: str) -> tuple[Task, ...]:
    try:
        return tasks_of(assignment)
    except UnknownTaskError:  # an instructor's own assignment has none of our tasks
        return ()


def _graded(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if is_graded(cell)]


def is_graded(cell: NotebookNode) -> bool:
    """Whether a cell has points, which somebody or something gives."""
    return bool(_metadata(cell).get("grade") or _metadata(cell).get("task"))


def _points(cell: NotebookNode) -> float:
    return float(_metadata(cell)["points"])


def _metadata(cell: NotebookNode) -> dict:
    return cell.metadata.get("nbgrader", {})
