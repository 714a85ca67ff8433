"""Grading on a Dask cluster that is there already: the same jobs and results, sent further.

Dask carries frames of `headway.runner.transport`, which are bytes, and nothing of them is ever
unpickled into an object of ours. On the other machine the job goes to a worker process of the same
kind as here, in a sandbox of that machine; student code never shares a process with Dask.
"""

import atexit
import fcntl
import logging
import os
import queue
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from socket import gethostname
from typing import Any

from distributed import Client, Future, as_completed
from distributed.client import ClosedClientError, FutureCancelledError

from headway.errors import UserError
from headway.grading.digests import code_digest
from headway.grading.safe_text import one_line
from headway.grading.workers.slot import Slot, WorkerLost, WorkerProcess, require_result
from headway.runner.transport import WireError, pack, unpack

ANSWERING_SECONDS = 10
WITHOUT_WORKERS_SECONDS = 60
LOOKING_SECONDS = 0.05  # between two looks at what is done
SLOTS: queue.SimpleQueue = queue.SimpleQueue()  # those of this process that are free
LOGGERS = ("distributed", "distributed.client")
AHEAD = 2  # jobs on their way for each that is being done
GONE = (OSError, TimeoutError, FutureCancelledError, ClosedClientError)
OTHER_CODE = (
    "has another version of the course, of Python, NumPy or PyTorch than this machine. Install the "
    "same there, and start the worker again."
)

code_here = cache(code_digest)


class ClusterPool:
    """The workers of a cluster.

    Args:
        address: of the scheduler, "tcp://host:8786".

    Raises:
        UserError: if it does not answer, has no workers, or workers with other code than ours.
    """

    def __init__(self, address: str):
        # What goes wrong is said here, and Dask would show a traceback of it as well.
        self._levels = {logger: logger.level for logger in map(logging.getLogger, LOGGERS)}
        for logger in self._levels:
            logger.setLevel(logging.CRITICAL)
        try:
            if not address:  # for which Dask would start a cluster of its own
                raise ValueError("no address was given")
            self._client = Client(address, timeout=ANSWERING_SECONDS, set_as_default=False)
        except (OSError, ValueError, ImportError) as error:
            self._let_them_speak()
            raise UserError(
                f"The scheduler {address} does not answer ({error}). Start one with `dask "
                "scheduler`, and workers with `dask worker ADDRESS`, in an environment with this "
                "course's grade extra; or grade on this machine, without --scheduler."
            ) from error
        try:
            if not self._threads():
                raise UserError(
                    f"The scheduler {address} has no workers. Start some with: "
                    f"dask worker {address}"
                )
            self._require_our_code()
        except BaseException:
            self.close()
            raise

    def _threads(self) -> int:
        return sum(self._client.nthreads().values())

    def _require_our_code(self) -> None:
        there = self._client.run(code_there, on_error="return")
        if other := sorted(worker for worker, digest in there.items() if digest != code_here()):
            raise UserError(f"The cluster's worker {other[0]} {OTHER_CODE}")

    def begin(self, job: dict) -> None:
        """Nothing: whose workers take the first jobs is the scheduler's business."""

    def map(self, jobs: Iterable[tuple[Any, dict]]) -> Iterator[tuple[Any, dict]]:
        """As `headway.grading.workers.pool.Pool.map`.

        Raises:
            UserError: if the scheduler goes away meanwhile, or all workers do.
        """
        jobs, running = iter(jobs), {}
        done = as_completed(loop=self._client.loop)
        try:
            while True:
                while len(running) < AHEAD * max(1, self._threads()) and (item := next(jobs, None)):
                    key, job = item
                    future = self._client.submit(
                        grade_there, pack(job), code_here(), pure=False, retries=1
                    )
                    running[future] = key
                    done.add(future)
                if not running:
                    return
                self._wait(done)
                future = next(done)
                yield running.pop(future), _result(future)
        except GONE as error:
            raise UserError(
                f"The cluster is gone ({error}). What was graded is kept; run the "
                "same command to go on."
            ) from error

    def _wait(self, done: as_completed) -> None:
        """Wait for the next that is done."""
        seen = looked = time.monotonic()
        while not done.has_ready():
            time.sleep(LOOKING_SECONDS)
            if (now := time.monotonic()) - looked < ANSWERING_SECONDS:
                continue
            looked = now
            if self._threads():
                seen = now
            elif now - seen > WITHOUT_WORKERS_SECONDS:
                raise UserError(
                    "The cluster has no workers any more. What was graded is kept; start some "
                    "and run the same command."
                )

    def close(self) -> None:
        """Leave the cluster as it was."""
        with suppress(OSError, TimeoutError):
            self._client.close()
        self._let_them_speak()

    def _let_them_speak(self) -> None:
        for logger, level in self._levels.items():
            logger.setLevel(level)

    def __enter__(self) -> "ClusterPool":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _result(future: Future) -> dict:
    """What came of a job; an error of its worker is a fault, and one of the cluster is raised."""
    if future.status == "error":  # not raised again: of what kind it is, the worker decides
        reason = one_line(f"{type(future.exception()).__name__}: {future.exception()}")
        return {"status": "fault", "reason": f"the cluster's worker failed: {reason}"}
    try:
        return require_result(unpack(future.result()))
    except (WireError, WorkerLost) as error:
        return {"status": "fault", "reason": str(error)}


def code_there() -> str:
    """The digest of the code that a worker of the cluster has."""
    return code_here()


def grade_there(job: bytes, code: str) -> bytes:
    """Grade a job in a worker process beside this one, which lives as long as this one does.

    Args:
        code: the digest of the code that it is to be graded with.
    """
    if code != code_here():  # a worker that came later than the others
        return pack({"status": "fault", "reason": f"a worker on {gethostname()} {OTHER_CODE}"})
    try:
        slot = SLOTS.get_nowait()
    except queue.Empty:
        slot = Slot(partial(WorkerProcess, _own_core()))
        atexit.register(slot.close)
    try:
        return pack(slot.grade(unpack(job)))
    finally:
        SLOTS.put(slot)


def _own_core() -> list[int]:
    """A core that no other slot of this machine has, for as long as this process lives.

    Nothing if all are taken; then the kernel chooses.
    """
    folder = Path(tempfile.gettempdir()) / f"headway-cores-{os.getuid()}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError:  # somebody else's file has this name, or there is no room
        return []
    if folder.is_symlink() or folder.stat().st_uid != os.getuid():
        return []
    for core in sorted(os.sched_getaffinity(0)):
        lock = os.open(folder / str(core), os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return [core]  # the lock is held until the process ends
        except BlockingIOError:
            os.close(lock)
    return []
