"""Holding an answer to a task: which cases pass, what it earns, which mistake it is."""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import lru_cache, partial
from inspect import signature
from reprlib import Repr
from typing import Any, Literal

import numpy as np

from headway.tasks.engine.compare import Difference, examining
from headway.tasks.engine.comparisons import Comparisons, Run, is_raised
from headway.tasks.engine.duties import ANOTHER_EXCEPTION, duty_cases, duty_of
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.probe import (
    Outcome,
    Raised,
    call,
    call_each,
    forward,
    observe,
    use,
)
from headway.tasks.engine.task import Case, Task
from headway.tasks.engine.weight import bounded, most_for

SHORT = Repr()
SHORT.maxlist, SHORT.maxstring, SHORT.maxother = 12, 60, 60

Status = Literal["passed", "partial", "failed", "untouched"]
# Cases, and what a value may weigh in each of them -> the outcomes.
Ask = Callable[[Sequence[Case], Sequence[int]], list[Outcome]]

# An assignment has up to 16 tasks, each held to the visible and to the hidden cases.
KEPT_DRAWS = 64
VISIBLE = 0  # the seed of the cases that a student's own check shows
NOTHING_YET = "There is no answer here yet."


@dataclass(frozen=True)
class Verdict:
    """What came of holding an answer to a task.

    Attributes:
        task: the task.
        status: "passed", "partial", "failed", or "untouched" where nothing was filled in.
        score: points earned, 0 … task.points, in quarters.
        cases: (label, whether it passed) of each case.
        reason: a sentence on the first case that failed; empty if none did.
        misconception: the known mistake that the answer equals on every case, or the duty that it
            fails, if there is one.
        difference: what to draw, from the first case that failed; None where drawing it would
            give the answer away.
        inputs: that case's inputs, as text; empty where there are none to show.
        printed: what the answer printed during that case.
        measured: figures of the answer by name, where the task has a leaderboard.
        missing: what the first case that failed lacks, in words that may be said of a hidden one.
    """

    task: Task
    status: Status
    score: float
    cases: tuple[tuple[str, bool], ...] = ()
    reason: str = ""
    misconception: Misconception | None = None
    difference: Difference | None = None
    inputs: str = ""
    printed: str = ""
    measured: Mapping[str, float] = field(default_factory=dict)
    missing: str = ""

    def as_dict(self) -> dict:
        """The verdict as JSON data, for reports and for `--json`."""
        data = {
            "task": self.task.id,
            "status": self.status,
            "score": self.score,
            "max": self.task.points,
            "bonus": self.task.bonus,
            "misconception": self.misconception.name if self.misconception else None,
            "hint": self.misconception.hint if self.misconception else None,
            "reason": self.reason or None,
            "cases": [{"label": label, "passed": passed} for label, passed in self.cases],
        }
        return data | ({"measured": dict(self.measured)} if self.measured else {})


def judge(task: Task, answer: Any, seed: int = VISIBLE) -> Verdict:
    """Hold an answer to a task.

    Args:
        seed: of the generator that draws the cases; the same seed draws the same cases.
    """
    if is_stub(answer):
        return Verdict(task, "untouched", 0.0, reason=NOTHING_YET)
    return judge_by_asking(task, partial(_observe_all, task, answer), seed)


