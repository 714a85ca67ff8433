"""A slot for one worker: a separate process that grades one job after another.

If a worker ends, hangs or sends an invalid result, it is replaced and its job is tried once more.
If that fails too, a person has to look.
"""

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Collection
from contextlib import suppress
from tempfile import TemporaryDirectory

from headway.grading.sandbox.mounts import ONE_THREAD
from headway.runner.transport import WireError, receive, send

TRIES = 2
STARTING_SECONDS = 120  # in addition to a submission's time limit
ENDING_SECONDS = 10
FORMS = {
    "graded": {"notebook": str, "seconds": float},
    "set-aside": {"reason": str},
    "fault": {"reason": str},
}


class WorkerLost(Exception):  # noqa: N818 - an ending, and no error of the program
    """A worker ended, or did not answer; the message says which."""


def require_result(given: object) -> dict:
    """The data from a worker, if they are a valid result.

    Raises:
        WorkerLost: if they are not.
    """
    form = FORMS.get(given.get("status")) if isinstance(given, dict) else None
    if form is None or any(type(given.get(key)) is not kind for key, kind in form.items()):
        raise WorkerLost("what the worker gave is no result")
    return given


class WorkerProcess:
    """The parent's handle of a process that runs `headway.grading.workers.worker`.

    Args:
        cores: cores for the process and its sandbox; all cores if empty.
    """

    COMMAND = (sys.executable, "-m", "headway.grading.workers.worker")

    def __init__(self, cores: Collection[int] = ()):
        self._at_work = threading.Lock()
        # Both processes remove this folder, in case one of them is killed.
        self._scratch = TemporaryDirectory(prefix="headway-", ignore_cleanup_errors=True)
        os.chmod(self._scratch.name, 0o711)  # the sandbox runs as user nobody
        self._socket, theirs = socket.socketpair()
        with theirs:
            environment = {**os.environ, **dict.fromkeys(ONE_THREAD, "1")}
            environment["TMPDIR"] = self._scratch.name
            self._process = subprocess.Popen(
                [*self.COMMAND, str(theirs.fileno()), self._scratch.name],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=environment,
                start_new_session=True,  # so that Ctrl-C reaches only the parent
            )
        if cores:
            os.sched_setaffinity(self._process.pid, cores)

    def grade(self, job: dict) -> dict:
        """Grade a job; `headway.grading.workers.job` describes jobs and results.

        Raises:
            WorkerLost: if there is no result.
        """
        seconds = job["seconds"] + STARTING_SECONDS
        try:
            with self._at_work:
                send(self._socket, job, seconds)
                result = receive(self._socket, seconds)
        except TimeoutError as error:
            raise WorkerLost(f"the worker gave no result in {seconds:g} seconds") from error
        except EOFError as error:
            raise WorkerLost("the worker ended") from error
        except OSError as error:
            raise WorkerLost(f"the worker cannot be reached: {error.strerror}") from error
        except WireError as error:
            raise WorkerLost(f"what the worker gave cannot be read: {error}") from error
        return require_result(result)

    def close(self) -> None:
        """Let the process end, and its sandbox with it."""
        self._hang_up()
        try:
            self._process.wait(ENDING_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._ended()

    def kill(self) -> None:
        """Kill the process."""
        self._process.kill()
        self._hang_up()
        self._ended()

    def _hang_up(self) -> None:
        """Close the socket, although another thread may be waiting for it."""
        # Closing alone would leave the thread waiting, on a descriptor that may be reused.
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        with self._at_work:
            self._socket.close()

    def _ended(self) -> None:
        self._process.wait()
        self._scratch.cleanup()


class Slot:
    """One worker at a time, started when it is needed, and replaced when it is lost."""

    def __init__(self, make: Callable[[], WorkerProcess] = WorkerProcess):
        self._make, self._worker = make, None

    def start(self) -> None:
        """Start a worker, if there is none yet."""
        self._worker = self._worker or self._make()

    def grade(self, job: dict) -> dict:
        """Grade a job; the result is a fault only if the last try is one."""
        for _ in range(TRIES):
            self.start()
            try:
                result = self._worker.grade(job)
            except WorkerLost as lost:
                self._worker.kill()
                self._worker, reason = None, str(lost)
                continue
            if result["status"] != "fault":
                return result
            reason = result["reason"]
        return {"status": "fault", "reason": reason}

    def close(self) -> None:
        """Stop the worker, and start no other."""
        self._make = _closed
        if worker := self._worker:
            worker.close()

    def kill(self) -> None:
        """As `close`, but kill the worker at once, without its result."""
        self._make = _closed
        if worker := self._worker:
            worker.kill()


def _closed() -> WorkerProcess:
    raise RuntimeError("This slot is closed.")
