"""Run a repaired notebook in a session, and judge its answers.

The cells run in order. At each check, inputs are sent to the answer in the session, plain data
comes back, and the judging happens outside. A cell or answer that takes too long is stopped. If it
ends its session, or must be ended with it, a new session runs the earlier cells again, without
those that were stopped, and goes on after it. Results that are missing, late or malformed earn
nothing. If cells or answers are left that cannot be judged, the submission is set aside.

An answer with `fit` and `predict` is judged at the end, when no other session is open. It gets its
own sessions, in which only its own cell runs.
"""

import re
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, takewhile
from typing import Any

from nbformat import NotebookNode

from headway.errors import UserError
from headway.grading.allowance import MOST_STOPPED, Allowance
from headway.grading.execution.client import Client, NoAnswer
from headway.grading.execution.conversation import (
    TOO_LONG,
    AnswerLost,
    AnswerStopped,
    SessionLost,
)
from headway.grading.execution.not_done import NotDone, ended_by
from headway.grading.execution.outputs import OutputCollector
from headway.grading.execution.own_sessions import OwnSessions
from headway.grading.execution.steps import Step, binds, source_of, steps_of
from headway.grading.intake.submitted_cells import SetAside
from headway.grading.notebooks.cell_errors import not_installed, unreadable
from headway.grading.notebooks.check_calls import names_in_source
from headway.grading.notebooks.nodes import new_output
from headway.grading.safe_text import one_line
from headway.grading.sandbox.session import Session, SessionError
from headway.grading.sandbox.sessions import Sessions
from headway.tasks.engine.earlier import with_earlier
from headway.tasks.engine.judge import NOTHING_YET, Ask
from headway.tasks.engine.official import judge_officially
from headway.tasks.engine.probe.outcomes import Outcome
from headway.tasks.engine.task import Case
from headway.tasks.engine.unseen_text.cell import Cell, fit_then_predict
from headway.tasks.engine.verdict import Verdict

UNDEFINED = re.compile(r"NameError: name '(\w{1,80})' is not defined")
LONGEST_CHAIN, MOST_CELLS = 4, 200  # in search of what made a name undefined
LONGEST_RAISED = 200  # characters of what a cell raised
NOT_RUN = "NotRun"  # the name of the error of a cell that was stopped
NO_MEMORY = "it takes more memory than there is"
ITS_FILES = "the files beside the notebook could not be put into the sandbox"
OVER_MEMORY = "it used more than {memory_mb:,} MB of memory"
OTHERS = " The other tasks were judged without it."
MANY_STOPPED = (
    f"{MOST_STOPPED} of its cells and answers were stopped or ended the process that ran them, so "
    "those after them were not judged. The last one: {}"
)
TOO_SLOW = (
    "It was not judged to its end, since its cells and answers take more than {seconds:g} seconds. "
    "Look for a slow cell; c.Allowance.submission_seconds in nbgrader_config.py allows more."
)


