"""How tasks came out, as a table in the terminal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from headway.grading.notebooks.verdicts import TaskResult
    from headway.tasks.engine.task import Task

MARKS = {
    "passed": ("✓", "green"),
    "partial": ("◐", "yellow"),
    "failed": ("✗", "red"),
    "untouched": ("○", "dim"),
}
Results = Sequence[tuple["Task", "TaskResult"]]


def points(results: Results) -> tuple[float, float, float]:
    """The points earned, the most that can be earned, and bonus points on top."""
    earned = sum(result.score for task, result in results if not task.bonus)
    most = sum(task.points for task, _ in results if not task.bonus)
    return earned, most, sum(result.score for task, result in results if task.bonus)


def in_words(results: Results) -> str:
    """The points in words: "17 of 20 points, and 4 bonus"."""
    earned, most, bonus = points(results)
    return f"{earned:g} of {most:g} points" + (f", and {bonus:g} bonus" if bonus else "")


def is_done(results: Results) -> bool:
    """Whether every task is passed, but for bonus tasks."""
    return all(result.status == "passed" for task, result in results if not task.bonus)


def as_data(results: Results) -> dict:
    """The same as JSON data."""
    earned, most, bonus = points(results)
    tasks = {task.id: {**result.as_dict(), "bonus": task.bonus} for task, result in results}
    return {"score": earned, "max": most, "bonus": bonus, "tasks": tasks}


def task_table(results: Results) -> Table:
    """A row for each task: its state, its points, and what to know about it."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("", "task", "kind"):
        table.add_column(name)
    table.add_column("points", justify="right")
    table.add_column("what to know", ratio=1, overflow="fold")
    for task, result in results:
        mark, style = MARKS[result.status]
        hints = {m.name: m.hint for m in task.misconceptions}
        words = [result.reason or ""]
        if result.misconception:
            words.append(f"{result.misconception}: {hints[result.misconception]}")
        table.add_row(
            Text(mark, style),
            f"{task.title}\n{task.id}",
            "bonus" if task.bonus else task.kind,
            f"{result.score:g} of {task.points:g}",
            Text("\n".join(filter(None, words)) or result.status, style),
        )
    return table
