"""Read the verdicts in the outputs of an executed notebook's checks.

A process that ran a student's code wrote these outputs, so they are untrusted. A verdict needs a
known task, a known status, a misconception from that task's catalogue, a finite score within
bounds and a reason of limited length. Anything else is ignored.
"""

from typing import Any, get_args

from headway.grading.notebooks.task_result import TaskResult
from headway.grading.safe_text import in_lines, one_line
from headway.tasks.check import MIME
from headway.tasks.engine.requirements import hints_of
from headway.tasks.engine.task import Task
from headway.tasks.engine.verdict import Status

LONGEST_DETAILS = 8_000  # characters of a check's details on a case


def read_verdict(cell, task: Task) -> TaskResult | None:
    """The verdict among a check cell's outputs; None if there is no valid one."""
    for output in cell.get("outputs", []):
        if MIME in output.get("data", {}):
            return _validated(output["data"][MIME], task)
    return None


def details_in(cell) -> str:
    """The details on the first failed case from a check cell's card, as lines; may be empty.

    They are only for the student's own terminal, and in no report.
    """
    for output in cell.get("outputs", []):
        data = output.get("data", {}).get(MIME)
        if isinstance(data, dict) and isinstance(data.get("details"), str):
            return in_lines(data["details"][:LONGEST_DETAILS])
    return ""


def result_of(cell, task: Task) -> TaskResult:
    """The verdict of a check cell, or, if it has none, a failure with the reason."""
    verdict = read_verdict(cell, task)
    if verdict:
        return verdict
    for output in cell.get("outputs", []):
        if output.get("output_type") == "error":
            reason = one_line(f"{output.get('ename')}: {output.get('evalue')}")
            return TaskResult("failed", 0.0, task.points, None, reason)
    return TaskResult("failed", 0.0, task.points, None, "The check gave no result.")


def _validated(data: Any, task: Task) -> TaskResult | None:
    if not isinstance(data, dict) or data.get("task") != task.id:
        return None
    status, score = data.get("status"), data.get("score")
    if status not in get_args(Status) or type(score) not in (int, float):
        return None
    if not 0 <= score <= task.points:  # NaN compares false
        return None
    name = data.get("misconception")
    if not isinstance(name, str) or name not in hints_of(task):
        name = None
    reason = data.get("reason")
    reason = one_line(reason) if isinstance(reason, str) and reason else None
    return TaskResult(status, float(score), task.points, name, reason)
