"""Run a cell in two separate processes, one for each function of its answer.

So a check in a notebook has the same conditions as grading: nothing from other cells, only the
model's numbers pass from `fit` to `predict`, one thread, and a limit of processor time, which does
not depend on how busy the machine is. One that sleeps is stopped as well. This is not a sandbox,
since students run their own code.
"""

import contextlib
import io
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from importlib.abc import MetaPathFinder
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any

import numpy as np

from headway.tasks.engine.drawn_cases import VISIBLE
from headway.tasks.engine.judge import judge_by_asking
from headway.tasks.engine.own_cell import Cell, outcome_alone, run_alone, until_refused
from headway.tasks.engine.probe.calls import call_part
from headway.tasks.engine.probe.outcomes import KEPT_OUTPUT, Outcome, Raised, Returned
from headway.tasks.engine.probe.plain import plain
from headway.tasks.engine.task import Case, Task
from headway.tasks.engine.unseen_text import (
    FIT,
    PREDICT,
    Budget,
    Stopped,
    asleep,
    too_slow,
)
from headway.tasks.engine.verdict import Verdict

ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
LOOK_SECONDS, LONGEST_LOOK, ENDING_SECONDS = 0.1, 1, 10
# Exit codes of a process whose processor time is used up, and of one that slept too long.
SLOW, ASLEEP = 75, 76


def judge_alone(task: Task, cell: Cell) -> Verdict:
    """Judge the answer of a cell on a task's visible cases, with only this cell run."""

    def ask(cases: Sequence[Case], most: Sequence[int]) -> list[Outcome]:
        with contextlib.ExitStack() as stack:
            children = [stack.enter_context(_started(cell, task.hidden)) for _ in (FIT, PREDICT)]
            return until_refused(partial(_outcome, cell, children), cases)

    return judge_by_asking(task, ask, VISIBLE)


def _outcome(cell: Cell, children: Sequence["_Child"], case: Case) -> Outcome:
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        outcome = outcome_alone(cell, _Processes(children, case.inputs[-1]), case.inputs)
    return replace(outcome, printed=printed.getvalue()[:KEPT_OUTPUT])


class _Processes:
    """The two processes for one case; in each, the cell runs again before a function is called."""

    def __init__(self, children: Sequence["_Child"], budget: Budget):
        self.children, self.budget = children, budget
        self.begun, self.spent = set(), [0.0, 0.0]

    def __call__(self, place: int, *arguments: Any) -> Any:
        value, seconds = self._ask(place, place, arguments)
        self.spent[place] += seconds
        if self.spent[place] > self.budget.seconds:
            raise Stopped(too_slow(place, self.budget))
        return value

    def predict_after_fit(self, *arguments: Any) -> Any:
        if self.children[PREDICT].slept:  # it would sleep as long once more
            raise Stopped(asleep(PREDICT, self.budget))
        return self._ask(FIT, PREDICT, arguments)[0]

    def _ask(self, where: int, place: int, arguments: Sequence) -> tuple[Any, float]:
        child = self.children[where]
        if where not in self.begun:
            self.begun.add(where)
            child.begin(self.budget)
        return child.ask(place, arguments)


class _Child:
    """The parent's handle of a process in which a cell runs."""

    def __init__(self, process: Any, connection: Connection):
        self.process, self.connection = process, connection

    @property
    def slept(self) -> bool:
        """Whether the process has ended because it slept too long."""
        return self.process.exitcode == ASLEEP

    def begin(self, budget: Budget) -> None:
        """Run the cell again, in a new namespace."""
        self.budget = budget
        self._say(("begin", budget.of_session, budget.with_sleep))
        self._hear(FIT)

    def ask(self, place: int, arguments: Sequence) -> tuple[Any, float]:
        """Call a function; return its value and the processor seconds that it took."""
        self._say(("ask", place, arguments))
        return self._hear(place)

    def _say(self, message: tuple) -> None:
        with contextlib.suppress(OSError):  # `_hear` finds out why the process has ended
            self.connection.send(message)

    def _hear(self, place: int) -> tuple[Any, float]:
        # A grandchild may hold the sentinel open after the process has ended, so poll as well.
        while self.process.is_alive():
            if wait([self.connection, self.process.sentinel], 10 * LOOK_SECONDS):
                break
        with contextlib.suppress(EOFError, OSError):
            if self.connection.poll():
                kind, printed, *told = self.connection.recv()
                print(printed, end="")
                if kind == "raised":
                    raise Stopped(Raised(*told))
                return tuple(told)
        self.process.join(ENDING_SECONDS)
        if self.process.exitcode == SLOW:
            raise Stopped(too_slow(place, self.budget))
        if self.slept:
            raise Stopped(asleep(place, self.budget))
        raise Stopped(Returned({"refused": ["no process", "it ended the process that it ran in."]}))


