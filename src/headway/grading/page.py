"""The report as a page to read: one self-contained HTML file, no script, everything escaped."""

from collections import Counter
from statistics import mean, median

from jinja2 import Environment, PackageLoader, StrictUndefined

from headway.grading.report import Report
from headway.tasks.find import tasks_of

SIGNS = {"passed": "✓", "partial": "◐", "failed": "✗", "untouched": "○"}


def report_page(report: Report, base: str = "") -> str:
    """The HTML of a report.

    Args:
        report: the report.
        base: relative path from the page to the course folder, ending in a slash if not empty;
            the links to the students' feedback start there.
    """
    environment = Environment(
        loader=PackageLoader("headway.grading", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    graded = report.with_status("graded")
    scores = [row.score for row in graded.values()]
    tasks = tasks_of(report.assignment)
    counts = {
        task.id: Counter(
            row.tasks[task.id].status for row in graded.values() if task.id in row.tasks
        )
        for task in tasks
    }
    hints = {(task.id, known.name): known.hint for task in tasks for known in task.misconceptions}
    return environment.get_template("report.html").render(
        report=report,
        base=base,
        tasks=tasks,
        titles={task.id: task.title for task in tasks},
        graded=graded,
        others=report.with_status("set-aside") | report.with_status("missing"),
        mean=mean(scores) if scores else None,
        median=median(scores) if scores else None,
        counts=counts,
        hints=hints,
        signs=SIGNS,
    )
