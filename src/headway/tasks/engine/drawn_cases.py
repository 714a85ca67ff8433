"""A cache of the cases for checking answers, and of known answers' outcomes on them."""

from collections.abc import Sequence
from copy import deepcopy
from functools import lru_cache
from typing import Any

import numpy as np

from headway.tasks.engine.comparisons import Run
from headway.tasks.engine.probe.outcomes import Outcome, observe
from headway.tasks.engine.requirements import requirement_cases
from headway.tasks.engine.task import Case, Task

# An assignment has up to 16 tasks, each with visible and hidden cases.
KEPT_DRAWS = 64
VISIBLE = 0  # the seed of the cases in a student's own check


def cases_of(task: Task, seed: int) -> tuple[Case, ...]:
    """The cases for checking an answer: the task's own, then those of its requirements.

    They are cached, since drawing may take long. Callers must give an answer copies of the inputs.
    """
    return _drawn(task, seed).cases


def draw_cases(task: Task, seed: int) -> tuple[Case, ...]:
    """As `cases_of`, without the cache."""
    cases = task.cases(_chance(task, seed))
    return (*cases, *requirement_cases(task, cases))


class _Drawn:
    """The cases of a seed, and known answers' outcomes on them."""

    def __init__(self, task: Task, seed: int):
        self.cases = draw_cases(task, seed)
        self.runs: dict[str | tuple[int, int], Run] = {}


_kept = lru_cache(maxsize=KEPT_DRAWS)(_Drawn)
_kept_for_one = lru_cache(maxsize=1)(_Drawn)  # tasks that draw other cases for each student


def _drawn(task: Task, seed: int) -> _Drawn:
    return (_kept_for_one if task.own_draw and seed != VISIBLE else _kept)(task, seed)


def forget_draws() -> None:
    """Clear the cache."""
    _kept.cache_clear()
    _kept_for_one.cache_clear()


def _chance(task: Task, seed: int) -> np.random.Generator:
    """The random generator for a task's cases; hidden cases depend on the task's id as well.

    An answer can save its inputs in a file for later answers of its notebook. If all tasks had the
    same generator, the cases of one task could reveal those of another.
    """
    own = seed if seed == VISIBLE else (seed, *task.id.encode())
    return np.random.default_rng(own)


def known_run(task: Task, which: str | tuple[int, int], seed: int) -> Run:
    """The outcomes of the reference, the given code or a known wrong answer, cached.

    Args:
        which: "reference", "given", or (index of a misconception in the catalogue, index of one of
            its wrong answers).
    """
    drawn = _drawn(task, seed)
    if which not in drawn.runs:
        if isinstance(which, tuple):
            mistake, place = which
            answer = task.misconceptions[mistake].answers[place]
        else:
            answer = getattr(task, which)
        drawn.runs[which] = Run(drawn.cases, observe_all(task, answer, drawn.cases))
    return drawn.runs[which]


def observe_all(
    task: Task, answer: Any, cases: Sequence[Case], most: Sequence[int] = ()
) -> list[Outcome]:
    """Run an answer on each case, with copies of the inputs, and return the outcomes."""
    return [observe(case.verb or task.verb, answer, deepcopy(case.inputs)) for case in cases]
