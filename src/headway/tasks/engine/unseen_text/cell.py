"""Fit and predict with the functions of one cell, which runs without the rest of its notebook.

In a notebook a function can use what any cell has defined. A graded model cannot: its cell runs
alone, once for `fit` and once for `predict`.
"""

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from headway.tasks.engine.judge import judge_by_asking
from headway.tasks.engine.probe.calls import call_part
from headway.tasks.engine.probe.hidden import hiding
from headway.tasks.engine.probe.outcomes import Outcome, Raised, observe
from headway.tasks.engine.probe.plain import plain
from headway.tasks.engine.processor_time import ProcessorTime, TimeUp
from headway.tasks.engine.task import Case, Task
from headway.tasks.engine.unseen_text.cost import Ask, Place, Stopped, cost_of
from headway.tasks.engine.unseen_text.refusals import Budget, Refused, too_slow
from headway.tasks.engine.verdict import Verdict

UNKNOWN = re.compile(r"name '(\w+)' is not defined")


@dataclass(frozen=True)
class Cell:
    """The cell that defines an answer.

    Attributes:
        source: the code of the cell, without magics.
        expression: an expression for the answer, a pair of functions.
        elsewhere: tells whether other cells define a name.
        hidden: modules that it cannot import.
    """

    source: str
    expression: str = "model"
    elsewhere: Callable[[str], bool] = frozenset().__contains__
    hidden: Sequence[str] = ()

    def run(self) -> Any:
        """Run the cell in a new namespace, and return the answer."""
        names: dict[str, Any] = {"__name__": "__main__"}
        exec(compile(self.source, "<the cell of the answer>", "exec"), names)
        return eval(self.expression, names)


def makes(name: str, source: str) -> bool:
    """Whether a cell assigns or defines a name."""
    made = rf"^({re.escape(name)}\s*=(?!=)|(def|class)\s+{re.escape(name)}\b)"
    return re.search(made, source, re.M) is not None


def judge_alone(task: Task, cell: Cell) -> Verdict:
    """Judge the answer of a cell on a task's visible cases, with only this cell run."""

    def ask(cases: Sequence[Case], most: Sequence[int]) -> list[Outcome]:
        return until_refused(lambda case: observe(fit_then_predict, cell, case.inputs), cases)

    return judge_by_asking(task, ask)


def until_refused(ask: Callable[[Case], Outcome], cases: Sequence[Case]) -> list[Outcome]:
    """The outcome of each case; after a refusal, it is repeated for the remaining cases."""
    outcomes: list[Outcome] = []
    for case in cases:
        again = not outcomes or not is_refused(outcomes[-1])
        outcomes.append(ask(case) if again else outcomes[-1])
    return outcomes


def is_refused(outcome: Outcome) -> bool:
    """Whether the model was not measured."""
    return isinstance(outcome, Raised) or not outcome.value or "refused" in outcome.value


def fit_then_predict(answer: Any, inputs: Sequence) -> dict | None:
    """Fit a model and let it predict, in this process.

    Args:
        answer: a pair of functions; or a `Cell`, which runs alone.
        inputs: the text, uint8 (N,); a seed; other texts, uint8 (B, T); the `Budget`.

    Returns:
        as `measured`.
    """
    place = partial(_here, answer, inputs[-1])
    try:
        return measured(answer if isinstance(answer, Cell) else None, place, inputs)
    except Stopped as stopped:
        raise stopped.__cause__ from None  # what the answer raised, with the line that did


def measured(cell: Cell | None, place: Place, inputs: Sequence) -> dict | None:
    """The cost of a model's predictions, as `cost_of`; or {"refused": [kind, message]}.

    Args:
        cell: the cell of the functions; None if they are not from a cell.
        place: makes a place in which it has run.
        inputs: as for `fit_then_predict`.

    Raises:
        Stopped: if one of the functions raises.
    """
    try:
        if cell:
            _require_short(cell, inputs[-1])
        return cost_of(place, *inputs)
    except Refused as refused:
        return {"refused": [refused.kind, refused.message]}
    except Stopped as stopped:
        error = stopped.outcome
        missing = UNKNOWN.search(error.message) if error.error == "NameError" else None
        if not cell or not missing or not cell.elsewhere(missing[1]):
            raise
        said = f"the cell uses {missing[1]}, which only another cell defines; it is graded alone."
        return {"refused": ["a helper elsewhere", said]}


def _require_short(cell: Cell, budget: Budget) -> None:
    size = len(cell.source.encode("utf-8", "replace"))
    if size > budget.characters:
        allowed = f"{budget.characters:,} are allowed"
        raise Refused("a long cell", f"the cell has {size:,} characters, and {allowed}.")


@contextmanager
def _here(answer: Any, budget: Budget, part: int) -> Iterator[Ask]:
    """A place in this process; a cell runs in a new namespace, with one thread as in grading."""
    time = ProcessorTime(budget.seconds)

    def ask(which: int, *arguments: Any) -> Any:
        try:
            with time.spend():
                return plain(call_part(functions, [which, *arguments]))
        except TimeUp:
            raise too_slow(part, budget) from None
        except Exception as error:
            raise _stopped(error) from error

    if not isinstance(answer, Cell):
        functions = answer
        yield ask
        return
    with hiding(answer.hidden):
        try:
            functions = answer.run()
        except Exception as error:
            raise _stopped(error) from error
        with _one_thread():
            yield ask


def _stopped(error: Exception) -> Stopped:
    return Stopped(Raised(type(error).__name__, str(error)))


@contextmanager
def _one_thread() -> Iterator[None]:
    """A context in which torch, if it is imported, uses one thread."""
    torch = sys.modules.get("torch")
    threads = torch.get_num_threads() if torch else 0
    try:
        if torch:
            torch.set_num_threads(1)
        yield
    finally:
        if torch:
            torch.set_num_threads(threads)
