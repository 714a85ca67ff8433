"""Who stands where on a leaderboard: those who chose a name for it, and what they are held against.

The order goes by how far an answer stands above its own floor, for the cases of each are drawn
apart. Whom only chance may part have the same rank, and who earned nothing is not listed. Nobody is
known here but by the name that they chose; two who chose the same, or nearly, are told apart by a
number.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

from headway.grading.notebooks.leaderboard_name import looks_like, with_letters_named
from headway.grading.notebooks.verdicts import TaskResult
from headway.grading.results.report import Report
from headway.tasks.engine.find import tasks_of
from headway.tasks.engine.task import Task


@dataclass(frozen=True)
class LeaderboardRow:
    """A row of a leaderboard.

    Attributes:
        name: of an answer, as its author chose it, or of what answers are held against.
        figures: by name; what answers are held against has the figure that is ranked alone.
        above: the ranked figure less the floor, in its unit.
        rank: 1 for the lowest and whoever is no further above it than chance may put them, and
            so on; None for what is no answer.
    """

    name: str
    figures: Mapping[str, float]
    above: float
    rank: int | None = None


def leaderboard_task(assignment: str) -> Task | None:
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


def leaderboard_rows(report: Report, task: Task) -> list[LeaderboardRow]:
    """The rows of a leaderboard, from the floor upwards; none where nobody is listed.

    What answers are held against is the mean over all that were measured.
    """
    board, results = task.leaderboard, [*measured_by(report, task).values()]
    listed = [result for result in results if result.listed_as and result.score]
    if not listed:
        return []
    measured = [result.measured for result in results]
    rows = [
        LeaderboardRow(
            name,
            {board.ranked: mean(figures[name] for figures in measured)},
            mean(figures[name] - figures[board.floor] for figures in measured),
        )
        for name in (*board.baselines, board.floor)
    ]
    taken = {looks_like(row.name) for row in rows}
    listed.sort(key=_above(task))
    heights = [_above(task)(result) for result in listed]
    for result, height, rank in zip(listed, heights, _ranks(heights, board.noise), strict=True):
        name = _untaken(with_letters_named(result.listed_as), taken)
        rows.append(LeaderboardRow(name, result.measured, height, rank))
    return sorted(rows, key=lambda row: (row.above, row.rank or 0))


def _ranks(heights: Sequence[float], noise: float) -> list[int]:
    """The rank of each height, of which the lowest comes first."""
    ranks: list[int] = []
    best = 0.0
    for place, height in enumerate(heights):
        if not ranks or height > best + noise:
            best = height
            ranks.append(place + 1)
        else:
            ranks.append(ranks[-1])
    return ranks


def _above(task: Task):
    board = task.leaderboard
    return lambda result: result.measured[board.ranked] - result.measured[board.floor]


def _untaken(name: str, taken: set[str]) -> str:
    """The name, with a number behind it where another has it already; it is taken from now on."""
    number, found = 1, name
    while looks_like(found) in taken:
        number += 1
        found = f"{name} ({number})"
    taken.add(looks_like(found))
    return found
