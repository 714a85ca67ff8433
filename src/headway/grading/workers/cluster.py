"""Grade on an existing Dask cluster, with the same jobs and results.

Dask carries frames of `headway.runner.transport` as bytes, which are never unpickled. On
the other machine, a worker process of the same kind as here grades the job in a sandbox of that
machine. Student code never runs in a Dask process.
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
LOOKING_SECONDS = 0.05  # between two checks for finished jobs
SLOTS: queue.SimpleQueue = queue.SimpleQueue()  # this process's free slots
LOGGERS = ("distributed", "distributed.client")
AHEAD = 2  # submitted jobs per running job
GONE = (OSError, TimeoutError, FutureCancelledError, ClosedClientError)
OTHER_CODE = (
    "has another version of the course, of Python, NumPy or PyTorch than this machine. Install the "
    "same there, and start the worker again."
)

code_here = cache(code_digest)


class ClusterPool:
    """The workers of a cluster.

    Args:
        address: the scheduler's address, "tcp://host:8786".

    Raises:
        UserError: if it does not answer, or has no workers, or its workers have different code.
    """

    def __init__(self, address: str):
        # Errors are reported here; Dask would print tracebacks as well.
        self._levels = {logger: logger.level for logger in map(logging.getLogger, LOGGERS)}
        for logger in self._levels:
            logger.setLevel(logging.CRITICAL)
        try:
            if not address:  # Dask would start its own cluster
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

    def map(self, jobs: Iterable[tuple[Any, dict | None]]) -> Iterator[tuple[Any, dict | None]]:
        """As `headway.grading.workers.pool.Pool.map`.

        Raises:
            UserError: if the scheduler or all workers disappear meanwhile.
        """
        jobs, running = iter(jobs), {}
        done = as_completed(loop=self._client.loop)
        try:
            while True:
                while len(running) < AHEAD * max(1, self._threads()) and (item := next(jobs, None)):
                    key, job = item
                    if job is None:
                        yield key, None
                        continue
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
        """Wait for the next finished job."""
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
        """Disconnect from the cluster, which keeps running."""
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
    """The result of a job. A worker's error becomes a fault; the cluster's errors are raised."""
    if future.status == "error":  # not raised here, since the worker chooses its class
        reason = one_line(f"{type(future.exception()).__name__}: {future.exception()}")
        return {"status": "fault", "reason": f"the cluster's worker failed: {reason}"}
    try:
        return require_result(unpack(future.result()))
    except (WireError, WorkerLost) as error:
        return {"status": "fault", "reason": str(error)}


def code_there() -> str:
    """The digest of the code on a worker of the cluster."""
    return code_here()


def grade_there(job: bytes, code: str) -> bytes:
    """Grade a job in a worker process, which lives as long as this Dask process.

    Args:
        code: the digest of the code to grade with.
    """
    if code != code_here():  # a worker that joined after the first check
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
    """A core that no other slot on this machine uses, reserved while this process lives.

    Empty if all are taken; then the kernel chooses.
    """
    folder = Path(tempfile.gettempdir()) / f"headway-cores-{os.getuid()}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError:  # another user's file has this name, or the disk is full
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
