"""The points of graded cells, which an instructor may change.

A task has its own maximum, but the points of its check cell are the instructor's choice. If they
differ, the earned share of the points stays the same: 1.5 of 2 becomes 0.75 of 1 after the check
was lowered to one point, and 3 of 3 becomes 6 of 6. A check with no points counts nothing, and
neither does a dropped task. The check of a bonus task has no points from the start; its score is
added on top.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import nbformat
from nbformat import NotebookNode

from headway.grading.notebooks.check_calls import checked_task
from headway.grading.notebooks.task_result import TaskResult
from headway.tasks.engine.find import UnknownTaskError, tasks_of
from headway.tasks.engine.task import Task

SCALED = (
    "What was earned is scaled to them. Points that were given by hand are not: look at them again."
)

MAXIMUM = "The maximum is {:g} points now; change it in your platform, too."


def scaled(earned: float, of: float, most: float) -> float:
    """Scale `earned` points out of `of` to points out of `most`; 0 if `of` is 0.

    Args:
        earned: 0 … `of`.
    """
    if of == most:
        return earned
    return min(earned * most / of, most) if of else 0.0


def cell_points(notebook: NotebookNode) -> dict[str, float]:
    """The points of the graded cells, by nbgrader's ids."""
    return {_metadata(cell)["grade_id"]: _points(cell) for cell in _graded(notebook)}


def task_points(notebook: NotebookNode) -> dict[str, float]:
    """The points of the tasks that a notebook's cells check, by task id."""
    tasks = ((checked_task(cell), _points(cell)) for cell in _graded(notebook))
    return {task.id: counted_points(task, points) for task, points in tasks if task}


def on_top(task: Task, points: float) -> bool:
    """Whether a task's score is added on top: a bonus task with a check cell of 0 points."""
    return task.bonus and not points


def counted_points(task: Task, points: float) -> float:
    """The maximum of a task, given the points of its check cell."""
    return task.points if on_top(task, points) else points


def weighed(results: Mapping[str, TaskResult], points: Mapping[str, float]) -> dict:
    """The results of tasks, scaled to the points of their cells; dropped tasks are left out.

    Args:
        points: task id → points, from `task_points`.
    """
    return {
        name: replace(
            result, score=scaled(result.score, result.max, points[name]), max=points[name]
        )
        for name, result in results.items()
        if name in points
    }


def reweighting_warnings(releases: Sequence[str], assignment: str) -> tuple[str, ...]:
    """A sentence on which points an instructor has changed; empty if there are none.

    Args:
        releases: releases of the assignment's notebook, as JSON, oldest first, today's last.
    """
    notebooks = [nbformat.reads(text, as_version=4) for text in releases]
    changes = what_was_reweighted(notebooks, assignment)
    if not changes:
        return ()
    said, most = f"Points were changed: {'; '.join(changes)}. {SCALED}", _most(notebooks[-1])
    before = {_most(notebooks[0]), sum(it.points for it in _tasks(assignment) if not it.bonus)}
    return (f"{said} {MAXIMUM.format(most)}" if before != {most} else said,)


def what_was_reweighted(releases: Sequence[NotebookNode], assignment: str) -> list[str]:
    """Which points differ from the task's own, or, for other cells, from the first release's.

    Args:
        releases: releases of the assignment's notebook, oldest first, today's last.

    Returns:
        parts of a sentence: "01-one-hot/dot counts 6 points instead of 3". A task that an
        instructor's own test replaces, in the same cell, is not among them.
    """
    worth = {task.id: task.points for task in _tasks(assignment)}
    counts = task_points(releases[-1])
    for release in releases:
        for cell in _graded(release):
            if not checked_task(cell):
                worth.setdefault(_metadata(cell)["grade_id"], _points(cell))
    counts = cell_points(releases[-1]) | counts
    replaced = {name for name in worth if name not in counts and check_name(name) in counts}
    return [
        f"{name} counts {counts[name]:g} points instead of {points:g}"
        if name in counts
        else f"{name} was dropped"
        for name, points in worth.items()
        if counts.get(name) != points and name not in replaced
    ]


def _most(notebook: NotebookNode) -> float:
    return sum(cell_points(notebook).values())


def check_name(task_id: str) -> str:
    """The name of the cell that checks a task: "check-dot" for "01-one-hot/dot"."""
    return f"check-{task_id.partition('/')[2]}"


def _tasks(assignment: str) -> tuple[Task, ...]:
    try:
        return tasks_of(assignment)
    except UnknownTaskError:  # an instructor's own assignment
        return ()


def _graded(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if is_graded(cell)]


def is_graded(cell: NotebookNode) -> bool:
    """Whether a cell is graded, by its tests or by a person."""
    return bool(_metadata(cell).get("grade") or _metadata(cell).get("task"))


def _points(cell: NotebookNode) -> float:
    return float(_metadata(cell)["points"])


def _metadata(cell: NotebookNode) -> dict:
    return cell.metadata.get("nbgrader", {})
