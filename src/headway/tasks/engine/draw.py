"""Draw random cases until they expose given mistakes, so that no wrong answer passes by luck."""

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any, TypeVar

from headway.tasks.engine.comparisons import Comparisons, Run
from headway.tasks.engine.probe.outcomes import observe
from headway.tasks.engine.task import Case, Task

Drawn = TypeVar("Drawn")


def draw_until(suits: Callable[[Drawn], bool], draw: Callable[[], Drawn]) -> Drawn:
    """Draw until something suits, and return it."""
    while not suits(drawn := draw()):
        pass
    return drawn


def draw_telling(task: Task, draw: Callable[[], Case], *mistakes: str) -> Case:
    """Draw until all wrong answers for the named mistakes fail the case, and return the case."""
    return draw_until(lambda case: tells(task, [case], *mistakes), draw)


def tells(task: Task, cases: Sequence[Case], *mistakes: str) -> bool:
    """Whether every wrong answer in the catalogue for some mistakes fails at least one case.

    Args:
        mistakes: names of the mistakes.

    Raises:
        ValueError: if the catalogue lacks one of them.
    """
    known = {mistake.name: mistake.answers for mistake in task.misconceptions}
    if missing := set(mistakes) - known.keys():
        raise ValueError(f"{task.id} knows no mistake {sorted(missing)}; it knows {sorted(known)}")
    right = _run(task, cases, task.reference)
    return all(
        any(Comparisons(task).differences(_run(task, cases, answer), right))
        for name in mistakes
        for answer in known[name]
    )


def _run(task: Task, cases: Sequence[Case], answer: Any) -> Run:
    inputs = [(case.verb or task.verb, answer, deepcopy(case.inputs)) for case in cases]
    return Run(cases, [observe(*one) for one in inputs])
