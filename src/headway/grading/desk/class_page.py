"""The class over all assignments as a page: one self-contained HTML file, no script."""

from collections.abc import Sequence
from datetime import datetime
from statistics import median

from headway.grading.desk.mistakes import Recurring
from headway.grading.desk.overview import Overview, StudentProgress
from headway.grading.desk.tasks import ENOUGH, Difficulty
from headway.grading.results.pages import render

SIGNS = {"set-aside": "!", "handed-in": "…", "overdue": "✗", "missing": "–", "open": "·"}


def class_page(
    overview: Overview,
    students: Sequence[StudentProgress],
    mistakes: Sequence[Recurring],
    tasks: Sequence[Difficulty],
    now: datetime,
) -> str:
    """The HTML.

    Args:
        students: every student of the class.
        mistakes: the mistakes that recur.
        tasks: all graded tasks.
        now: the time that the page gives as its date.
    """
    shares = {}
    for one in overview.assignments:
        of_class = overview.of_assignment(one.name).values()
        shares[one.number] = [work.share for work in of_class if work.share is not None]
    return render(
        "class.html",
        {},
        overview=overview,
        assignments=overview.assignments,
        reported={assignment for (_, assignment), w in overview.work.items() if w.tasks},
        students=students,
        behind=[one for one in students if one.is_behind],
        mistakes=mistakes,
        tasks=tasks,
        hard=[one for one in tasks if one.is_hard],
        shares={number: median(of) for number, of in shares.items() if of},
        signs=SIGNS,
        enough=ENOUGH,
        when=f"{now:%Y-%m-%d %H:%M}",
    )
