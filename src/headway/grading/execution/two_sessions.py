"""Fit a model in one session, and let it predict in another that has only its numbers.

In both sessions only the answer's cell runs. The first session has ended, with all its processes
and files, before the second one begins. So `predict` has nothing but the numbers that `fit`
returned, which were counted on the way. Each byte of a text is sent only after it was predicted.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any

import numpy as np

from headway.grading.allowance import Allowance
from headway.grading.execution.client import Client, NoAnswer
from headway.grading.execution.conversation import NAME, AnswerLost, SessionLost, SessionStopped
from headway.grading.execution.not_done import NotDone
from headway.grading.safe_text import one_line
from headway.grading.sandbox.session import Session, SessionError
from headway.grading.sandbox.sessions import Sessions
from headway.tasks.engine.own_cell import Cell, helper_elsewhere, outcome_alone, until_refused
from headway.tasks.engine.probe.calls import call_part
from headway.tasks.engine.probe.outcomes import Outcome, Raised, Returned
from headway.tasks.engine.task import Case
from headway.tasks.engine.unseen_text import (
    BESIDE,
    FIT,
    PREDICT,
    Stopped,
    asleep,
    fault_of_numbers,
    most_of,
    too_slow,
)

NO_MEMORY_LEFT = "this machine ran out of memory, and ended processes"


class TwoSessions:
    """Runs one answer on a task's cases.

    Args:
        sessions: where student code runs, one session at a time; none may be open now.
        allowance: the limits of a submission.
        left: returns how many seconds of wall time the submission has left.
        cell: the cell that defines the answer.

    Attributes:
        cpu_seconds: processor time of the sessions so far.
    """

    def __init__(
        self,
        sessions: Sessions,
        allowance: Allowance,
        left: Callable[[], float],
        cell: Cell,
    ):
        self.sessions, self.allowance, self.left = sessions, allowance, left
        self.cell, self._judged = cell, False
        self.cpu_seconds = 0.0

    def outcomes(self, cases: Sequence[Case], most: Sequence[int] = ()) -> list[Outcome]:
        """The outcome of each case; see `until_refused`.

        The cases' budgets limit the values of the functions, and `most` is ignored: the outcome
        itself is computed here.

        A second call only explains a failure that the first has found. If it is stopped, its
        outcomes are a `TimeoutError`, and the score stays.

        Raises:
            NoAnswer: if the answer is still the placeholder.
            AnswerLost: if there is no answer, or it took too long.
            NotDone, SessionError: if the machine is to blame.
        """
        try:
            outcomes = until_refused(self._outcome, cases)
        except (AnswerLost, NotDone) as lost:
            if not self._judged:
                raise
            return [Raised("TimeoutError", str(lost))] * len(cases)
        self._judged = True
        return outcomes

    def _outcome(self, case: Case) -> Outcome:
        # Only a second call explains, since its cases are visible to the student.
        functions = _Functions(self, case, explain=self._judged)
        try:
            return outcome_alone(self.cell, functions, case.inputs, explain=self._judged)
        except AnswerLost as lost:
            error = functions.cell_raised
            if error is None:
                raise
            if refused := helper_elsewhere(error, self.cell.elsewhere):
                return Returned({"refused": list(refused)})
            said = f"Run by itself, its cell raises {error.error}: {error.message}"
            raise AnswerLost(f"{said.rstrip('.')}.") from lost
        finally:
            functions.end()


class _Functions:
    """The two functions of an answer, each in its own session; implements `Places`."""

    def __init__(self, owner: TwoSessions, case: Case, explain: bool):
        self.owner, self.explain, self.most, self.place = owner, explain, most_of(case), -1
        *_, self.rows, self.budget = case.inputs
        self.context: AbstractContextManager[Session] | None = None
        self.cell_raised: Raised | None = None
        self.there: dict[int, list[Any]] = {}  # values of predict in fit's session, by length

    def __call__(self, place: int, *arguments: Any) -> Any:
        """Call the function of a place; the other function's session ends before.

        Raises:
            Stopped: if it raises, or does not return plain data.
            NoAnswer, AnswerLost: as `TwoSessions.outcomes`.
        """
        with self._in_words(place):
            if place != self.place:
                self._begin(place)
        value = self._ask(place, arguments)
        if place == FIT and self.explain and fault_of_numbers(value, self.budget) is None:
            with suppress(Stopped, AnswerLost):
                self._ask_beside(value)
        return value

    def predict_after_fit(self, numbers: dict[str, np.ndarray], seen: np.ndarray) -> Any:
        """The value that `predict` returned in the session of `fit`, before that ended.

        Raises:
            Stopped: if there is no value.
        """
        if not self.there.get(seen.shape[1]):
            raise Stopped(Raised("AnswerLost", "It was not asked, or gave nothing."))
        return self.there[seen.shape[1]].pop(0)

    def _ask_beside(self, numbers: dict[str, np.ndarray]) -> None:
        for T in BESIDE:
            twice = ([numbers, self.rows[:, :T].copy()] for _ in range(2))
            self.there[T] = [self._ask(PREDICT, arguments) for arguments in twice]

    def _ask(self, place: int, arguments: Sequence) -> Any:
        with self._in_words(place):
            outcome = self.client.ask(call_part, [place, *arguments], self.most)
        if isinstance(outcome, Raised):
            raise Stopped(outcome)
        return outcome.value

    def end(self) -> None:
        """End the session that is open."""
        if self.context is not None:
            self.owner.cpu_seconds += self.session.usage.cpu_seconds
            self.context.__exit__(None, None, None)
            self.context = None

    def _begin(self, place: int) -> None:
        self.end()
        owner, seconds = self.owner, self.budget.with_sleep
        left = owner.left()
        if left <= 0:
            raise NotDone(owner.allowance.wall_seconds)
        limits = owner.allowance.limits(left, self.budget.of_session)
        self.context = owner.sessions.session(limits)
        self.session, self.place = self.context.__enter__(), place
        # The sandbox stops what computes too long, so this stops only what sleeps.
        self.client = Client(self.session, seconds)
        self.client.run(owner.cell.source, seconds, self._hear)
        if self.client.begin(owner.cell.expression, seconds):
            raise NoAnswer

    def _hear(self, output: Any) -> None:
        """Keep only the cell's exception, if there is one."""
        match output:
            case {"output_type": "error", "ename": str(name), "evalue": str(text)}:
                self.cell_raised = Raised(one_line(name, NAME), one_line(text))

    @contextmanager
    def _in_words(self, place: int) -> Iterator[None]:
        """Raise `AnswerLost` with a sentence if the session ends or runs out of time."""
        try:
            yield
        except SessionLost as lost:
            raise AnswerLost(self._why(place, lost)) from lost

    def _why(self, place: int, lost: SessionLost) -> str:
        """Why the session was lost.

        Raises:
            NotDone, SessionError: if the machine is to blame.
        """
        limit = self.session.ended_by_limit()
        if limit == "memory_bytes":
            return f"The model used more than {self.owner.allowance.memory_mb:,} MB of memory."
        if limit == "cpu_seconds":
            return f"The model was stopped: {too_slow(place, self.budget).value['refused'][1]}"
        if limit:
            raise NotDone(self.owner.allowance.wall_seconds) from lost
        if self.session.ended_by_machine():
            raise SessionError(NO_MEMORY_LEFT) from lost
        if isinstance(lost, SessionStopped):
            return f"The model was stopped: {asleep(place, self.budget).value['refused'][1]}"
        return f"The model was stopped: {lost}."