def judge_by_asking(task: Task, ask: Ask, seed: int = VISIBLE, named: bool = True) -> Verdict:
    """Hold an answer to a task without having it: somebody else puts it to use.

    Args:
        ask: gives the answer's outcome on each of the cases, which it leaves as they are. It need
            not bring in what weighs more than it may (`headway.tasks.engine.weight`).
        seed: as for `judge`.
        named: look for a known mistake that explains a failure.
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
        reason = "It still behaves exactly like the code that was given."
        return Verdict(task, "untouched", 0.0, reason=reason)
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
        _name(comparisons, task, mine, right, differences, seed) if named else None,
        difference,
        _inputs_text(task, at, seed),
        mine.outcomes[at].printed,
        measured,
        missing,
    )


def is_stub(answer: Any) -> bool:
    """Whether an answer is what stands in a notebook before it is filled in."""
    return answer is None or answer is ...


def cases_of(task: Task, seed: int) -> tuple[Case, ...]:
    """The cases that an answer is held to: the task's own, then those of its duties.

    They are drawn once, for drawing some of them takes long. Whoever puts an answer to use gives it
    copies of their inputs.
    """
    return _drawn(task, seed).cases


def draw_cases(task: Task, seed: int) -> tuple[Case, ...]:
    """As `cases_of`, drawn anew."""
    cases = task.cases(_chance(task, seed))
    return (*cases, *duty_cases(task, cases))


class _Drawn:
    """The cases of a seed, and what known answers do on them; whole catalogues are kept."""

    def __init__(self, task: Task, seed: int):
        self.cases = draw_cases(task, seed)
        self.runs: dict[str | tuple[int, int], Run] = {}


_kept = lru_cache(maxsize=KEPT_DRAWS)(_Drawn)
_kept_for_one = lru_cache(maxsize=1)(_Drawn)  # who hands in the next answer meets other cases


def _drawn(task: Task, seed: int) -> _Drawn:
    return (_kept_for_one if task.own_draw and seed != VISIBLE else _kept)(task, seed)


def forget_draws() -> None:
    """Keep nothing of what was drawn."""
    _kept.cache_clear()
    _kept_for_one.cache_clear()


def _chance(task: Task, seed: int) -> np.random.Generator:
    """What hidden cases are drawn with: chance of its own for each task.

    An answer can leave its inputs in a file for later answers of its notebook. Were the chance the
    same, the cases of one task could tell what is to come in another.
    """
    own = seed if seed == VISIBLE else (seed, *task.id.encode())
    return np.random.default_rng(own)


def _observe_all(
    task: Task, answer: Any, cases: Sequence[Case], most: Sequence[int] = ()
) -> list[Outcome]:
    return [observe(case.verb or task.probe, answer, deepcopy(case.inputs)) for case in cases]


def known_run(task: Task, which: str | tuple[int, int], seed: int) -> Run:
    """What the right answer, the given one or a known wrong one does; many answers meet it.

    Args:
        which: "reference", "given", or the places of a misconception in the catalogue and of one of
            its wrong answers.
    """
    drawn = _drawn(task, seed)
    if which not in drawn.runs:
        if isinstance(which, tuple):
            mistake, place = which
            answer = task.misconceptions[mistake].answers[place]
        else:
            answer = getattr(task, which)
        drawn.runs[which] = Run(drawn.cases, _observe_all(task, answer, drawn.cases))
    return drawn.runs[which]


def _measured(task: Task, run: Run) -> dict[str, float]:
    """The figures of an answer; none unless it gave something for each of the task's own cases."""
    own = [pair for pair in zip(run.cases, run.outcomes, strict=True) if not duty_of(pair[0])]
    if task.leaderboard is None or any(isinstance(outcome, Raised) for _, outcome in own):
        return {}
    try:
        return task.leaderboard.figures([c for c, _ in own], [outcome.value for _, outcome in own])
    except (TypeError, ValueError, LookupError, AttributeError):  # values of another form
        return {}


def _is_blank_run(run: Run) -> bool:
    """Whether all outcomes are a stub's; the arguments that a duty looks at stay what they are."""
    return all(
        _is_blank(outcome)
        for case, outcome in zip(run.cases, run.outcomes, strict=True)
        if not duty_of(case)
    )


def _is_blank(outcome: Outcome) -> bool:
    """Whether an outcome is what a stub gives: None, Nones, or NotImplementedError.

    A module that nothing was filled into has no weights, an empty dictionary.
    """
    if isinstance(outcome, Raised):
        return outcome.error == "NotImplementedError"
    value = outcome.value
    results = value.values() if isinstance(value, dict) else [value]
    return all(result is None or (isinstance(result, dict) and not result) for result in results)


def _coarse_reason(outcome: Outcome, reference: Any) -> str:
    """What may be said of a wrong value without giving the right one away."""
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
    inputs, probe = case.inputs, use if case.verb is use else task.probe
    if case.verb is call_each:
        (calls,) = inputs
        inputs = calls[0]
    if probe is call:
        names = list(signature(task.reference).parameters)[: len(inputs)]
        return "\n".join(f"{name} = {_short(x)}" for name, x in zip(names, inputs, strict=True))
    if probe is use:
        arguments, *calls = inputs
        lines = [f"made = {task.answer}({', '.join(map(_short, arguments))})"]
        lines += [f"made.{method}({', '.join(map(_short, given))})" for method, *given in calls]
        return "\n".join(lines)
    if probe is forward:
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
    """Points in quarters, rounded down: half for the core, without which there are none.

    The other half is shared alike by the corner cases, of which those of one path count as one.
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


def _name(
    comparisons: Comparisons,
    task: Task,
    mine: Run,
    right: Run,
    differences: Sequence[Difference | None],
    seed: int,
) -> Misconception | None:
    """What the mistake is called.

    It is the misconception one of whose wrong answers does on every case what the answer does, or
    does so on the task's own cases if both fail there. Who fails nothing but duties has the name of
    the first; who fails nothing but to raise the exception that was asked for has one, too.
    """
    failed = [case for case, found in zip(mine.cases, differences, strict=True) if found]
    own = [place for place, case in enumerate(mine.cases) if not duty_of(case)]
    places = [range(len(mine.cases))]
    if any(not duty_of(case) for case in failed):
        places.append(own)
    for compared in places:
        for mistake, misconception in enumerate(task.misconceptions):
            for place in range(len(misconception.answers)):
                theirs = known_run(task, (mistake, place), seed)
                if comparisons.same(mine, theirs, compared) and any(
                    found and at in compared
                    for at, found in enumerate(comparisons.differences(theirs, right))
                ):
                    return misconception
    if all(map(duty_of, failed)):
        return duty_of(failed[0]).failed
    off = [at for at, difference in enumerate(differences) if difference]
    refused = all(is_raised(run.outcomes[at]) for at in off for run in (mine, right))
    return ANOTHER_EXCEPTION if refused else None
