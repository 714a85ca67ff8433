"""The loop of a session: it runs cells in this process, and answers in forks of it.

An answer runs in a fork, a snapshot of the process after the cells. So an answer that changes a
variable or ends its process affects neither the next answer nor the next cell.

The other end must not trust what this process sends: the student's code shares the process and can
send anything.
"""

import os
import random
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from headway.runner.channel import Alarm, Channel
from headway.runner.questions import FunctionElsewhere, TablesElsewhere
from headway.runner.shell import SessionShell, run, use
from headway.runner.transport import WireError, receive
from headway.tasks.engine.probe.outcomes import Raised, observe
from headway.tasks.engine.probe.verbs import VERBS

LOOK_SECONDS = 0.25
FORK_TRIES = 8
ENDED, SAID = 217, 218  # exit codes of a snapshot: report "ended", or report nothing more
KEPT_LINES, KEPT_CHARACTERS = 60, 4_000

# Bound at import, since a student's code in the same process may replace the originals.
_fork, _exit, _kill, _killpg, _wait = os.fork, os._exit, os.kill, os.killpg, os.waitpid
_setpgid, _listdir, _makedirs, _open = os.setpgid, os.listdir, os.makedirs, open
_dirname, _clock, _eval = os.path.dirname, time.monotonic, eval
_signal, _mask = signal.signal, signal.pthread_sigmask
_await_signal, _threads, _format = signal.sigtimedwait, threading.active_count, traceback
_set_state = np.random.seed
SIGCHLD, SIGKILL, SIG_DFL = signal.SIGCHLD, signal.SIGKILL, signal.SIG_DFL
SIG_BLOCK, SIG_SETMASK = signal.SIG_BLOCK, signal.SIG_SETMASK
WNOHANG, _exit_code = os.WNOHANG, os.waitstatus_to_exitcode
TICKS = os.sysconf("SC_CLK_TCK")


def serve(sock: Any, shell: SessionShell, private: bool = False) -> None:
    """Serve the other side's messages until it closes.

    Args:
        sock: stream socket to the other side.
        shell: a shell from `make_shell`, not yet in use.
        private: whether this process has its own process namespace, so that kill(-1) reaches only
            the session's processes.
    """
    _SessionLoop(sock, shell, private).serve()


def can_fork() -> bool:
    """Whether a fork of this process would keep working.

    It would not if another thread may hold a lock, if torch has computed with several threads, or
    if CUDA has been initialized.
    """
    if _threads() > 1:
        return False
    torch = sys.modules.get("torch")
    if torch is None:
        return True  # NumPy starts its own threads again after a fork
    try:
        if torch.cuda.is_initialized():
            return False
        return torch.get_num_threads() == 1 or len(_listdir("/proc/self/task")) == 1
    except Exception:  # the student's code changed torch
        return len(_listdir("/proc/self/task")) == 1


