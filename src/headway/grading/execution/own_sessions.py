"""Run `fit` in one session, and `predict` in another that has only the numbers of the model.

In both sessions only the answer's cell runs. The first session has ended, with all its processes
and files, before the second one begins. So `predict` has nothing but the numbers that `fit`
returned, which were counted on the way. Each byte of a text is sent only after it was predicted.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from headway.grading.allowance import Allowance
from headway.grading.execution.client import Client, NoAnswer
from headway.grading.execution.conversation import NAME, AnswerLost, SessionLost, SessionStopped
from headway.grading.execution.not_done import NotDone, ended_by
from headway.grading.safe_text import one_line
from headway.grading.sandbox.session import Session
from headway.grading.sandbox.sessions import Sessions
from headway.tasks.engine.probe.calls import call_part
from headway.tasks.engine.probe.outcomes import Outcome, Raised, Returned
from headway.tasks.engine.task import Case
from headway.tasks.engine.unseen_text.cell import Cell, measured, until_refused
from headway.tasks.engine.unseen_text.cost import Ask, Stopped
from headway.tasks.engine.unseen_text.refusals import (
    BYTES,
    ENDED,
    Budget,
    Refused,
    name_of,
    too_slow,
)
from headway.tasks.engine.value_size import FREE, TIMES


class OwnSessions:
    """Runs the answer of a cell on a task's cases.

    Args:
        sessions: where student code runs, one session at a time; none may be open now.
        allowance: the limits of a submission.
        left: returns how many seconds of wall time the submission has left.
        cell: the cell that defines the answer.

    Attributes:
        cpu_seconds: processor time of the sessions so far.
    """

    def __init__(
        self, sessions: Sessions, allowance: Allowance, left: Callable[[], float], cell: Cell
    ):
        self.sessions, self.allowance, self.left, self.cell = sessions, allowance, left, cell
        self.cpu_seconds, self._judged = 0.0, False

    def outcomes(self, cases: Sequence[Case], most: Sequence[int] = ()) -> list[Outcome]:
        """The outcome of each case; see `until_refused`.

        The cases' budgets limit the values of the functions, and `most` is ignored: the outcome
        itself is computed here.

        A second call only explains a failure that the first has found. If there is no time left for
        it, its outcomes are a `TimeoutError`, and the score stays.

        Raises:
            NoAnswer: if the answer is still the placeholder.
            NotDone, SessionError: if the machine is to blame.
        """
        try:
            outcomes = until_refused(self._outcome, cases)
        except NotDone as late:
            if not self._judged:
                raise
            return [Raised("TimeoutError", str(late))] * len(cases)
        self._judged = True
        return outcomes

    def _outcome(self, case: Case) -> Outcome:
        try:
            return Returned(measured(self.cell, partial(self._session, case), case.inputs))
        except Stopped as stopped:
            return stopped.outcome

    @contextmanager
    def _session(self, case: Case, part: int) -> Iterator[Ask]:
        """A session in which the cell has run, for one of its functions."""
        *_, rows, budget = case.inputs
        most = FREE + TIMES * max(budget.bytes, BYTES * len(rows))
        if (left := self.left()) <= 0:
            raise NotDone(self.allowance.wall_seconds)
        limits = self.allowance.limits(left, budget.of_session)
        with self.sessions.session(limits) as session:
            # The sandbox stops what computes too long, so the client stops only what sleeps.
            client = Client(session, budget.with_sleep)

            def ask(which: int, *arguments: Any) -> Any:
                with self._refusing(session, part, budget):
                    outcome = client.ask(call_part, [which, *arguments], most)
                if isinstance(outcome, Raised):
                    raise Stopped(outcome)
                return outcome.value

            try:
                with self._refusing(session, part, budget):
                    self._run_cell(client, budget.with_sleep)
                yield ask
            finally:
                self.cpu_seconds += session.usage.cpu_seconds

    def _run_cell(self, client: Client, seconds: float) -> None:
        raised = []

        def hear(output: Any) -> None:
            match output:
                case {"output_type": "error", "ename": str(name), "evalue": str(text)}:
                    raised[:] = [Raised(one_line(name, NAME), one_line(text))]

        client.run(self.cell.source, seconds, hear)
        if raised:
            raise Stopped(*raised)
        if client.begin(self.cell.expression, seconds):
            raise NoAnswer

    @contextmanager
    def _refusing(self, session: Session, part: int, budget: Budget) -> Iterator[None]:
        """A context in which the model is refused if its session ends or runs out of time.

        Raises:
            Refused: in place of `SessionLost` and `AnswerLost`.
            NotDone, SessionError: if the machine is to blame.
        """
        try:
            yield
        except AnswerLost as lost:
            raise Refused(ENDED, str(lost)) from lost
        except SessionLost as lost:
            limit = ended_by(session, lost, self.allowance)
            if limit == "cpu_seconds":
                raise too_slow(part, budget) from lost
            said = f"{name_of(part)} was stopped: {lost}."
            if limit:
                said = f"the model used more than {self.allowance.memory_mb:,} MB of memory."
            elif isinstance(lost, SessionStopped):
                said = f"{name_of(part)} took {budget.with_sleep:g} seconds, most of them asleep."
            raise Refused(ENDED, said) from lost
