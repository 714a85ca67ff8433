"""What a task is: one specification from which the check, the grading and the tests follow.

A task holds an answer (a value, a function, a class) to account on a list of cases. The right
answer and the known wrong ones, the misconceptions, are answers of the same form, and all of
them are put to use by the same verb; so a student's mistake can be named by comparing outcomes.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from headway.tasks.engine.compare import Compare, close
from headway.tasks.engine.leaderboard import Leaderboard
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.probe.calls import call, value
from headway.tasks.engine.probe.outcomes import Verb

Kind = Literal["predict", "build", "debug", "train", "stretch"]


class Case:
    """One use of an answer.

    Args:
        label: what is special about it, in a student's words: "an empty sentence".
        *inputs: what the verb gives to the answer.
        truth: what a statistic needs and the answer must not see (held-out prices, say).
        core: the case that carries the task's idea; without it nothing is earned.
        path: what the answer may be right without, "a mask": several cases of it count as one.
        verb: puts the answer to use in this case, if not the task's own verb does.
        compare: when this case's outcome is right, if not the task's own comparison says so.
    """

    def __init__(
        self,
        label: str,
        *inputs: Any,
        truth: Any = None,
        core: bool = False,
        path: str | None = None,
        verb: Verb | None = None,
        compare: Compare | None = None,
    ):
        self.label, self.inputs, self.truth, self.core = label, inputs, truth, core
        self.path, self.verb, self.compare = path, verb, compare


@dataclass(frozen=True, eq=False)
class Task:
    """A piece of an assignment that is held to account.

    Attributes:
        id: chapter and name, "01-one-hot/lookup"; the notebook's check cell names it.
        title: a few words for tables.
        kind: one of the five; "stretch" points are bonus.
        points: the most that can be earned.
        minutes: what it takes a student who has read the page.
        answer: name that the student's notebook gives the answer.
        cases: random generator -> list of cases; sizes, shapes and corner cases vary.
        reference: a right answer.
        given: what the notebook hands out to be changed (the faulty function of a debug task);
            an answer that behaves like it counts as untouched.
        misconceptions: the catalogue of known mistakes.
        verb: puts an answer to use, where a case has no verb of its own.
        compare: when an outcome is right.
        alike: when two outcomes are the same mistake; `compare` where that tests for equality.
        own_draw: what an answer is asked tells it what was right before, so that each student, and
            each grading, meets cases of its own; else somebody could write them down for others.
        excused: names of the duties of `engine/duties.py` that the task's text does not ask for.
        seconds: of a processor, that a check of its answer may need beyond what any other may.
        leaderboard: what is measured of each answer, and how answers are put in an order by it;
            None where it is enough to pass.
    """

    id: str
    title: str
    kind: Kind
    points: float
    minutes: int
    answer: str
    cases: Callable[[np.random.Generator], list[Case]]
    reference: Any
    given: Any = None
    misconceptions: tuple[Misconception, ...] = ()
    verb: Verb = call
    compare: Compare = field(default_factory=close)
    alike: Compare | None = None
    own_draw: bool = False
    excused: tuple[str, ...] = ()
    seconds: float = 0.0
    leaderboard: Leaderboard | None = None

    @property
    def bonus(self) -> bool:
        """Whether the points come on top of the assignment's own."""
        return self.kind == "stretch"

    @property
    def secret(self) -> bool:
        """Whether showing the expected value would give the answer away."""
        return self.verb is value
