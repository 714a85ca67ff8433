"""How tasks came out, as a table in the terminal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from headway.grading.notebooks.task_result import TaskResult
    from headway.tasks.engine.task import Task

MARKS = {
    "passed": ("✓", "green"),
    "partial": ("◐", "yellow"),
    "failed": ("✗", "red"),
    "untouched": ("○", "dim"),
}
WIDE = 110  # columns, from which on words have room beside the task
Results = Sequence[tuple["Task", "TaskResult"]]


def points(results: Results) -> tuple[float, float, float]:
    """The points earned, the most that can be earned, and bonus points on top."""
    earned = sum(result.score for task, result in results if not task.bonus)
    most = sum(task.points for task, _ in results if not task.bonus)
    return earned, most, sum(result.score for task, result in results if task.bonus)


def in_words(results: Results) -> str:
    """The points in words: "17 of 20 points, and 4 bonus"; "6 of 10 bonus points"."""
    earned, most, bonus = points(results)
    if not most:
        return f"{bonus:g} of {sum(task.points for task, _ in results):g} bonus points"
    return f"{earned:g} of {most:g} points" + (f", and {bonus:g} bonus" if bonus else "")


def is_done(results: Results) -> bool:
    """Whether every task is passed, but for bonus tasks beside others."""
    owed = [result for task, result in results if not task.bonus] or [r for _, r in results]
    return all(result.status == "passed" for result in owed)


def as_data(results: Results) -> dict:
    """The same as JSON data."""
    earned, most, bonus = points(results)
    tasks = {task.id: {**result.as_dict(), "bonus": task.bonus} for task, result in results}
    return {"score": earned, "max": most, "bonus": bonus, "tasks": tasks}


def task_table(results: Results, width: int) -> Table:
    """A row for each task: its state, its points, and what to know about it.

    Args:
        width: of the terminal, in columns; in a narrow one the words stand below the task.
    """
    return _wide(results) if width >= WIDE else _narrow(results)


def _wide(results: Results) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("", "task", "kind"):
        table.add_column(name)
    table.add_column("points", justify="right")
    table.add_column("what to know", ratio=1, overflow="fold")
    for task, result in results:
        mark, style = MARKS[result.status]
        table.add_row(
            Text(mark, style),
            f"{task.title}\n{task.id}",
            "bonus" if task.bonus else task.kind,
            f"{result.score:g} of {task.points:g}",
            Text(_to_know(task, result) or result.status, style),
        )
    return table


def _narrow(results: Results) -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column()
    table.add_column(ratio=1, overflow="fold")
    for task, result in results:
        mark, style = MARKS[result.status]
        kind = "bonus" if task.bonus else task.kind
        earned = f"{result.score:g} of {task.points:g}"
        row = Text(f"{task.title} ({task.id}, {kind}): {earned}")
        if words := _to_know(task, result):
            row.append(f"\n{words}", style)
        table.add_row(Text(mark, style), row)
    return table


def _to_know(task: "Task", result: "TaskResult") -> str:
    from headway.tasks.engine.requirements import hints_of

    words = [result.reason]
    if result.misconception:
        words.append(f"{result.misconception}: {hints_of(task)[result.misconception]}")
    return "\n".join(filter(None, words))
