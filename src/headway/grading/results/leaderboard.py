"""The leaderboard of a class: answers of students who chose a name for it, and baselines.

Answers are ordered by their distance to their own floor, since each has different cases. Answers
that differ by no more than chance share a rank, and answers without points are not listed. Students
appear only under their chosen names. Names that look alike get a number. So the page, one file
without scripts, can be published.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

from headway.grading.notebooks.leaderboard_name import looks_like, with_letters_named
from headway.grading.notebooks.verdicts import TaskResult
from headway.grading.results.pages import render
from headway.grading.results.report import Report
from headway.tasks.engine.find import tasks_of
from headway.tasks.engine.leaderboard import format_metric
from headway.tasks.engine.task import Task

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


def measured_by(report: Report, task: Task) -> dict[str, TaskResult]:
    """The results of a task that have all metrics of its leaderboard, by student."""
    found = {}
    for student, row in report.with_status("graded").items():
        result = row.tasks.get(task.id)
        if result and task.leaderboard.valid(result.measured):
            found[student] = result
    return found


def leaderboard_rows(report: Report, task: Task) -> list[LeaderboardRow]:
    """The rows of a leaderboard, from the floor upwards; empty if no student is listed.

    Baselines and floor are means over all measured answers.
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
    """The rank of each height; heights are sorted, lowest first."""
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
    """The name, with a number if a similar one is in `taken`, to which it is added."""
    number, found = 1, name
    while looks_like(found) in taken:
        number += 1
        found = f"{name} ({number})"
    taken.add(looks_like(found))
    return found


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
