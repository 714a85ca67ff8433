"""Run a repaired notebook in a session, and judge its answers.

The cells run in order. At each check, inputs are sent to the answer in the session, plain data
comes back, and the judging happens outside. If a cell ends its session or takes too long, a new
session runs the earlier cells again, skips this cell and goes on after it. Results that are
missing, late or malformed earn nothing.

An answer with `fit` and `predict` is judged at the end, when no other session is open. It gets its
own sessions, in which only its own cell runs.
"""

import re
import secrets
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, takewhile

from nbformat import NotebookNode

from headway.errors import UserError
from headway.grading.allowance import Allowance
from headway.grading.execution.client import Client, NoAnswer
from headway.grading.execution.conversation import AnswerLost, SessionLost
from headway.grading.execution.outputs import OutputCollector
from headway.grading.execution.steps import Step, binds, source_of, steps_of
from headway.grading.execution.two_sessions import TwoSessions
from headway.grading.notebooks.nodes import new_output
from headway.grading.notebooks.verdicts import names_in_source, not_installed, unreadable
from headway.grading.sandbox.session import SessionError
from headway.grading.sandbox.sessions import Sessions
from headway.tasks.engine.earlier import with_earlier
from headway.tasks.engine.judge import NOTHING_YET, Ask
from headway.tasks.engine.official import judge_officially
from headway.tasks.engine.own_cell import Cell, fit_then_predict
from headway.tasks.engine.probe.outcomes import Outcome
from headway.tasks.engine.task import Case
from headway.tasks.engine.verdict import Verdict

MAX_SESSIONS = 8  # for one submission
STARVED = 0.1  # share of its time that a submission had to wait for a processor
UNDEFINED = re.compile(r"NameError: name '(\w{1,80})' is not defined")
LONGEST_CHAIN, MOST_CELLS = 4, 200  # in search of what made a name undefined
NO_MEMORY = "it takes more memory than there is"
OVER = {
    "memory_bytes": "it used more than {memory_mb:,} MB of memory",
    "cpu_seconds": "it used more processor time than there is",
    "wall_seconds": "the {submission_seconds:g} seconds for the whole notebook were used up",
}


