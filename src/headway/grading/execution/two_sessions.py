"""A model that is fitted in one session, and predicts in another that has only its numbers.

In both, the cell that makes the answer is all that has run. A session is over, with every process
and file of it, before the next one begins. So what predicts a text has what was counted on its way
out of the first session, and nothing else; and each byte of the text leaves this process only after
it was predicted.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

from headway.grading.allowance import Allowance
from headway.grading.execution.client import AnswerLost, Client, NoAnswer, SessionLost
from headway.grading.sandbox.session import Session
from headway.grading.sandbox.sessions import Sessions
from headway.tasks.engine.probe import Outcome, Raised, Returned, call_part
from headway.tasks.engine.task import Case
from headway.tasks.engine.unseen_text import Budget, cost_of, is_refused, long_cell, too_slow

CELL_SECONDS = 5  # of a processor, for what the cell itself does
WAITING = 4  # how many times its processor time a session may take where others are at work


class Stopped(Exception):  # noqa: N818 - an ending, and no error of the program
    """A function of the answer gave no value; the outcome says why."""

    def __init__(self, outcome: Raised):
        super().__init__(outcome.message)
        self.outcome = outcome


class TwoSessions:
    """Puts one answer to use.

    Args:
        sessions: where student code runs, one session at a time; none is open now.
        allowance: what a submission may use.
        left: how many seconds the submission has left.
        source: of the cell that makes the answer.
        expression: of the answer, two functions.

    Attributes:
        cpu_seconds: that the sessions used so far.
    """

    def __init__(
        self,
        sessions: Sessions,
        allowance: Allowance,
        left: Callable[[], float],
        source: str,
        expression: str,
    ):
        self.sessions, self.allowance, self.left = sessions, allowance, left
        self.source, self.expression = source, expression
        self.cpu_seconds, self._judged = 0.0, False

    def outcomes(self, cases: Sequence[Case]) -> list[Outcome]:
        """What comes of each case; what is refused once is not tried again.

        A second call only explains what the first has found, and takes nothing from it: where
        it is stopped, its cases raise a `TimeoutError`.

        Raises:
            NoAnswer: if there is nothing but what was handed out.
            AnswerLost: if there is no answer, or it took too long.
        """
        outcomes: list[Outcome] = []
        try:
            for case in cases:
                again = not outcomes or not is_refused(outcomes[-1])
                outcomes.append(self._outcome(case) if again else outcomes[-1])
        except AnswerLost as lost:
            if not self._judged:
                raise
            return [Raised("TimeoutError", str(lost))] * len(cases)
        self._judged = True
        return outcomes

    def _outcome(self, case: Case) -> Outcome:
        budget = case.inputs[-1]
        if refused := long_cell(self.source, budget):
            return Returned(refused)
        functions = _Functions(self, budget)
        try:
            return Returned(cost_of(functions, *case.inputs))
        except Stopped as stopped:
            return stopped.outcome
        finally:
            functions.end()


class _Functions:
    """The two functions of an answer, each in a session of its own: `functions(place, …)`."""

    def __init__(self, owner: TwoSessions, budget: Budget):
        self.owner, self.budget, self.place = owner, budget, -1
        self.context: AbstractContextManager[Session] | None = None

    def __call__(self, place: int, *arguments: Any) -> Any:
        """What the function in a place gives; the session of another function ends.

        Raises:
            Stopped: if it raises, or gives no plain data.
            NoAnswer, AnswerLost: as `TwoSessions.outcomes`.
        """
        try:
            if place != self.place:
                self._begin(place)
            outcome = self.client.ask(call_part, [place, *arguments])
        except SessionLost as lost:
            raise AnswerLost(self._why(place, str(lost))) from lost
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
        owner, seconds = self.owner, self.budget.seconds
        of_processor = seconds + CELL_SECONDS
        wall = max(min(owner.left(), WAITING * of_processor), 1.0)
        limits = replace(owner.allowance.limits(wall), cpu_seconds=of_processor)
        self.context = owner.sessions.session(limits)
        self.session, self.place = self.context.__enter__(), place
        self.client = Client(self.session)
        self.client.run(owner.source, wall, lambda output: None)
        if self.client.begin(owner.expression, wall):
            raise NoAnswer

    def _why(self, place: int, lost: str) -> str:
        limit = self.session.over()
        if limit == "memory_bytes":
            return f"The model used more than {self.owner.allowance.memory_mb:,} MB of memory."
        if limit == "cpu_seconds":
            return f"The model was stopped: {too_slow(place, self.budget)}"
        if limit:
            return "The model was stopped: the time for the whole notebook was used up."
        return f"The model was stopped: {lost}."
