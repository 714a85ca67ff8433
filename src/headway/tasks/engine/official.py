"""Grade an answer on cases that the student has not seen.

The score comes from hidden cases, drawn with a secret seed. The feedback on them is coarse: the
kind of case that failed, by how much if something is measured, and the known mistake that explains
it; never an input, or what the answer printed or raised. If an answer fails, it also runs on the
visible cases of the student's own check, so that the feedback can show a difference.

An answer can still save its hidden inputs in a file for a later cell to print. That does not help:
the next grading run draws other cases. In one run all students have the same cases, but telling
another student about them helps no more than sharing the code. For tasks with inputs that reveal
the right values, each answer gets its own cases (`Task.own_draw`).
"""

from dataclasses import replace
from operator import attrgetter

from headway.tasks.engine.drawn_cases import VISIBLE
from headway.tasks.engine.judge import Ask, judge_by_asking
from headway.tasks.engine.task import Task
from headway.tasks.engine.verdict import Verdict


def judge_officially(task: Task, ask: Ask, seed: int) -> Verdict:
    """Judge an answer on hidden cases, and explain a failure by the visible ones.

    Args:
        ask: returns the answer's outcome on each of the given cases, within the given value
            sizes. Each call must start the answer afresh, without state from an earlier call.
        seed: seed of the hidden cases; not `VISIBLE`.
    """
    if task.secret:  # the answer is a single value, so nothing is drawn
        return judge_by_asking(task, ask)
    # With own cases for each student, all known mistakes would have to run again for each answer.
    hidden = judge_by_asking(task, ask, seed, named=not task.own_draw)
    if hidden.status in ("passed", "untouched"):
        return hidden
    visible = judge_by_asking(task, ask, VISIBLE)
    named = min(filter(None, [hidden.named, visible.named]), key=attrgetter("rank"), default=None)
    if visible.status in ("failed", "partial"):
        return replace(
            visible,
            reason=" ".join(filter(None, [visible.reason, _missing(hidden)])),
            status=hidden.status,
            score=hidden.score,
            cases=hidden.cases,
            named=named,
            measured=hidden.measured,
        )
    return Verdict(
        task,
        hidden.status,
        hidden.score,
        hidden.cases,
        _coarse(hidden),
        named,
        measured=hidden.measured,
    )


def _coarse(hidden: Verdict) -> str:
    failed = [label for label, passed in hidden.cases if not passed]
    where = f" What fails: {failed[0]}." if len(hidden.cases) > 1 and not hidden.missing else ""
    where = f"{where} {_missing(hidden)}".rstrip()
    return (
        "It passes the cases in your notebook, but not all of the new ones that grading draws."
        f"{where} Does it depend on particular numbers, words or sizes?"
    )


def _missing(hidden: Verdict) -> str:
    """How far the first failed hidden case is from passing; empty if that is not measured."""
    if not hidden.missing:
        return ""
    failed = next(label for label, passed in hidden.cases if not passed)
    return f"In the hidden case “{failed}”, {hidden.missing}."
