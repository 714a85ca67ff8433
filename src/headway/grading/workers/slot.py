"""A slot for one worker: a process of its own that grades one job after another.

A worker that ends, hangs or says something else than a result is replaced, and its job is tried
once more; twice is no accident, and a person has to look.
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
STARTING_SECONDS = 120  # on top of what a submission may take
ENDING_SECONDS = 10
FORMS = {
    "graded": {"notebook": str, "seconds": float, "cpu_seconds": float},
    "open": {},
    "set-aside": {"reason": str},
    "fault": {"reason": str},
}


class WorkerLost(Exception):  # noqa: N818 - an ending, and no error of the program
    """A worker ended, or did not answer; the message says so in words."""


def require_result(given: object) -> dict:
    """What a worker gave, if it is a result.

    Raises:
        WorkerLost: if it is not.
    """
    form = FORMS.get(given.get("status")) if isinstance(given, dict) else None
    if form is None or any(type(given.get(key)) is not kind for key, kind in form.items()):
        raise WorkerLost("what the worker gave is no result")
    return given


class WorkerProcess:
    """A process that runs `headway.grading.workers.worker`, as its parent sees it.

    Args:
        cores: on which it runs, with its sandbox and all that is in it; on any, if none are given.
    """

    COMMAND = (sys.executable, "-m", "headway.grading.workers.worker")

    def __init__(self, cores: Collection[int] = ()):
        self._at_work = threading.Lock()
        # Whoever outlives it clears away what it leaves.
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
                start_new_session=True,  # Ctrl-C is the business of the parent
            )
        if cores:
            os.sched_setaffinity(self._process.pid, cores)

    def grade(self, job: dict) -> dict:
        """The result of a job; the forms of both are in `headway.grading.workers.job`.

        Raises:
            WorkerLost: if there is none.
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
        """End the process; its sandbox ends with it."""
        self._hang_up()
        try:
            self._process.wait(ENDING_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._ended()

    def kill(self) -> None:
        """End the process at once."""
        self._process.kill()
        self._hang_up()
        self._ended()

    def _hang_up(self) -> None:
        """Close the socket, under the hands of a thread that may be waiting at it."""
        # Closing alone would leave that one waiting, at what may soon be another file's number.
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        with self._at_work:
            self._socket.close()

    def _ended(self) -> None:
        self._process.wait()
        self._scratch.cleanup()


class Slot:
    """One worker at a time, made when it is needed, and replaced when it is lost."""

    def __init__(self, make: Callable[[], WorkerProcess] = WorkerProcess):
        self._make, self._worker = make, None

    def start(self) -> None:
        """Start a worker, if there is none yet."""
        self._worker = self._worker or self._make()

    def grade(self, job: dict) -> dict:
        """The result of a job; a fault only if its last try gave one, too."""
        for _ in range(job.get("tries", TRIES)):
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
        """End the worker, and start no other."""
        self._make = _closed
        if worker := self._worker:
            worker.close()

    def kill(self) -> None:
        """As `close`, at once: what it is at work on is not wanted any more."""
        self._make = _closed
        if worker := self._worker:
            worker.kill()


def _closed() -> WorkerProcess:
    raise RuntimeError("This slot is closed.")