@dataclass
class Graded:
    """The result of running and judging a notebook.

    Attributes:
        outputs: index of a code cell → its outputs, for cells that ran.
        verdicts: verdicts by task id.
        fatal: index of a cell → why it did not run to its end.
        seed: seed of the hidden cases.
        cpu_seconds: processor time of the sessions.
        sessions: number of sessions; more than one if a cell ended a session.
        timed_out: whether anything ran out of time.
        starved_seconds: seconds in which a session was ready to run but others had its processors.
        seconds: wall time of everything.
    """

    outputs: dict[int, list[NotebookNode]] = field(default_factory=dict)
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    fatal: dict[int, str] = field(default_factory=dict)
    seed: int = 0
    cpu_seconds: float = 0.0
    sessions: int = 0
    timed_out: bool = False
    starved_seconds: float = 0.0
    seconds: float = 0.0

    @property
    def starved(self) -> bool:
        """Whether something ran out of time that might have finished on a less busy machine."""
        return self.timed_out and self.starved_seconds > STARVED * self.seconds


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
        # Checks with answers that get their own sessions at the end.
        self.put_off: list[Step] = []

    def run(self) -> Graded:
        while self.done < len(self.steps):
            if self.graded.sessions == MAX_SESSIONS:
                self._give_up("too many cells ended the process that ran them")
            elif self._left() <= 0:
                self.graded.timed_out = True
                self._give_up(self._why("wall_seconds"))
            else:
                self._run_in_new_session()
        for step in self.put_off:
            self.graded.verdicts[step.task.id] = self._judge_alone(step)
        self.graded.seconds = time.monotonic() - self.start
        return self.graded

    def _left(self) -> float:
        return self.start + self.allowance.submission_seconds - time.monotonic()

    def _why(self, limit: str) -> str:
        return OVER[limit].format(**self.allowance.plain())

    def _run_in_new_session(self) -> None:
        """Run the finished cells again, then go on until the end or until the session is lost."""
        self.graded.sessions += 1
        at = 0
        with self.sessions.session(self.allowance.limits(max(self._left(), 1.0))) as session:
            client = Client(session)
            try:
                client.put_files(self.files)
                for at, step in enumerate(self.steps):
                    if at < self.done:
                        self._repeat(client, step)
                    else:
                        self._do(client, step)
                        self.done = at + 1
            except SessionLost as lost:
                limit = session.ended_by_limit()
                why = self._why(limit) if limit else str(lost)
                self.graded.timed_out |= limit == "wall_seconds"
            except MemoryError:
                why = NO_MEMORY
            else:
                return
            finally:
                self.graded.cpu_seconds += session.usage.cpu_seconds
                self.graded.starved_seconds += session.starved_seconds
                self.graded.timed_out |= client.timed_out
        if at < self.done:
            self._give_up(f"an earlier cell did not run a second time: {why}")
            return
        step = self.steps[at]
        reason = f"{'The check' if step.task else 'The cell'} was stopped: {why}."
        self.graded.fatal[step.index] = reason
        self._fail(step, reason)
        self.done = at + 1

    def _give_up(self, why: str) -> None:
        for step in self.steps[self.done :]:
            self._fail(step, f"It was not run: {why}.")
        self.done = len(self.steps)

    def _fail(self, step: Step, reason: str) -> None:
        if step.task:
            self.graded.verdicts[step.task.id] = _nothing_for(step, reason)
        else:
            error = new_output("error", ename="NotRun", evalue=reason, traceback=[reason])
            self.graded.outputs.setdefault(step.index, []).append(error)

    def _repeat(self, client: Client, step: Step) -> None:
        if step.source and step.index not in self.graded.fatal:
            client.run(step.source, self.allowance.cell_seconds, lambda output: None)

    def _do(self, client: Client, step: Step) -> None:
        if step.source:
            outputs = self.graded.outputs.setdefault(step.index, [])
            heard = partial(self.collector.add, outputs)
            client.run(step.source, self.allowance.cell_seconds, heard)
        if step.task and step.task.verb is fit_then_predict:
            self.put_off.append(step)
        elif step.task:
            self.graded.verdicts[step.task.id] = self._with_earlier(step, self._judge(client, step))

    def _judge(self, client: Client, step: Step) -> Verdict:
        def ask(cases: Sequence[Case], most: Sequence[int]) -> list[Outcome]:
            seconds = max(0.0, min(self.allowance.task_seconds, self._left()))
            return client.outcomes(step.task, step.expression, cases, most, seconds)

        return self._verdict(step, ask)

    def _judge_alone(self, step: Step) -> Verdict:
        """The verdict on an answer for which only its own cell runs."""
        if self._left() <= 0:
            self.graded.timed_out = True
            return _nothing_for(step, f"It was not run: {self._why('wall_seconds')}.")
        source = source_of(step.expression, self.steps[: self.steps.index(step)])
        others = [step.source for step in self.steps if step.source != source]
        cell = Cell(source, step.expression, lambda name: any(binds(name, s) for s in others))
        alone = TwoSessions(self.sessions, self.allowance, self._left, cell)
        try:
            return self._verdict(step, alone.outcomes)
        finally:
            self.graded.cpu_seconds += alone.cpu_seconds
            self.graded.starved_seconds += alone.starved_seconds
            self.graded.timed_out |= alone.timed_out

    def _verdict(self, step: Step, ask: Ask) -> Verdict:
        seed = self.own_seed if step.task.own_draw else self.seed
        try:
            return judge_officially(step.task, ask, seed)
        except (SessionLost, SessionError, UserError):
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

        These are syntax errors, missing packages, and earlier answers that fail.
        """
        if verdict.status == "passed":  # most are; this saves reading their cells
            return verdict
        before = (self._unreadable(check), self._not_installed(check, verdict.reason))
        said = " ".join(filter(None, [*before, verdict.reason]))
        verdict = replace(verdict, reason=said)
        earlier = {
            step.task.answer: self.graded.verdicts[step.task.id]
            for step in self.steps[: self.steps.index(check)]
            if step.task
        }
        sources = "\n".join(step.source for step in self._cells_of(check))
        return with_earlier(verdict, names_in_source(sources), earlier)

    def _unreadable(self, check: Step) -> str:
        """A sentence on a syntax error in a cell of a check; empty if there is none."""
        cells = self._cells_of(check)
        return unreadable(chain.from_iterable(self.graded.outputs.get(c.index, []) for c in cells))

    def _not_installed(self, check: Step, reason: str | None) -> str:
        """A sentence on a missing package, if a name is undefined because of it; or empty."""
        failed = [(cell, errors) for cell, errors in self._failed_before(check) if errors]
        for _ in range(LONGEST_CHAIN):
            undefined = UNDEFINED.search(reason or "")
            if not undefined:
                break
            errors = [e for cell, said in failed if binds(undefined[1], cell.source) for e in said]
            if said := not_installed(errors):
                return said
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