class _SessionLoop:
    def __init__(self, sock: Any, shell: SessionShell, private: bool):
        self._sock, self._shell, self._private = sock, shell, private
        self._channel = Channel(sock)
        self._say = self._channel.say
        self._function = FunctionElsewhere(self._ask_function)

    def serve(self) -> None:
        use(self._shell, lambda output: self._say({"is": "output", "output": output}))
        _seed()
        does = {"files": self._files, "run": self._run, "answer": self._answer}
        # "ask" and "end" arrive here if the snapshot that they were meant for has died.
        does |= {"ask": _nothing, "end": _nothing}
        while True:
            try:
                message = receive(self._sock, tensors=True)
                does[message["do"]](message)
            except KeyboardInterrupt:  # an alarm that rang late
                continue
            except EOFError:
                return

    def _files(self, message: dict) -> None:
        for path, content in message["files"].items():
            if path.startswith("/") or ".." in path.split("/"):
                raise ValueError(f"a file for the working directory has the path {path!r}")
            _makedirs(_dirname(path) or ".", exist_ok=True)
            with _open(path, "wb") as file:
                file.write(content)
        self._say({"is": "ready"})

    def _run(self, message: dict) -> None:
        shell, seconds = self._shell, message["seconds"]

        def interrupt(*_: Any) -> None:
            shell.timed_out = seconds
            self._channel.interrupt()

        error = True
        try:
            with Alarm(interrupt, seconds):
                error = run(shell, message["source"])
        except KeyboardInterrupt:  # the alarm rang after the cell had ended
            shell.capture.end()
        shell.timed_out = None
        self._say({"is": "done", "error": error})

    def _answer(self, message: dict) -> None:
        expression, seconds = message["expression"], message["seconds"]
        if message.get("here") or not can_fork():
            self._answer_here(expression, seconds)
            return
        before = _mask(SIG_BLOCK, {SIGCHLD})
        handler = _signal(SIGCHLD, SIG_DFL)  # if it were ignored, no exit code would be kept
        pid = self._fork_for_sure()
        if pid == 0:
            code = 1
            try:
                _mask(SIG_SETMASK, before)
                _setpgid(0, 0)
                self._channel.take_over()
                self._shell.descriptors.silence()
                code = self._converse(expression)
            finally:
                _exit(code)
        ending = _await(pid, seconds)
        self._kill_all_but_me(pid)
        if ending is None:
            _wait_for(pid)
        _signal(SIGCHLD, handler if handler is not None else SIG_DFL)
        _mask(SIG_SETMASK, before)
        if ending == ENDED:
            self._say({"is": "ended"})
        elif ending != SAID:
            self._say({"is": "lost", "why": _why(ending)})

    def _fork_for_sure(self) -> int:
        """Fork; if a cell has left too many processes for that, kill them and try again."""
        try:
            return _fork()
        except OSError:
            if not self._private:
                raise
        self._kill_all_but_me(0)
        with suppress(ChildProcessError):
            while True:
                _wait(-1, 0)
        for _ in range(FORK_TRIES):  # until process 1 has reaped the orphans
            with suppress(OSError):
                return _fork()
            _await_signal({SIGCHLD}, LOOK_SECONDS)
        return _fork()

    def _answer_here(self, expression: str, seconds: float) -> None:
        """As `_answer`, but without a fork: an answer that crashes ends the session."""
        try:
            with Alarm(self._channel.interrupt, seconds):
                code = self._converse(expression)
        except KeyboardInterrupt:
            self._say({"is": "lost", "why": "time"})
            return
        if code == ENDED:
            self._say({"is": "ended"})

    def _converse(self, expression: str) -> int:
        """Evaluate an answer, then use it for each "ask" message; returns an exit code."""
        try:
            answer = _eval(expression, self._shell.user_ns)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self._say({"is": "raised", **_told(error)})
            return SAID
        self._say({"is": "answer", "blank": answer is None or answer is ...})
        while True:
            message = receive(self._sock, tensors=True)
            if message["do"] == "end":
                return ENDED
            if message["do"] == "ask":
                self._say_outcome(message, answer)

    def _say_outcome(self, message: dict, answer: Any) -> None:
        inputs = message["inputs"]
        if "kept" in message:  # the judge keeps the first input
            kept = message["kept"]  # the shape of the tables, or None for a function
            inputs = [TablesElsewhere(kept, self._ask_for_row) if kept else self._function, *inputs]
        outcome = observe(VERBS[message["verb"]], answer, inputs)
        said = {"is": "outcome", "printed": outcome.printed}
        if isinstance(outcome, Raised):
            said |= {"error": outcome.error, "message": outcome.message}
        else:
            said |= {"value": outcome.value}
        try:
            self._say(said)
        except WireError as error:
            said.pop("value", None)
            self._say(said | {"error": "UnplainError", "message": str(error)})

    def _ask_for_row(self, table: int, place: tuple[int, ...]) -> np.ndarray:
        self._say({"is": "question", "table": table, "place": list(place)})
        return receive(self._sock, tensors=True)["row"]

    def _ask_function(self, given: list) -> dict:
        self._say({"is": "question", "given": given})
        return receive(self._sock, tensors=True)

    def _kill_all_but_me(self, pid: int) -> None:
        """Kill the snapshot and all that it started, which could write to this channel later."""
        if self._private:
            _try(_kill, -1, SIGKILL)
        else:
            _try(_killpg, pid, SIGKILL)
            _try(_kill, pid, SIGKILL)


def _seed() -> None:
    random.seed(0)
    _set_state(0)
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.manual_seed(0)


def _await(pid: int, seconds: float) -> int | None:
    """The snapshot's exit code, negative for a signal; None if it has computed too long."""
    start = _clock()
    while True:
        try:
            ended, status = _wait(pid, WNOHANG)
        except ChildProcessError:
            return 1
        if ended:
            return _exit_code(status)
        left = seconds - _computed(pid, _clock() - start)
        if left <= 0:
            return None
        _await_signal({SIGCHLD}, min(left, LOOK_SECONDS))


def _computed(pid: int, otherwise: float) -> float:
    """Processor seconds of a process and of the children that it waited for.

    Args:
        otherwise: the result on systems that do not tell.
    """
    try:
        with _open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
        return sum(map(int, fields[11:15])) / TICKS
    except (OSError, ValueError):
        return otherwise


def _wait_for(pid: int) -> None:
    _try(_wait, pid, 0)


def _try(function: Callable, *arguments: Any) -> None:
    try:
        function(*arguments)
    except OSError:  # the process is gone already
        return


def _why(ending: int | None) -> str:
    if ending is None:
        return "time"
    return f"signal {-ending}" if ending < 0 else f"exit {ending}"


def _told(error: BaseException) -> dict:
    """An exception as text."""
    try:
        text = str(error)[:KEPT_CHARACTERS]
        lines = _format.format_exception(error)
    except BaseException:  # the exception's own str() raises
        text, lines = "(its message cannot be read)", []
    return {
        "error": type(error).__name__,
        "message": text,
        "traceback": [line[:KEPT_CHARACTERS] for line in lines[-KEPT_LINES:]],
    }


def _nothing(message: dict) -> None:
    pass