@dataclass
class Graded:
    """The result of running and judging a notebook.

    Attributes:
        outputs: index of a code cell → its outputs, for cells that ran.
        verdicts: verdicts by task id.
        fatal: index of a cell → why it did not run to its end.
        notes: sentences on what was stopped.
        seed: seed of the hidden cases.
        cpu_seconds: processor time of the sessions.
        sessions: number of sessions; more than one if a cell ended a session.
    """

    outputs: dict[int, list[NotebookNode]] = field(default_factory=dict)
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    fatal: dict[int, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    seed: int = 0
    cpu_seconds: float = 0.0
    sessions: int = 0


def grade_notebook(
    notebook: NotebookNode,
    files: dict[str, bytes],
    sessions: Sessions,
    allowance: Allowance,
    seed: int,
) -> Graded:
    """Run a notebook and judge its tasks.

    Args:
        notebook: a repaired notebook.
        files: contents of the student's other files, by relative path.
        sessions: where student code runs.
        allowance: the limits of a submission.
        seed: seed of the hidden cases, except for tasks with `own_draw`.

    Raises:
        SetAside: if it takes too much to be judged to its end.
        NotDone: if the machine was too busy for that.
        SessionError, UserError: if the machine cannot run it.
    """
    return _Execution(notebook, files, sessions, allowance, seed).run()


def seed_for_one() -> int:
    """A random seed for cases that only one submission gets, in only one grading.

    Two sessions can communicate through the page cache: the time to read a page of a file shows
    whether another session has read it. With cases that never come again, this is useless.
    """
    return 1 + secrets.randbits(62)


class _Execution:
    """The run of one notebook; a new session starts whenever a cell has ended the last one."""

    def __init__(self, notebook, files, sessions, allowance, seed):
        self.steps, self.files, self.sessions = steps_of(notebook), files, sessions
        self.allowance, self.seed = allowance, seed
        self.graded, self.collector = Graded(seed=seed), OutputCollector()
        self.own_seed = seed_for_one()
        self.start = time.monotonic()
        self.done = 0
        self.spent = 0.0  # seconds of the cells and answers that were not stopped
        # Checks with answers that get their own sessions at the end.
        self.put_off: list[Step] = []

    def run(self) -> Graded:
        while self.done < len(self.steps):
            self._run_in_new_session()
        for step in self.put_off:
            self.graded.verdicts[step.task.id] = self._judge_alone(step)
        if self.graded.notes:
            self.graded.notes[-1] += OTHERS
        return self.graded

    def _wall_seconds_left(self) -> float:
        return self.start + self.allowance.wall_seconds - time.monotonic()

    def _run_in_new_session(self) -> None:
        """Run the finished cells again, then go on until the end or until the session is lost."""
        self._require_room()
        self.graded.sessions += 1
        at = 0
        left = self.allowance.most_seconds - self.graded.cpu_seconds
        limits = self.allowance.limits(max(self._wall_seconds_left(), 1.0), max(left, 1.0))
        with self.sessions.session(limits) as session:
            client = Client(session)
            try:
                self._put_files(client)
                for at, step in enumerate(self.steps):
                    if at < self.done:
                        self._repeat(client, session, step)
                    else:
                        self._do(client, session, step)
                        self.done = at + 1
            except SessionLost as lost:
                why = self._why(session, lost)
            except MemoryError:
                why = NO_MEMORY
            else:
                return
            finally:
                self.graded.cpu_seconds += session.usage.cpu_seconds
        step = self.steps[at]
        reason = f"{'The check' if step.task else 'The cell'} was stopped: {why}."
        self._leave_out(step, reason)
        if at == self.done:
            self._fail(step, reason)
            self.done = at + 1

    def _require_room(self) -> None:
        """Set the submission aside if nothing more of it may run.

        Raises:
            SetAside, NotDone: if it must be set aside.
        """
        if len(self.graded.notes) >= MOST_STOPPED:
            raise SetAside(MANY_STOPPED.format(self.graded.notes[-1]))
        if self.spent > self.allowance.submission_seconds:
            raise SetAside(self._too_slow(self.allowance.submission_seconds))
        if self._wall_seconds_left() <= 0:
            raise NotDone(self.allowance.wall_seconds)

    def _too_slow(self, seconds: float) -> str:
        return TOO_SLOW.format(seconds=seconds)

    def _why(self, session: Session, lost: SessionLost) -> str:
        """Why a session was lost, if that is the student's doing.

        Raises:
            SetAside, NotDone, SessionError: if it is not, or if nothing more may run.
        """
        limit = ended_by(session, lost, self.allowance)
        if limit == "cpu_seconds":
            raise SetAside(self._too_slow(self.allowance.most_seconds)) from lost
        return OVER_MEMORY.format(**self.allowance.plain()) if limit else str(lost)

    def _put_files(self, client: Client) -> None:
        try:
            client.put_files(self.files)
        except SessionLost as lost:  # no code of the student has run yet
            raise SessionError(f"{ITS_FILES}: {lost}") from lost

    def _leave_out(self, step: Step, reason: str) -> None:
        """Note that a cell or answer was stopped; a new session runs without it."""
        self.graded.fatal[step.index] = reason
        task = next((s.task for s in self.steps[self.steps.index(step) :] if s.task), None)
        title = f"{task.title}: " if task else ""
        self.graded.notes.append(f"{title}{reason}")

    def _fail(self, step: Step, reason: str) -> None:
        if step.task:
            self.graded.verdicts[step.task.id] = _nothing_for(step, reason)
        else:
            error = new_output("error", ename=NOT_RUN, evalue=reason, traceback=[reason])
            self.graded.outputs.setdefault(step.index, []).append(error)

    def _repeat(self, client: Client, session: Session, step: Step) -> None:
        if step.source and step.index not in self.graded.fatal:
            self._run_cell(client, session, step, lambda output: None)

    def _do(self, client: Client, session: Session, step: Step) -> None:
        if step.source:
            outputs = self.graded.outputs.setdefault(step.index, [])
            self._run_cell(client, session, step, partial(self.collector.add, outputs))
        if step.task and step.task.verb is fit_then_predict:
            self.put_off.append(step)
        elif step.task:
            verdict = self._judge(client, session, step)
            self.graded.verdicts[step.task.id] = self._with_earlier(step, verdict)

    def _run_cell(
        self, client: Client, session: Session, step: Step, heard: Callable[[Any], None]
    ) -> None:
        self._require_room()
        seconds, start = self.allowance.cell_seconds, session.seconds
        if client.run(step.source, seconds, heard):
            self.spent += session.seconds - start
        else:
            self._leave_out(step, f"The cell was stopped: {TOO_LONG.format(seconds)}.")

    def _judge(self, client: Client, session: Session, step: Step) -> Verdict:
        def ask(cases: Sequence[Case], most: Sequence[int]) -> list[Outcome]:
            self._require_room()
            start = session.seconds
            try:
                outcomes = client.outcomes(
                    step.task, step.expression, cases, most, self.allowance.task_seconds
                )
            except AnswerStopped as stopped:
                self._leave_out(step, str(stopped))
                raise
            self.spent += session.seconds - start
            return outcomes

        return self._verdict(step, ask)

    def _judge_alone(self, step: Step) -> Verdict:
        """The verdict on an answer for which only its own cell runs."""
        source = source_of(step.expression, self.steps[: self.steps.index(step)])
        others = [step.source for step in self.steps if step.source != source]
        cell = Cell(source, step.expression, lambda name: any(binds(name, s) for s in others))
        alone = OwnSessions(self.sessions, self.allowance, self._wall_seconds_left, cell)
        try:
            return self._verdict(step, alone.outcomes)
        finally:
            self.graded.cpu_seconds += alone.cpu_seconds

    def _verdict(self, step: Step, ask: Ask) -> Verdict:
        seed = self.own_seed if step.task.own_draw else self.seed
        try:
            return judge_officially(step.task, ask, seed)
        except (SessionLost, SessionError, SetAside, UserError):
            raise
        except NoAnswer:
            return Verdict(step.task, "untouched", 0.0, reason=NOTHING_YET)
        except AnswerLost as lost:
            return _nothing_for(step, " ".join([*self._stopped_before(step), str(lost)]))
        except MemoryError:
            return _nothing_for(step, f"What it returns can't be judged: {NO_MEMORY}.")
        except Exception as error:  # a value on which the judging fails earns nothing
            return _nothing_for(step, f"What it returns can't be judged ({type(error).__name__}).")

    def _with_earlier(self, check: Step, verdict: Verdict) -> Verdict:
        """The verdict, with problems of the cells before the check added to the reason.

        These are what stopped a cell, and earlier answers that fail.
        """
        if verdict.status == "passed":  # most are; this saves reading their cells
            return verdict
        before = self._unreadable(check) or self._why_undefined(check, verdict.reason)
        said = " ".join(filter(None, [before, verdict.reason]))
        verdict = replace(verdict, reason=said)
        earlier = {
            step.task.answer: self.graded.verdicts[step.task.id]
            for step in self.steps[: self.steps.index(check)]
            if step.task
        }
        sources = "\n".join(step.source for step in self._cells_of(check))
        return with_earlier(verdict, names_in_source(sources), earlier)

    def _unreadable(self, check: Step) -> str:
        """A sentence on what the cells of a check could not read; empty if they read all."""
        cells = self._cells_of(check)
        return unreadable(chain.from_iterable(self.graded.outputs.get(c.index, []) for c in cells))

    def _why_undefined(self, check: Step, reason: str | None) -> str:
        """A sentence on what stopped the cell that makes an undefined name; or empty."""
        failed = [(cell, errors) for cell, errors in self._failed_before(check) if errors]
        told = reason or ""
        for _ in range(LONGEST_CHAIN):
            undefined = UNDEFINED.search(reason or "")
            if not undefined:
                break
            errors = [e for cell, said in failed if binds(undefined[1], cell.source) for e in said]
            if said := not_installed(errors):
                return said
            for error in errors:
                if error.ename == NOT_RUN:
                    return "" if error.evalue in told else error.evalue
                if error.ename != "NameError":
                    raised = one_line(f"{error.ename}: {error.evalue}", LONGEST_RAISED).rstrip(".")
                    return f"The cell that makes {undefined[1]} stopped with {raised}."
            # The cell that would have made the name may lack another one.
            reason = "; ".join(f"{error.ename}: {error.evalue}" for error in errors)
        return ""

    def _failed_before(self, check: Step) -> Iterator[tuple[Step, list[NotebookNode]]]:
        """The cells before a check, with the errors that they raised."""
        for cell in self.steps[: self.steps.index(check)][:MOST_CELLS]:
            outputs = self.graded.outputs.get(cell.index, [])
            yield cell, [output for output in outputs if output.output_type == "error"]

    def _stopped_before(self, check: Step) -> list[str]:
        """Why cells of a check were stopped."""
        fatal = self.graded.fatal
        return [fatal[step.index] for step in self._cells_of(check) if step.index in fatal]

    def _cells_of(self, check: Step) -> list[Step]:
        """The cells between the previous check and this one."""
        before = reversed(self.steps[: self.steps.index(check)])
        return list(takewhile(lambda step: not step.task, before))[::-1]


def _nothing_for(step: Step, reason: str) -> Verdict:
    return Verdict(step.task, "failed", 0.0, reason=reason)
