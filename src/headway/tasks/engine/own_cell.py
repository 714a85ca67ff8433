"""The verb `fit_then_predict`: fit a model to a text, then let it predict unseen texts.

In a notebook a function can use what any cell has defined. A graded model cannot: its cell runs
alone, once in a place for `fit` and once in a place for `predict`, and only the model's numbers go
from one to the other. This module computes the outcome of a case for any kind of place: a
namespace of this process, a process (`headway.tasks.engine.own_processes`) or a sandbox
(`headway.grading.execution.two_sessions`).
"""

import re
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from headway.tasks.engine.probe.calls import call_part
from headway.tasks.engine.probe.outcomes import Outcome, Raised, Returned, own_line
from headway.tasks.engine.probe.plain import plain
from headway.tasks.engine.unseen_text import (
    PREDICT,
    Budget,
    Refused,
    Stopped,
    cost_of,
    is_refused,
    too_slow,
)

LONG_CELL = "a long cell"
HELPER_ELSEWHERE = "a helper elsewhere"
UNKNOWN = re.compile(r"name '(\w+)' is not defined")


@dataclass(frozen=True)
class Cell:
    """The cell that defines an answer.

    Attributes:
        source: the code of the cell.
        expression: an expression for the answer, a pair of functions.
        elsewhere: tells whether other cells define a name.
    """

    source: str
    expression: str = "model"
    elsewhere: Callable[[str], bool] = frozenset().__contains__


class Places(Protocol):
    """The two places in which a cell has run, for one case."""

    def __call__(self, place: int, *arguments: Any) -> Any:
        """Call the function of a place, and return plain data; raises `Stopped`."""

    def predict_after_fit(self, *arguments: Any) -> Any:
        """Call `predict` in the place where `fit` has run; raises `Stopped`."""


def fit_then_predict(answer: Any, inputs: Sequence) -> dict:
    """Fit a model and let it predict, in this process.

    Args:
        answer: a pair of functions; or a `Cell`, which runs alone.
        inputs: the text, uint8 (N,); a seed; other texts, uint8 (B, T); the `Budget`.

    Returns:
        as `cost_of`.
    """
    if isinstance(answer, Cell):
        outcome = outcome_alone(answer, Namespaces(answer), inputs)
        if isinstance(outcome, Raised):
            raise type(outcome.error, (Exception,), {})(outcome.message)
        return outcome.value
    budget, spent = inputs[-1], [0.0, 0.0]

    def call(place: int, *arguments: Any) -> Any:
        start = time.process_time()
        result = plain(call_part(answer, [place, *arguments]))
        spent[place] += time.process_time() - start
        if spent[place] > budget.seconds:
            raise Stopped(too_slow(place, budget))
        return result

    try:
        return cost_of(call, *inputs)
    except Stopped as stopped:
        return stopped.outcome.value


def makes(name: str, source: str) -> bool:
    """Whether a cell assigns or defines a name."""
    made = rf"^({re.escape(name)}\s*=(?!=)|(def|class)\s+{re.escape(name)}\b)"
    return re.search(made, source, re.M) is not None


def outcome_alone(cell: Cell, places: Places, inputs: Sequence, explain: bool = True) -> Outcome:
    """The outcome of a case if the cell runs alone.

    Args:
        inputs: as for `fit_then_predict`.
        explain: also call `predict` where `fit` has run, to detect shared state.
    """
    if refused := long_cell(cell.source, inputs[-1]):
        return Returned({"refused": list(refused)})
    try:
        after_fit = places.predict_after_fit if explain else None
        return Returned(cost_of(places, *inputs, predict_after_fit=after_fit))
    except Stopped as stopped:
        if refused := helper_elsewhere(stopped.outcome, cell.elsewhere):
            return Returned({"refused": list(refused)})
        return stopped.outcome


def until_refused(ask: Callable[[Any], Outcome], cases: Sequence) -> list[Outcome]:
    """The outcome of each case; after a refusal, it is repeated for the remaining cases."""
    outcomes: list[Outcome] = []
    for case in cases:
        again = not outcomes or not is_refused(outcomes[-1])
        outcomes.append(ask(case) if again else outcomes[-1])
    return outcomes


def long_cell(source: str, budget: Budget) -> Refused | None:
    """The refusal of a cell that is too long; None for others."""
    size = len(source.encode("utf-8", "replace"))
    if size <= budget.characters:
        return None
    allowed = f"{budget.characters:,} are allowed"
    return Refused(LONG_CELL, f"the cell has {size:,} characters, and {allowed}.")


def helper_elsewhere(outcome: Outcome, elsewhere: Callable[[str], bool]) -> Refused | None:
    """The refusal of a cell that uses a name from another cell; None for other outcomes."""
    if not isinstance(outcome, Raised) or outcome.error not in ("NameError", "UnboundLocalError"):
        return None
    found = UNKNOWN.search(outcome.message)
    if not found or not elsewhere(found[1]):
        return None
    return Refused(
        HELPER_ELSEWHERE,
        f"the cell uses {found[1]}, which only another cell defines; it is graded alone.",
    )


class Namespaces:
    """The `Places` of a cell as two namespaces of this process, one for each function."""

    def __init__(self, cell: Cell):
        self.cell, self.answers = cell, {}

    def __call__(self, place: int, *arguments: Any) -> Any:
        return self._ask(place, place, arguments)

    def predict_after_fit(self, *arguments: Any) -> Any:
        return self._ask(1 - PREDICT, PREDICT, arguments)

    def _ask(self, where: int, place: int, arguments: Sequence) -> Any:
        try:
            if where not in self.answers:
                self.answers[where] = run_alone(self.cell.source, self.cell.expression)
            return plain(call_part(self.answers[where], [place, *arguments]))
        except Exception as error:
            line = own_line(sys.exc_info()[2])
            raise Stopped(Raised(type(error).__name__, str(error), line=line)) from error


def run_alone(source: str, expression: str) -> Any:
    """Run a cell in a new namespace, and return the value of an expression there."""
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(source, "<the cell of the answer>", "exec"), names)
    return eval(expression, names)
