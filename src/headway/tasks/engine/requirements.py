"""Requirements for any answer, such as not changing the arguments, with cases for every task.

The cases of the requirements are made from the task's first core case: the same call again, a
single row, numbers of another type or size, and a look at the arguments and the result afterwards.
A task that does not ask for a requirement lists it in `excused`. A task that needs a different case
for a requirement, or has a kind to which the requirement does not apply, adds its own
(`arguments_kept`).
"""

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from headway.tasks.engine.compare import Compare, Difference, equal
from headway.tasks.engine.mistakes import AnyOf, Misconception, SharedMisconception
from headway.tasks.engine.probe.calls import (
    call,
    call_then_look,
    call_then_spoil,
    forward,
    forward_then_look,
    use,
    use_then_look,
)
from headway.tasks.engine.probe.outcomes import Raised, Verb, observe
from headway.tasks.engine.symptoms import symptoms_of
from headway.tasks.engine.task import Case, Task

PATH = "what every answer owes"
KINDS = ("build", "stretch")
EQUAL = equal()
ROUNDED = 1e-3  # tolerance, relative to the largest number in a row
LARGE = {"float32": 30, "float64": 1000}  # factors: exp of numbers so much larger is infinite


@dataclass(frozen=True)
class Requirement(SharedMisconception):
    """A requirement for every answer that is code; failing it is a mistake shared by all tasks.

    Attributes:
        label: label of its case.
        asked: (task, its first core case) -> inputs and further arguments of the requirement's
            case; None if the requirement does not apply.
        of_all: whether its case uses the case with most arguments, such as one with a mask.
        kinds: kinds of tasks to which the requirement applies.
    """

    label: str
    asked: Callable[[Task, Case], tuple[Sequence, dict[str, Any]] | None]
    of_all: bool = False
    kinds: tuple[str, ...] = KINDS

    @property
    def failed(self) -> Misconception:
        """The mistake of failing this requirement alone; it needs no wrong answers."""
        return Misconception(self.name, AnyOf(), self.hint)

    def case(self, *inputs: Any, **options: Any) -> Case:
        """A case of this requirement; all requirements of a task count as one corner case."""
        return Case(self.label, *inputs, path=PATH, **options)


def arguments_kept(*inputs: Any, verb: Verb = call_then_look, compare: Compare = EQUAL) -> Case:
    """A task's own case of whether arguments are kept; it replaces the general case."""
    return ARGUMENTS_KEPT.case(*inputs, verb=verb, compare=compare)


def result_kept(*inputs: Any) -> Case:
    """A task's own case for the requirement that a result never changes later."""
    return RESULT_KEPT.case(*inputs, verb=call_then_spoil)


def usual_case(cases: Sequence[Case]) -> Case | None:
    """The first core case that is put as the task's others are, or just the first core case."""
    core = [case for case in cases if case.core]
    return next((case for case in core if case.verb is None), core[0] if core else None)


def requirement_cases(task: Task, cases: Sequence[Case]) -> list[Case]:
    """The cases of all requirements of a task; together they count as one corner case.

    Args:
        cases: the task's own cases.
    """
    first = usual_case(cases)
    if first is None:
        return []
    fullest = max((first, *cases), key=lambda case: _count_given(task, case))
    made = []
    asked_already = {case.label for case in cases}
    for requirement in REQUIREMENTS:
        if task.kind not in requirement.kinds or requirement.label in asked_already:
            continue
        case = fullest if requirement.of_all else first
        asked = None if requirement.name in task.excused else requirement.asked(task, case)
        if asked is not None:
            inputs, options = asked
            asked_for = {"truth": case.truth, "compare": case.compare} | options
            made.append(requirement.case(*deepcopy(inputs), **asked_for))
    return made


def hints_of(task: Task) -> dict[str, str]:
    """Name → hint of each mistake that a verdict on a task can name, requirements included."""
    known = (*symptoms_of(task), *REQUIREMENTS, ANOTHER_EXCEPTION, *task.misconceptions)
    return {mistake.name: mistake.hint for mistake in known}


def requirement_of(case: Case) -> Requirement | None:
    """The requirement that a case checks; None for a task's own case."""
    return next((d for d in REQUIREMENTS if case.path == PATH and d.label == case.label), None)


def _look_at_arguments(task: Task, first: Case):
    looks = {call: call_then_look, forward: forward_then_look, use: use_then_look}
    if task.verb in looks:
        return first.inputs, {"verb": looks[task.verb], "compare": EQUAL}
    return None


def _second_call(task: Task, first: Case):
    return first.inputs, {}


def _spoil_arguments(task: Task, first: Case):
    return (first.inputs, {"verb": call_then_spoil}) if task.verb is call else None


