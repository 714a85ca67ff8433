"""The cases that answers are held to, and what known answers do on them: drawn once, and kept."""

from collections.abc import Sequence
from copy import deepcopy
from functools import lru_cache
from typing import Any

import numpy as np

from headway.tasks.engine.comparisons import Run
from headway.tasks.engine.duties import duty_cases
from headway.tasks.engine.probe.outcomes import Outcome, observe
from headway.tasks.engine.task import Case, Task

# An assignment has up to 16 tasks, each held to the visible and to the hidden cases.
KEPT_DRAWS = 64
VISIBLE = 0  # the seed of the cases that a student's own check shows


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
        drawn.runs[which] = Run(drawn.cases, observe_all(task, answer, drawn.cases))
    return drawn.runs[which]


def observe_all(
    task: Task, answer: Any, cases: Sequence[Case], most: Sequence[int] = ()
) -> list[Outcome]:
    """Put an answer to use on each of some cases, which stay as they are."""
    return [observe(case.verb or task.verb, answer, deepcopy(case.inputs)) for case in cases]