@contextlib.contextmanager
def _started(cell: Cell, hidden: Sequence[str]) -> Iterator[_Child]:
    """Start a process for a cell; at the end, kill it and its process group."""
    context = get_context("spawn")
    mine, theirs = context.Pipe()
    process = context.Process(target=serve, args=(theirs, cell.source, cell.expression, hidden))
    with _environment({**dict.fromkeys(ONE_THREAD, "1"), "PYTHONHASHSEED": "0"}):
        process.start()
    theirs.close()
    try:
        yield _Child(process, mine)
    finally:
        if hasattr(os, "killpg"):
            with contextlib.suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)
        process.kill()
        process.join()
        mine.close()


@contextlib.contextmanager
def _environment(names: dict[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in names}
    os.environ.update(names)
    try:
        yield
    finally:
        for name, text in before.items():
            if text is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = text


def serve(connection: Connection, source: str, expression: str, hidden: Sequence[str] = ()) -> None:
    """The child's loop: run the cell or call one of its functions for each message."""
    _hide(hidden)
    if hasattr(os, "setsid"):
        os.setsid()
    with open(os.devnull, "r+b") as nothing:  # discard output that bypasses sys.stdout
        for stream in (0, 1, 2):
            os.dup2(nothing.fileno(), stream)
    watch, answer = _Watch(), None
    while True:
        try:
            what, *told = connection.recv()
        except EOFError:
            return
        printed, start, value = io.StringIO(), time.process_time(), None
        watch.is_asked = True
        try:
            with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
                if what == "begin":
                    watch.begin(*told)
                    _seed(source)
                    answer = run_alone(_as_python(source), expression)
                else:
                    place, arguments = told
                    with np.errstate(all="ignore"):
                        value = plain(call_part(answer, [place, *arguments]))
        except BaseException as error:  # a student's sys.exit() must not end the check
            said = "raised", printed.getvalue(), type(error).__name__, _text_of(error)
        else:
            said = "gave", printed.getvalue(), value, time.process_time() - start
        watch.is_asked = False
        connection.send(said)


class _Hidden(MetaPathFinder):
    """Refuses to import modules, as `headway.runner.prepare.Hidden` does in grading."""

    def __init__(self, names: Sequence[str]):
        self.names = frozenset(names)

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> None:
        """Find nothing, so that other finders are asked; raise for a hidden module."""
        if fullname in self.names:
            raise ImportError(
                f"{fullname} answers this task, so your cell cannot import it, here and in grading",
                name=fullname,
            )


def _hide(names: Sequence[str]) -> None:
    """Let no later import find these modules, even if this process has imported them."""
    for name in names:
        package, _, module = name.rpartition(".")
        sys.modules.pop(name, None)
        if package in sys.modules:
            vars(sys.modules[package]).pop(module, None)
    sys.meta_path.insert(0, _Hidden(names))


class _Watch:
    """Ends this process when its processor time is used up, or when it slept too long.

    On no system but Linux can a process tell sleep from waiting for a busy machine's processor, as
    grading does (`headway.grading.sandbox.clock`). So while it is asked for something, time in
    which it gets less than a tenth of a processor counts as sleep.

    Attributes:
        is_asked: whether a message is being worked on.
    """

    def __init__(self):
        self.is_asked, self._slept = False, 0.0
        self._most_computed = self._most_slept = float("inf")
        threading.Thread(target=self._keep_watch, daemon=True).start()

    def begin(self, seconds: float, with_sleep: float) -> None:
        """Set the limits, which count from now on: of processor time, and of sleep."""
        self._most_computed = time.process_time() + seconds
        self._most_slept = self._slept + with_sleep

    def _keep_watch(self) -> None:
        now, computed = time.monotonic(), time.process_time()
        while computed < self._most_computed and self._slept < self._most_slept:
            time.sleep(LOOK_SECONDS)
            before, now = now, time.monotonic()
            had, computed = computed, time.process_time()
            if self.is_asked and computed - had < (now - before) / 10:
                self._slept += min(now - before, LONGEST_LOOK)  # the machine itself may sleep
        os._exit(SLOW if computed >= self._most_computed else ASLEEP)


def _seed(source: str) -> None:
    """Seed the random generators, as grading does."""
    if "torch" in source:
        import_module("torch").manual_seed(0)
    random.seed(0)
    np.random.seed(0)


def _as_python(source: str) -> str:
    """The cell as plain Python: magics such as `%time` are translated."""
    try:
        compile(source, "<the cell of the answer>", "exec")
    except SyntaxError:
        shell = import_module("IPython.core.interactiveshell").InteractiveShell.instance()
        sys.modules["builtins"].get_ipython = lambda: shell
        return shell.transform_cell(source)
    return source


def _text_of(error: BaseException) -> str:
    try:
        return str(error)[:KEPT_OUTPUT]
    except Exception:  # the exception's own str() raises
        return "(its message cannot be read)"
