"""Compare an answer's outcomes with those of other answers, safely and in bounded time.

A student's value can have any form, but a task's comparison is written for values of the right
form. If the comparison raises, takes too long or needs too much memory, this counts as a
difference. So no value can make judging fail.
"""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from headway.tasks.engine.compare import (
    TEXT,
    Compare,
    Difference,
    gives_text_for_numbers,
    identical,
)
from headway.tasks.engine.explain import meaning_of, without_advice
from headway.tasks.engine.in_words import shown
from headway.tasks.engine.memory_room import room
from headway.tasks.engine.mistakes import Shows
from headway.tasks.engine.probe.outcomes import Outcome, Raised
from headway.tasks.engine.probe.plain import UnplainError
from headway.tasks.engine.processor_time import ProcessorTime, TimeUp
from headway.tasks.engine.task import Case, Task

SECONDS = 15  # of processor time, for all comparisons of one answer on one set of cases
TOO_LONG = (
    f"comparing it with the right value took more than {SECONDS} seconds, so we stopped. How "
    "large is what you return?"
)
NO_MEMORY = "can't allocate memory"  # in torch's message, which is only a RuntimeError
TOO_LARGE = (
    "comparing it with the right value takes more memory than there is. How large is what you "
    "return?"
)


@dataclass(frozen=True)
class Run:
    """Outcomes of one answer on all cases of a task."""

    cases: Sequence[Case]
    outcomes: Sequence[Outcome]


class Comparisons:
    """Compares outcomes on a task's cases, within a time limit for all comparisons together.

    Args:
        task: the task that defines the comparisons.
        seconds: processor time.
    """

    def __init__(self, task: Task, seconds: float = SECONDS):
        self._task, self._time = task, ProcessorTime(seconds)

    def differences(self, mine: Run, other: Run) -> list[Difference | None]:
        """For each case, how the outcomes of two answers differ; None if they agree."""
        return [
            self._difference(*outcomes, case)
            for *outcomes, case in zip(mine.outcomes, other.outcomes, other.cases, strict=True)
        ]

    def same(self, mine: Run, theirs: Run, places: Sequence[int] | None = None) -> bool:
        """Whether two answers have the same outcomes on all cases, or on those at some indices.

        Two exceptions count as the same even if their classes differ, since the class depends on
        how a mistake was coded. But answers that raise on every case never count as the same.
        """
        places = range(len(mine.cases)) if places is None else places
        alike = all(self._alike(mine, theirs, place) for place in places)
        return alike and any(not isinstance(mine.outcomes[place], Raised) for place in places)

    def _alike(self, mine: Run, theirs: Run, place: int) -> bool:
        got, wrong, case = mine.outcomes[place], theirs.outcomes[place], theirs.cases[place]
        if isinstance(got, Raised) or isinstance(wrong, Raised):
            return type(got) is type(wrong) and is_unplain(got) == is_unplain(wrong)
        compare = case.compare or self._task.alike or self._task.compare
        return not self._compared(compare, got.value, wrong.value, case)

    def shows(self, shows: Shows, mine: Run, right: Run, places: Sequence[int]) -> bool:
        """Whether a predicate holds for an answer's values on some cases, and for one at least.

        A value of a form that the predicate was not written for shows nothing.
        """
        runs = list(zip(mine.outcomes, right.outcomes, right.cases, strict=True))
        returned = [
            (got.value, expected.value, case)
            for got, expected, case in (runs[place] for place in places)
            if not isinstance(got, Raised) and not isinstance(expected, Raised)
        ]
        try:
            with self._time.spend(), room(), _in_silence():
                return bool(returned) and all(shows(*three) for three in returned)
        except (TimeUp, Exception):
            return False

    def _difference(self, got: Outcome, expected: Outcome, case: Case) -> Difference | None:
        if is_raised(got) and isinstance(expected, Raised):
            if got.error == expected.error:
                return None
            return Difference(f"raises {got.error}: {got.message}; expected {expected.error}.")
        if isinstance(expected, Raised):
            return Difference(f"returns a value; expected that it raises {expected.error}.")
        if isinstance(got, Raised):
            if is_unplain(got):
                return Difference(got.message)
            where = f" in {got.line}" if got.line else ""
            said = f"raises {got.error}{where}: {without_advice(got.message)}"
            meaning = meaning_of(got.message)
            return Difference(f"{said.rstrip('.')}. {meaning}" if meaning else said)
        if identical(got.value, expected.value):  # a fast path for most right values
            return None
        compare = case.compare or self._task.compare
        return self._compared(compare, got.value, expected.value, case)

    def _compared(self, compare: Compare, got, expected, case: Case) -> Difference | None:
        try:
            with self._time.spend(), room(), _in_silence():
                found = compare(got, expected, case)
                if found is None and gives_text_for_numbers(got, expected):
                    return Difference(TEXT)
                return found
        except TimeUp:
            return Difference(TOO_LONG)
        except MemoryError:
            return Difference(TOO_LARGE)
        except Exception as error:  # the comparison was not written for such a value
            if NO_MEMORY in str(error):
                return Difference(TOO_LARGE)
            said = f"got {shown(got)}, expected {shown(expected)}"
            return Difference(f"the value doesn't have the form we asked for: {said}.")


@contextmanager
def _in_silence() -> Iterator[None]:
    """Suppress warnings: nbgrader counts anything on standard error as a failure."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def is_raised(outcome: Outcome) -> bool:
    """Whether the answer's own code raised an exception."""
    return isinstance(outcome, Raised) and not is_unplain(outcome)


def is_unplain(outcome: Outcome) -> bool:
    """Whether the outcome is our refusal of a returned value, not an exception of the answer."""
    return isinstance(outcome, Raised) and outcome.error == UnplainError.__name__
