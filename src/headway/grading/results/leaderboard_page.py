"""The leaderboard as a page for the class: one self-contained HTML file, without scripts.

It shows only names that students chose, so it can be published.
"""

from headway.grading.results.leaderboard import leaderboard_rows, leaderboard_task
from headway.grading.results.pages import render
from headway.grading.results.report import Report
from headway.tasks.engine.leaderboard import format_metric

PLACES = 2  # decimals; further ones are noise


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
