"""Judge an answer to a task: which cases pass, how many points it earns, which mistake it is."""

from collections.abc import Callable, Sequence
from functools import partial
from inspect import signature
from reprlib import Repr
from typing import Any

import numpy as np

from headway.tasks.engine.compare import Difference, examining
from headway.tasks.engine.comparisons import Comparisons, Run
from headway.tasks.engine.drawn_cases import VISIBLE, cases_of, known_run, observe_all
from headway.tasks.engine.naming import Named, Naming
from headway.tasks.engine.probe.calls import call, call_each, forward, use
from headway.tasks.engine.probe.outcomes import Outcome, Raised
from headway.tasks.engine.requirements import requirement_of
from headway.tasks.engine.task import Case, Task
from headway.tasks.engine.value_size import bounded, most_for
from headway.tasks.engine.verdict import Verdict

SHORT = Repr()
SHORT.maxlist, SHORT.maxstring, SHORT.maxother = 12, 60, 60

# (cases, the largest allowed value size for each case) -> the answer's outcomes.
Ask = Callable[[Sequence[Case], Sequence[int]], list[Outcome]]

NOTHING_YET = "There is no answer here yet."
STILL_GIVEN = "It still behaves exactly like the code that was given."


def judge(task: Task, answer: Any, seed: int = VISIBLE) -> Verdict:
    """Judge an answer to a task.

    Args:
        seed: seed for drawing the cases; the same seed draws the same cases.
    """
    if is_stub(answer):
        return Verdict(task, "untouched", 0.0, reason=NOTHING_YET)
    return judge_by_asking(task, partial(observe_all, task, answer), seed)


def judge_by_asking(task: Task, ask: Ask, seed: int = VISIBLE, named: bool = True) -> Verdict:
    """Judge an answer that runs elsewhere, such as in a sandbox.

    Args:
        ask: returns the answer's outcome on each of the cases, without changing them. It need not
            transfer values that are too large (`headway.tasks.engine.value_size`).
        seed: as for `judge`.
        named: run known wrong answers to find the mistake that explains a failure.
    """
    right = known_run(task, "reference", seed)
    most = [most_for(outcome) for outcome in right.outcomes]
    given = ask(right.cases, most)
    mine = Run(right.cases, [bounded(*pair) for pair in zip(given, most, strict=True)])
    with examining():
        return _judged(task, mine, right, seed, named)


def _judged(task: Task, mine: Run, right: Run, seed: int, named: bool) -> Verdict:
    comparisons = Comparisons(task)
    if _is_blank_run(mine):
        reason = f"{NOTHING_YET[:-1]}: it gives None. (Does it return what it computes?)"
        return Verdict(task, "untouched", 0.0, reason=reason)
    if task.given is not None and comparisons.same(mine, known_run(task, "given", seed)):
        return Verdict(task, "untouched", 0.0, reason=STILL_GIVEN)
    differences = comparisons.differences(mine, right)
    passed = [difference is None for difference in differences]
    labels = tuple((case.label, ok) for case, ok in zip(mine.cases, passed, strict=True))
    measured = _measured(task, mine)
    if all(passed):
        return Verdict(task, "passed", float(task.points), labels, measured=measured)

    score = _score(task, mine.cases, passed)
    at = passed.index(False)
    difference = differences[at]
    reason, missing = difference.message, difference.missing
    if task.secret:
        difference, reason = None, _coarse_reason(mine.outcomes[at], task.reference)
    elif len(mine.cases) > 1:
        label = mine.cases[at].label
        reason = f"{label[0].upper()}{label[1:]}: {reason}"
    return Verdict(
        task,
        "partial" if score else "failed",
        score,
        labels,
        reason,
        _named(comparisons, task, mine, right, differences, seed, named),
        difference,
        _inputs_text(task, at, seed),
        mine.outcomes[at].printed,
        measured,
        missing,
    )


def is_stub(answer: Any) -> bool:
    """Whether an answer is the notebook's placeholder, None or `...`."""
    return answer is None or answer is ...


