"""The report as a page to read: one self-contained HTML file, no script, everything escaped."""

import math
from collections import Counter
from statistics import mean, median

from headway.grading.results.leaderboard import leaderboard_task, measured_by
from headway.grading.results.pages import render
from headway.grading.results.report import Report, Row
from headway.tasks.engine.find import tasks_of
from headway.tasks.engine.leaderboard import format_metric
from headway.tasks.engine.requirements import hints_of

SIGNS = {"passed": "✓", "partial": "◐", "failed": "✗", "untouched": "○"}
STATUSES = {"set-aside": "set aside", "missing": "missing"}
MOST_BARS = 10
SLOWEST = 5


def report_page(report: Report, base: str = "") -> str:
    """The HTML of a report.

    Args:
        report: the report.
        base: relative path from the page to the course folder, ending in a slash if not empty;
            the links to the students' feedback start there.
    """
    graded = report.with_status("graded")
    scores = [row.score for row in graded.values()]
    points = {name: task.max for row in graded.values() for name, task in row.tasks.items()}
    tasks = [task for task in tasks_of(report.assignment) if task.id in points or not points]
    counts = {
        task.id: Counter(
            row.tasks[task.id].status for row in graded.values() if task.id in row.tasks
        )
        for task in tasks
    }
    hints = {name: hint for task in tasks for name, hint in hints_of(task).items()}
    seconds = {name: row.seconds for name, row in report.students.items() if row.seconds}
    board = leaderboard_task(report.assignment)
    return render(
        "report.html",
        {"duration": duration, "figure": format_metric},
        report=report,
        base=base,
        tasks=tasks,
        points={task.id: task.points for task in tasks} | points,
        titles={task.id: task.title for task in tasks},
        graded=graded,
        statuses=STATUSES,
        others=_by_reason(report),
        most=next((row.max for row in graded.values()), 0),
        mean=mean(scores) if scores else None,
        median=median(scores) if scores else None,
        bars=bars(scores, max((row.max for row in graded.values()), default=0)),
        counts=counts,
        hints=hints,
        unnamed=_unnamed(report),
        signs=SIGNS,
        board=board,
        measured=measured_by(report, board) if board else {},
        changed=_changed(report),
        repaired=_rows_with(report, "notes"),
        seconds=seconds,
        slowest=sorted(seconds, key=seconds.__getitem__, reverse=True)[:SLOWEST],
    )


def _by_reason(report: Report) -> dict[tuple[str, str], list[str]]:
    """Students who were not graded, by status and reason, so that each reason appears once."""
    found: dict[tuple[str, str], list[str]] = {}
    for status in STATUSES:
        for student, row in report.with_status(status).items():
            found.setdefault((status, row.reason or ""), []).append(student)
    return found


def _unnamed(report: Report) -> dict[tuple[str, str], list[str]]:
    """Students who lost points without a known mistake, by task and reason, most frequent first."""
    found: dict[tuple[str, str], list[str]] = {}
    for student, row in report.with_status("graded").items():
        for task_id, result in row.tasks.items():
            if result.status in ("failed", "partial") and not result.misconception:
                found.setdefault((task_id, result.reason or ""), []).append(student)
    return dict(sorted(found.items(), key=lambda item: -len(item[1])))


def bars(scores: list[float], most: float) -> list[tuple[float, float, int]]:
    """A histogram: (start, end, count) of the scores from `start` to below `end`. Only the last
    bar includes its end.

    Args:
        scores: the scores of the class.
        most: points of the assignment; scores with a bonus may exceed it.
    """
    if not scores:
        return []
    top = max(most, *scores, 1)
    width = math.ceil(top / MOST_BARS)
    number = math.ceil(top / width)
    placed = Counter(min(int(score // width), number - 1) for score in scores)
    return [(at * width, (at + 1) * width, placed[at]) for at in range(number)]


def duration(seconds: float) -> str:
    """A duration as text: "2.5 s", "3 min 20 s", "1 h 5 min"."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {seconds} s"


def _changed(report: Report) -> dict[str, Row]:
    """The rows of students whose score changed, or who had one and have none now."""
    return {
        name: row
        for name, row in report.students.items()
        if row.changes or (row.earlier and row.score is None)
    }


def _rows_with(report: Report, part: str) -> dict[str, Row]:
    return {name: row for name, row in report.students.items() if getattr(row, part)}
