"""The definition of a task: one specification for the check, the grading and the tests.

A task checks an answer (a value, a function, a class) on a list of cases. The right answer and the
known wrong ones, the misconceptions, have the same form, and the same verb runs all of them. So a
student's mistake can be named by comparing outcomes.
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
        *inputs: what the verb passes to the answer.
        truth: what a statistic needs but the answer must not see, such as held-out prices.
        core: whether it tests the task's main idea; an answer that fails it earns nothing.
        path: an optional feature, "a mask"; all cases with the same path count as one.
        verb: runs the answer in this case, instead of the task's verb.
        compare: decides whether this case's outcome is right, instead of the task's comparison.
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
    """A part of an assignment that is checked and graded.

    Attributes:
        id: chapter and name, "01-one-hot/lookup"; the notebook's check cell names it.
        title: a few words for tables.
        kind: one of the five; "stretch" points are bonus.
        points: the most that can be earned.
        minutes: time for a student who has read the page.
        answer: the answer's name in the student's notebook.
        cases: random generator -> list of cases; sizes, shapes and corner cases vary.
        reference: a right answer.
        given: starter code to be changed, such as the faulty function of a debug task; an answer
            that behaves like it counts as untouched.
        misconceptions: the catalogue of known mistakes.
        verb: runs an answer, unless a case has its own verb.
        compare: decides whether an outcome is right.
        alike: decides whether two outcomes show the same mistake; None means `compare`.
        own_draw: draw other cases for each student and each grading, since the inputs reveal right
            values, which one student could write down for others.
        excused: names of the requirements of `engine/requirements.py` that the task's text does not
            ask for.
        hidden: modules that an answer's cell cannot import where it runs alone, hidden as well in
            grading, by the table of chapters.
        seconds: processor time that its check may need in addition to the usual limit.
        leaderboard: the metrics of an answer and how they rank answers; None if answers only pass
            or fail.
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
    hidden: tuple[str, ...] = ()
    seconds: float = 0.0
    leaderboard: Leaderboard | None = None

    @property
    def bonus(self) -> bool:
        """Whether the points are in addition to the assignment's maximum."""
        return self.kind == "stretch"

    @property
    def secret(self) -> bool:
        """Whether the expected value must not be shown, since it is the answer itself."""
        return self.verb is value