def _alone(task: Task, first: Case):
    """The second row of each array with as many rows as the first matrix, if rows do not mix."""
    given = _given(task, first)
    matrices = [x for x in given if len(getattr(x, "shape", ())) >= 2]
    if not matrices or len(matrices[0]) < 2:
        return None
    rows = len(matrices[0])
    alone = [x[1:2] if getattr(x, "shape", (0,))[:1] == (rows,) else x for x in given]
    inputs = _with_given(task, first, alone)
    together, by_itself = (
        observe(task.verb, task.reference, deepcopy(x)) for x in (first.inputs, inputs)
    )
    if isinstance(together, Raised) or isinstance(by_itself, Raised):
        return None
    values = together.value, by_itself.value
    if not all(isinstance(x, np.ndarray) and x.ndim for x in values) or len(values[0]) != rows:
        return None
    mixed = task.compare(values[1], values[0][1:2], first)
    return None if mixed else (inputs, {})


def _whole_numbers(task: Task, first: Case):
    """Inputs with the first float array replaced by integers."""
    given = list(_given(task, first))
    for place, x in enumerate(given):
        if isinstance(x, np.ndarray) and x.dtype.kind == "f" and x.size:
            given[place] = np.rint(3 * x).astype(np.int64)
            return _with_given(task, first, given), {}
    return None


def _large_numbers(task: Task, first: Case):
    given = _given(task, first)
    large = [_enlarged(x) for x in given]
    if all(new is old for new, old in zip(large, given, strict=True)):
        return None
    return _with_given(task, first, large), {"compare": partial(_near_where_large, task)}


def _near_where_large(task: Task, got: Any, expected: Any, case: Case) -> Difference | None:
    """As the task's comparison, but with a larger tolerance for float32.

    The rounding error of large numbers depends on the order of the steps, which the answer may
    choose.
    """
    found = task.compare(got, expected, case)
    if found is None or getattr(expected, "dtype", None) != np.float32:
        return found
    if not isinstance(got, np.ndarray) or got.dtype.kind != "f" or got.shape != expected.shape:
        return found
    with np.errstate(invalid="ignore", over="ignore"):  # inf − inf is NaN
        apart, size = np.atleast_1d(np.abs(got - expected)), np.atleast_1d(np.abs(expected))
        limit = ROUNDED * size.max(axis=-1, keepdims=True, initial=0)  # of each row
        return None if (apart <= limit).all() and np.isfinite(limit).all() else found


def _enlarged(x: Any) -> Any:
    factor = LARGE.get(str(getattr(x, "dtype", "")).removeprefix("torch."))
    return x if factor is None else x * factor


def _given(task: Task, first: Case) -> Sequence:
    """The arguments of the call, if there is exactly one call."""
    if first.verb is use:  # the case has another verb than its task
        return ()
    if task.verb is call:
        return first.inputs
    return first.inputs[2] if task.verb is forward else ()


def _count_given(task: Task, case: Case) -> int:
    """How many arrays, tensors and lists an answer could change, also those of a state."""
    return sum(map(_count_mutable, _given(task, case)))


def _count_mutable(x: Any) -> int:
    if isinstance(x, dict):
        x = list(x.values())
    if isinstance(x, list | tuple):
        inside = (item for item in x if not isinstance(item, list))
        return isinstance(x, list) + sum(map(_count_mutable, inside))
    return int(hasattr(x, "shape"))


def _with_given(task: Task, first: Case, given: Sequence) -> tuple:
    if task.verb is forward:
        arguments, weights, _ = first.inputs
        return arguments, weights, tuple(given)
    return tuple(given)


ARGUMENTS_KEPT = Requirement(
    "argument-changed",
    "Your code changes one of its arguments. Who else may still need it?",
    "the arguments after the call",
    _look_at_arguments,
    of_all=True,
    kinds=(*KINDS, "debug"),
)
SECOND_CALL = Requirement(
    "second-call-differs",
    "A second call with the same arguments gives another result. What did the first one leave "
    "behind?",
    "the same call a second time",
    _second_call,
)
RESULT_KEPT = Requirement(
    "result-shared",
    "Your result changes later, when the arguments change or the function is called again. Whose "
    "memory does it live in?",
    "the result, after the arguments were changed",
    _spoil_arguments,
)
LONE_ROW = Requirement(
    "lost-when-alone",
    "A row alone gives another result than the same row in a batch. What does your code do with "
    "an axis of length 1?",
    "one row alone",
    _alone,
)
WHOLE_NUMBERS = Requirement(
    "kind-of-numbers",
    "With whole numbers as arguments, fractions get lost or the call fails. What type is the "
    "array that you write into?",
    "whole numbers among the arguments",
    _whole_numbers,
)
LARGE_NUMBERS = Requirement(
    "overflow",
    "With large numbers your result is infinite, NaN or wrong. Which step overflows?",
    "large numbers",
    _large_numbers,
)
REQUIREMENTS = (ARGUMENTS_KEPT, SECOND_CALL, RESULT_KEPT, LONE_ROW, WHOLE_NUMBERS, LARGE_NUMBERS)
ANOTHER_EXCEPTION = Misconception(
    "another-exception",
    AnyOf(),
    "Your code refuses what it should, but with another exception than the task asks for. Will "
    "those who catch that one catch yours?",
)
