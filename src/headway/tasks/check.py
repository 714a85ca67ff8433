"""The check that a student runs: `check("01-one-hot/lookup", look_up)`.

It stands as the last expression of a locked cell. nbgrader scores such a cell by what it leaves
behind: an error or anything on standard error is zero, a number as the cell's value is that many
points, and *no* value is full points. So a check gives its points as the cell's value, 0 among
them: it never raises for an answer that is wrong or not there yet, so that *Run all* gets to the
last cell. It writes to standard error only while nbgrader validates, which shows from there why a
cell fails.

A model that is fitted in one place and predicts in another is held to account as it is graded: the
cell that made it runs alone (`headway.tasks.engine.own_processes`).

Bonus tasks stand in cells of zero points, as nbgrader's extra credit does. The value of their check
is 0; what was earned is in the output's data under `MIME`, from where the grading takes it.
"""

import os
import sys
import textwrap
from typing import Any

from headway.tasks.engine import tries
from headway.tasks.engine.card import card_html, card_text, details_text
from headway.tasks.engine.earlier import globals_of, names_in, verdicts, with_earlier
from headway.tasks.engine.find import find_task, tasks_of
from headway.tasks.engine.judge import is_stub, judge
from headway.tasks.engine.own_cell import Cell, fit_then_predict, makes
from headway.tasks.engine.own_processes import judge_alone
from headway.tasks.engine.task import Task
from headway.tasks.engine.verdict import Verdict

MIME = "application/vnd.headway.check+json"
VALIDATION_WIDTH = 80  # behind an indent; nbgrader cuts longer lines off


class Points(float):
    """The points earned, shown in a notebook as the card of the check."""

    verdict: Verdict

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict:
        data = bundle(self.verdict)
        del data["text/plain"]  # stays the number itself, from which nbgrader reads the score
        return data


def check(task_id: str, answer: Any) -> Points:
    """Hold an answer to a task, show a card, and give the points.

    Args:
        task_id: assignment and name, "01-one-hot/lookup".
        answer: the value, function or class that the task asks for.

    Returns:
        the points; 0 for a bonus task.

    Raises:
        UnknownTaskError: if there is no such task.
    """
    task = find_task(task_id)
    cell = _own_cell(task, answer) if task.verb is fit_then_predict else None
    verdict = judge_alone(task, cell) if cell else judge(task, answer)
    if verdict.status not in ("passed", "untouched"):
        verdict = _with_earlier(verdict, answer)
    points = Points(0.0 if task.bonus else verdict.score)
    points.verdict = verdict
    if not _in_a_notebook():
        print(card_text(verdict))
        return points
    if tries.are_recorded():
        tries.add(verdict, _source(task))
    if _is_validated() and _lacks(verdict):
        print(_why(verdict), file=sys.stderr)
    return points


def _own_cell(task: Task, answer: Any) -> Cell | None:
    """The cell that made the answer, as a notebook has run it last; None where it is not known."""
    from IPython.core.interactiveshell import InteractiveShell

    if not InteractiveShell.initialized() or is_stub(answer):
        return None
    shell = InteractiveShell.instance()
    source = _source(task)
    if not source or shell.user_ns.get(task.answer) is not answer:
        return None
    return Cell(source, task.answer, shell.user_ns.__contains__)


def _source(task: Task) -> str:
    """The cell that makes the answer, as the notebook has run it last; empty if there is none."""
    from IPython.core.interactiveshell import InteractiveShell

    cells = reversed(InteractiveShell.instance().history_manager.input_hist_raw)
    return next((source for source in cells if makes(task.answer, source)), "")


def _with_earlier(verdict: Verdict, answer: Any) -> Verdict:
    """The verdict, with the earlier answers that this one uses and that fail their own checks."""
    used = names_in(answer)
    tasks = tasks_of(verdict.task.id.partition("/")[0])
    earlier = tasks[: tasks.index(verdict.task)]
    return with_earlier(verdict, used, verdicts(earlier, globals_of(answer), used))


def bundle(verdict: Verdict) -> dict:
    """The card of a verdict in every form that a notebook shows, and its data."""
    details = details_text(verdict)
    return {
        "text/plain": card_text(verdict),
        "text/html": card_html(verdict),
        MIME: verdict.as_dict() | ({"details": details} if details else {}),
    }


def _in_a_notebook() -> bool:
    """Whether there is somebody to show a value of the kind that a cell ends with."""
    module = sys.modules.get("IPython.core.interactiveshell")
    return module is not None and module.InteractiveShell.initialized()


def _is_validated() -> bool:
    """Whether it is `nbgrader validate` that runs the notebook, or its button in JupyterLab."""
    return os.environ.get("NBGRADER_EXECUTION") == "validate"


def _lacks(verdict: Verdict) -> bool:
    """Whether validation lists a check: as failed, or as a bonus task that was tried in vain."""
    fine = ("passed", "untouched") if verdict.task.bonus else ("passed",)
    return verdict.status not in fine


def _why(verdict: Verdict) -> str:
    """Why not all points are earned, in lines that nbgrader shows whole."""
    task, mistake = verdict.task, verdict.misconception
    points = "bonus points" if task.bonus else "points"
    said = [f"{task.title}: {verdict.score:g} of {task.points:g} {points}.", verdict.reason]
    if mistake:
        said.append(f"{mistake.name}: {mistake.hint}")
    lines = (textwrap.wrap(words, VALIDATION_WIDTH) for words in said if words)
    return "\n".join(line for wrapped in lines for line in wrapped)