def _measured(task: Task, run: Run) -> dict[str, float]:
    """The metrics of an answer; empty if the answer raised on one of the task's own cases."""
    own = [
        pair for pair in zip(run.cases, run.outcomes, strict=True) if not requirement_of(pair[0])
    ]
    if task.leaderboard is None or any(isinstance(outcome, Raised) for _, outcome in own):
        return {}
    try:
        return task.leaderboard.figures([c for c, _ in own], [outcome.value for _, outcome in own])
    except (TypeError, ValueError, LookupError, AttributeError):  # values of another form
        return {}


def _is_blank_run(run: Run) -> bool:
    """Whether all outcomes are a stub's, but for requirements: they may return the arguments."""
    return all(
        _is_blank(outcome)
        for case, outcome in zip(run.cases, run.outcomes, strict=True)
        if not requirement_of(case)
    )


def _is_blank(outcome: Outcome) -> bool:
    """Whether an outcome is a stub's: None, only Nones, or NotImplementedError.

    An unfinished torch module has no weights: an empty dictionary.
    """
    if isinstance(outcome, Raised):
        return outcome.error == "NotImplementedError"
    value = outcome.value
    results = value.values() if isinstance(value, dict) else [value]
    return all(result is None or (isinstance(result, dict) and not result) for result in results)


def _coarse_reason(outcome: Outcome, reference: Any) -> str:
    """Describe a wrong value without revealing the right one."""
    if isinstance(outcome, Raised):
        return outcome.message
    if isinstance(outcome.value, str):
        return "This is text, between quotes. Give the value itself."
    if isinstance(outcome.value, list | np.ndarray) and not isinstance(
        reference, list | tuple | np.ndarray
    ):
        return "This is a list or an array. Give a single number."
    got, wanted = _shape(outcome.value), _shape(reference)
    if got and wanted and got != wanted and np.prod(got) == np.prod(wanted):
        return f"The value has the shape {got}; expected {wanted}."
    return "This is not the value asked for."


def _shape(value: Any) -> tuple[int, ...]:
    """The shape of an array, or of a list that can be one; () for anything else."""
    try:
        return np.shape(value)
    except ValueError:  # ragged
        return ()


def _inputs_text(task: Task, at: int, seed: int) -> str:
    """The call of a case as text."""
    case = cases_of(task, seed)[at]
    inputs, verb = case.inputs, use if case.verb is use else task.verb
    if case.verb is call_each:
        (calls,) = inputs
        inputs = calls[0]
    if verb is call:
        names = list(signature(task.reference).parameters)[: len(inputs)]
        return "\n".join(f"{name} = {_short(x)}" for name, x in zip(names, inputs, strict=True))
    if verb is use:
        arguments, *calls = inputs
        lines = [f"made = {task.answer}({', '.join(map(_short, arguments))})"]
        lines += [f"made.{method}({', '.join(map(_short, given))})" for method, *given in calls]
        return "\n".join(lines)
    if verb is forward:
        arguments, _, given = inputs
        shapes = ", ".join(
            str(x) if x is None else f"{str(x.dtype)[6:]} {tuple(x.shape)}" for x in given
        )
        return f"made = {task.answer}({', '.join(map(_short, arguments))})\nmade({shapes})"
    return ""


def _short(value: Any) -> str:
    if isinstance(value, np.ndarray):
        text = np.array2string(value, threshold=40, edgeitems=4, separator=", ")
        return f"np.array({text})" if value.size else f"np.zeros({value.shape}, {value.dtype})"
    return SHORT.repr(value)


def _score(task: Task, cases: Sequence[Case], passed: list[bool]) -> float:
    """The points, rounded down to quarters: half for the core cases, 0 if one of them fails.

    The other half is divided equally among the corner cases; cases with the same path count as one.
    """
    parts: dict[str, bool] = {}
    for case, ok in zip(cases, passed, strict=True):
        if case.core and not ok:
            return 0.0
        if not case.core:
            part = case.path or case.label
            parts[part] = ok and parts.get(part, True)
    share = sum(parts.values()) / len(parts) if parts else 1.0
    return int(4 * task.points * (1 + share) / 2) / 4


def _named(
    comparisons: Comparisons,
    task: Task,
    mine: Run,
    right: Run,
    differences: Sequence[Difference | None],
    seed: int,
    known: bool,
) -> Named | None:
    runs = partial(known_run, task, seed=seed) if known else None
    return Naming(task, comparisons, mine, right, differences, runs).name()
