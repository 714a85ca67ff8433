"""The check that a student runs: `check("01-one-hot/lookup", look_up)`.

It is the last expression of a locked cell. nbgrader scores such a cell by its output: an error or
anything on standard error is zero points, a number as the cell's value is that many points, and
*no* value is full points. So a check returns its points, also if they are 0. It never raises for
an answer that is wrong or missing, so that *Run all* gets to the last cell. It writes to standard
error only while nbgrader validates, since nbgrader shows from there why a cell fails.

If a task asks for a model with `fit` and `predict`, only the cell that defines the model runs, as
in grading (`headway.tasks.engine.unseen_text`).

Bonus tasks are in cells of zero points, as nbgrader's extra credit is. The value of their check is
0; the grader reads the points earned from the output's data under `MIME`.
"""

import os
import sys
import textwrap
from typing import Any

from headway.tasks.engine import tries
from headway.tasks.engine.card import card_html, card_text, details_text
from headway.tasks.engine.earlier import globals_of, names_in, verdicts, with_earlier
from headway.tasks.engine.find import tasks_of
from headway.tasks.engine.judge import is_stub, judge
from headway.tasks.engine.right_value import find_checked
from headway.tasks.engine.task import Task
from headway.tasks.engine.unseen_text.cell import Cell, fit_then_predict, judge_alone, makes
from headway.tasks.engine.verdict import Verdict

MIME = "application/vnd.headway.check+json"
VALIDATION_WIDTH = 80  # without the indent; nbgrader cuts longer lines


class Points(float):
    """The points earned; a notebook shows them as the check's card."""

    verdict: Verdict

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict:
        data = bundle(self.verdict)
        del data["text/plain"]  # IPython then shows the number, from which nbgrader reads the score
        return data


def check(task_id: str, answer: Any, right: str = "") -> Points:
    """Check the answer to a task, show a card, and return the points.

    Args:
        task_id: assignment and name, "01-one-hot/lookup".
        answer: the value, function or class that the task asks for.
        right: the right value in place of the package's, coded; `headway release` writes it where
            the numbers in a question were changed.

    Returns:
        the points; 0 for a bonus task.

    Raises:
        UnknownTaskError: if there is no such task, or `right` can't be read.
    """
    task = find_checked(task_id, right)
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
    """The last run cell that defines the answer; None if the answer is not from this notebook."""
    from IPython.core.interactiveshell import InteractiveShell

    if not InteractiveShell.initialized() or is_stub(answer):
        return None
    shell = InteractiveShell.instance()
    source = _source(task)
    if not source or shell.user_ns.get(task.answer) is not answer:
        return None
    code = shell.transform_cell(source).removesuffix("\n")  # without magics such as `%time`
    return Cell(code, task.answer, shell.user_ns.__contains__, task.hidden)


def _source(task: Task) -> str:
    """The source of the last run cell that defines the answer; empty if there is none."""
    from IPython.core.interactiveshell import InteractiveShell

    cells = reversed(InteractiveShell.instance().history_manager.input_hist_raw)
    return next((source for source in cells if makes(task.answer, source)), "")


def _with_earlier(verdict: Verdict, answer: Any) -> Verdict:
    """The verdict, naming the earlier answers that this one uses and that fail their checks."""
    used = names_in(answer)
    tasks = tasks_of(verdict.task.id.partition("/")[0])
    earlier = tasks[: [task.id for task in tasks].index(verdict.task.id)]
    return with_earlier(verdict, used, verdicts(earlier, globals_of(answer), used))


def bundle(verdict: Verdict) -> dict:
    """The card of a verdict as a MIME bundle, with the verdict's data."""
    details = details_text(verdict)
    return {
        "text/plain": card_text(verdict),
        "text/html": card_html(verdict),
        MIME: verdict.as_dict() | ({"details": details} if details else {}),
    }


def _in_a_notebook() -> bool:
    """Whether IPython is running, which shows a cell's last value."""
    module = sys.modules.get("IPython.core.interactiveshell")
    return module is not None and module.InteractiveShell.initialized()


def _is_validated() -> bool:
    """Whether `nbgrader validate`, or its button in JupyterLab, runs the notebook."""
    return os.environ.get("NBGRADER_EXECUTION") == "validate"


def _lacks(verdict: Verdict) -> bool:
    """Whether validation should list the check as failed; an untouched bonus task is fine."""
    fine = ("passed", "untouched") if verdict.task.bonus else ("passed",)
    return verdict.status not in fine


def _why(verdict: Verdict) -> str:
    """Why points are missing, in lines short enough for nbgrader."""
    task, mistake = verdict.task, verdict.misconception
    points = "bonus points" if task.bonus else "points"
    said = [f"{task.title}: {verdict.score:g} of {task.points:g} {points}.", verdict.reason]
    if mistake:
        said.append(f"{mistake.name}: {mistake.hint}")
    lines = (textwrap.wrap(words, VALIDATION_WIDTH) for words in said if words)
    return "\n".join(line for wrapped in lines for line in wrapped)
