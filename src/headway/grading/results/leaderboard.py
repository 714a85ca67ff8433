"""Who stands where on a leaderboard: those who chose a name for it, and what they are held against.

The order goes by how far an answer stands above its own floor, for the cases of each are drawn
apart. Who stands equally far has the same rank. Nobody is
known here but by the name that they chose; two who chose the same are told apart by a number.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import mean

from headway.grading.notebooks.verdicts import TaskResult
from headway.grading.results.report import Report
from headway.tasks.engine.find import tasks_of
from headway.tasks.engine.task import Task


@dataclass(frozen=True)
class Standing:
    """A row of a leaderboard.

    Attributes:
        name: of an answer, as its author chose it, or of what answers are held against.
        figures: by name; what answers are held against has the figure that is ranked alone.
        above: the ranked figure less the floor, in its unit.
        rank: 1 for the lowest; None for what is no answer.
    """

    name: str
    figures: Mapping[str, float]
    above: float
    rank: int | None = None


def board_of(assignment: str) -> Task | None:
    """The task of an assignment that has a leaderboard; None where none has."""
    return next((task for task in tasks_of(assignment) if task.leaderboard), None)


def measured_by(report: Report, task: Task) -> dict[str, TaskResult]:
    """The results of a task with a leaderboard that have all its figures, by student."""
    found = {}
    for student, row in report.with_status("graded").items():
        result = row.tasks.get(task.id)
        if result and task.leaderboard.valid(result.measured):
            found[student] = result
    return found


def standings(report: Report, task: Task) -> list[Standing]:
    """The rows of a leaderboard, from the floor upwards; none where nobody is listed.

    What answers are held against is the mean over all that were measured.
    """
    board, results = task.leaderboard, [*measured_by(report, task).values()]
    if not any(result.listed_as for result in results):
        return []
    measured = [result.measured for result in results]
    rows = [
        Standing(
            name,
            {board.ranked: mean(figures[name] for figures in measured)},
            mean(figures[name] - figures[board.floor] for figures in measured),
        )
        for name in (*board.beside, board.floor)
    ]
    taken = {_alike(row.name) for row in rows}
    listed = sorted((result for result in results if result.listed_as), key=_above(task))
    heights = [_above(task)(result) for result in listed]
    for result, height in zip(listed, heights, strict=True):
        name, rank = _untaken(result.listed_as, taken), 1 + sum(h < height for h in heights)
        rows.append(Standing(name, result.measured, height, rank))
    return sorted(rows, key=lambda row: (row.above, row.rank or 0))


def _above(task: Task):
    board = task.leaderboard
    return lambda result: result.measured[board.ranked] - result.measured[board.floor]


def _untaken(name: str, taken: set[str]) -> str:
    """The name, with a number behind it where another has it already; it is taken from now on."""
    number, found = 1, name
    while _alike(found) in taken:
        number += 1
        found = f"{name} ({number})"
    taken.add(_alike(found))
    return found


def _alike(name: str) -> str:
    """The same for names that differ in nothing but how their letters are written."""
    return unicodedata.normalize("NFKC", name).casefold()
