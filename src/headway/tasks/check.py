"""The check that a student runs: `check("01-one-hot/lookup", look_up)`.

It stands as the last expression of a locked cell. nbgrader scores such a cell by what it leaves
behind: an error or anything on standard error is zero, a number as the cell's value is that many
points, and *no* value is full points. So a check gives its points as the cell's value when any
are earned, raises when none are, and writes nothing to standard error.

Bonus tasks stand in cells of zero points, as nbgrader's extra credit does. Their check never
raises and its value is 0; what was earned is in the output's data under `MIME`, from where the
grading takes it.
"""

from typing import Any

from headway.tasks.engine.card import card_html, card_text
from headway.tasks.engine.earlier import globals_of, names_in, verdicts, with_earlier
from headway.tasks.engine.find import find_task, tasks_of
from headway.tasks.engine.judge import Verdict, judge

MIME = "application/vnd.headway.check+json"


class NotYet(Exception):  # noqa: N818 - what a student reads, and no error of the program
    """An answer has earned no points yet."""

    def _render_traceback_(self) -> list[str]:
        """The one line that IPython shows in place of a traceback."""
        return [f"NotYet: {self}"]


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
        the points, more than zero; 0 for a bonus task.

    Raises:
        NotYet: if nothing was earned and the task is no bonus.
        UnknownTaskError: if there is no such task.
    """
    task = find_task(task_id)
    verdict = judge(task, answer)
    if verdict.status not in ("passed", "untouched"):
        verdict = _with_earlier(verdict, answer)
    if verdict.score == 0 and not verdict.task.bonus:
        _show(verdict)
        named = f" ({verdict.misconception.name})" if verdict.misconception else ""
        raise NotYet(f"{task_id}: {verdict.reason}{named}")
    points = Points(0.0 if verdict.task.bonus else verdict.score)
    points.verdict = verdict
    return points


def _with_earlier(verdict: Verdict, answer: Any) -> Verdict:
    """The verdict, with the earlier answers that this one uses and that fail their own checks."""
    used = names_in(answer)
    tasks = tasks_of(verdict.task.id.partition("/")[0])
    earlier = tasks[: tasks.index(verdict.task)]
    return with_earlier(verdict, used, verdicts(earlier, globals_of(answer), used))


def bundle(verdict: Verdict) -> dict:
    """The card of a verdict in every form that a notebook shows, and its data."""
    return {
        "text/plain": card_text(verdict),
        "text/html": card_html(verdict),
        MIME: verdict.as_dict(),
    }


def _show(verdict: Verdict) -> None:
    """Show the card: in a notebook as an output, elsewhere as text."""
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.display import display

    if InteractiveShell.initialized():
        display(bundle(verdict), raw=True)
    else:
        print(card_text(verdict))
