"""The leaderboard: one self-contained HTML page that can be published, without scripts.

It shows baselines, and the answers of students who chose a name for it, under that name only:

    leaderboard_name = "Ada"

The name is read from the notebook's source without running it, so it must be a string literal.
Other students will read it, so its length and characters are limited here, and pages escape it.

Answers are ordered by their distance to their own floor, since each has different cases. Answers
that differ by no more than chance share a rank, and answers without points are not listed.
"""

import ast
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import mean

from nbformat import NotebookNode

from headway.grading.notebooks.task_result import TaskResult
from headway.grading.results.pages import render
from headway.grading.results.report import Report
from headway.tasks.engine.find import tasks_of
from headway.tasks.engine.leaderboard import format_metric
from headway.tasks.engine.task import Task

VARIABLE = "leaderboard_name"
LONGEST = 30  # characters of a name
LONGEST_READ = 20_000  # characters of a cell with a name
MARKS_IN_A_ROW = 2  # accents on one letter
PLACES = 2  # decimals; further ones are noise


@dataclass(frozen=True)
class LeaderboardRow:
    """A row of a leaderboard.

    Attributes:
        name: the name chosen for an answer, or a baseline's name.
        figures: metrics by name; a baseline has only the ranked one.
        above: the ranked metric less the floor, in its unit.
        rank: 1 for the lowest, and for answers within `noise` of it, and so on; None for a
            baseline.
    """

    name: str
    figures: Mapping[str, float]
    above: float
    rank: int | None = None


def leaderboard_task(assignment: str) -> Task | None:
    """The task of an assignment that has a leaderboard; None if there is none."""
    return next((task for task in tasks_of(assignment) if task.leaderboard), None)


def leaderboard_page(report: Report) -> str:
    """The HTML of the leaderboard of an assignment that has one."""
    task = leaderboard_task(report.assignment)
    rows = leaderboard_rows(report, task)
    return render(
        "leaderboard.html",
        {"figure": lambda x: format_metric(x, PLACES)},
        task=task,
        board=task.leaderboard,
        rows=rows,
        listed=sum(row.rank is not None for row in rows),
    )


def leaderboard_rows(report: Report, task: Task) -> list[LeaderboardRow]:
    """The rows of a leaderboard, from the floor upwards; empty if no student is listed.

    Baselines and floor are means over all measured answers.
    """
    board, results = task.leaderboard, [*measured_by(report, task).values()]
    measured = [result.measured for result in results]
    rows = [
        LeaderboardRow(
            name,
            {board.ranked: mean(figures[name] for figures in measured)},
            mean(figures[name] - figures[board.floor] for figures in measured),
        )
        for name in (*board.baselines, board.floor)
        if measured
    ]
    taken = {row.name.casefold() for row in rows}

    def above(result: TaskResult) -> float:
        return result.measured[board.ranked] - result.measured[board.floor]

    listed = sorted((r for r in results if r.listed_as and r.score), key=above)
    best = rank = 0
    for place, result in enumerate(listed, start=1):
        if not rank or above(result) > best + board.noise:
            best, rank = above(result), place
        name = _untaken(result.listed_as, taken)
        rows.append(LeaderboardRow(name, result.measured, above(result), rank))
    return sorted(rows, key=lambda row: (row.above, row.rank or 0)) if listed else []


def measured_by(report: Report, task: Task) -> dict[str, TaskResult]:
    """The results of a task that have all metrics of its leaderboard, by student."""
    found = {}
    for student, row in report.with_status("graded").items():
        result = row.tasks.get(task.id)
        if result and task.leaderboard.valid(result.measured):
            found[student] = result
    return found


def _untaken(name: str, taken: set[str]) -> str:
    """The name, with a number if it is in `taken`, to which it is added."""
    number, found = 1, name
    while found.casefold() in taken:
        number += 1
        found = f"{name} ({number})"
    taken.add(found.casefold())
    return found


def chosen_name(notebook: NotebookNode) -> str:
    """The last name that a cell assigns; empty if the student does not want to be listed."""
    names = [
        name
        for cell in notebook.cells
        if cell.cell_type == "code" and len(cell.source) <= LONGEST_READ and VARIABLE in cell.source
        for name in _names_in(cell.source)
    ]
    return plain_name(names[-1]) if names else ""


def _names_in(source: str) -> Iterator[str]:
    """The strings that a cell's statements assign to the variable, in order."""
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in body:
        match node:
            case ast.Assign([ast.Name(id)], ast.Constant(value)) if id == VARIABLE:
                yield value if isinstance(value, str) else ""


def plain_name(text: str) -> str:
    """The text on one line: printable, at most `LONGEST` characters, few accents in a row."""
    kept, marks = "", 0
    for c in unicodedata.normalize("NFKC", text[: 4 * LONGEST]):
        marks = marks + 1 if unicodedata.category(c).startswith("M") else 0
        if marks <= MARKS_IN_A_ROW:
            kept += c if c.isprintable() else " "
    name = " ".join(kept.split())[:LONGEST].rstrip()
    return name if any(map(str.isalnum, name)) else ""
