"""Drawing cases until they tell: so no wrong answer earns more where the draw is a lucky one."""

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any, TypeVar

from headway.tasks.engine.comparisons import Comparisons, Run
from headway.tasks.engine.probe.outcomes import observe
from headway.tasks.engine.task import Case, Task

Drawn = TypeVar("Drawn")


def draw_until(suits: Callable[[Drawn], bool], draw: Callable[[], Drawn]) -> Drawn:
    """The first thing drawn that suits."""
    while not suits(drawn := draw()):
        pass
    return drawn


def draw_telling(task: Task, draw: Callable[[], Case], *mistakes: str) -> Case:
    """The first case drawn that no wrong answer passes with some mistakes, given by their names."""
    return draw_until(lambda case: tells(task, [case], *mistakes), draw)


def tells(task: Task, cases: Sequence[Case], *mistakes: str) -> bool:
    """Whether each wrong answer that the catalogue has of some mistakes fails one of the cases.

    Args:
        mistakes: their names.

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
