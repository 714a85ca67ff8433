"""The official test: an answer is held to cases that its author has not seen.

The score comes from hidden cases, drawn with a secret seed. What is said about them is coarse:
which kind of case failed, by how much where something is measured, and the known mistake that
explains it; never an input, or a word that the answer printed or raised there. To show a picture,
an answer that fails is asked once more, on the cases that its author's own check shows.

An answer that leaves its inputs in a file, for a later cell to print, can still tell its author of
them. That is of no use: who hands in something else in another run meets other cases. In one run
all students meet the same, and what one could tell another is the code itself; but where the
questions themselves tell what is right, each answer meets cases of its own (`Task.own_draw`).
"""

from dataclasses import replace

from headway.tasks.engine.drawn_cases import VISIBLE
from headway.tasks.engine.judge import Ask, judge_by_asking
from headway.tasks.engine.task import Task
from headway.tasks.engine.verdict import Verdict


def judge_officially(task: Task, ask: Ask, seed: int) -> Verdict:
    """Hold an answer to hidden cases, and explain a failure by the visible ones.

    Args:
        ask: gives the answer's outcome on each of the cases it is handed, with what size a value
            may have. Each call puts the answer to use afresh: what it kept from an earlier call is
            gone.
        seed: of the hidden cases; not `VISIBLE`.
    """
    if task.secret:  # there is one value to give, and nothing to draw
        return judge_by_asking(task, ask)
    # On cases that nobody else meets, all known mistakes would have to be made for one answer.
    hidden = judge_by_asking(task, ask, seed, named=not task.own_draw)
    if hidden.status in ("passed", "untouched"):
        return hidden
    visible = judge_by_asking(task, ask, VISIBLE)
    misconception = hidden.misconception or visible.misconception
    if visible.status in ("failed", "partial"):
        return replace(
            visible,
            reason=" ".join(filter(None, [visible.reason, _missing(hidden)])),
            status=hidden.status,
            score=hidden.score,
            cases=hidden.cases,
            misconception=misconception,
            measured=hidden.measured,
        )
    return Verdict(
        task,
        hidden.status,
        hidden.score,
        hidden.cases,
        _coarse(hidden),
        misconception,
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
    """How much the first hidden case that failed lacks; nothing where that is not measured."""
    if not hidden.missing:
        return ""
    failed = next(label for label, passed in hidden.cases if not passed)
    return f"In the hidden case “{failed}”, {hidden.missing}."
