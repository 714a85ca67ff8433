"""Grading on a Dask cluster that is there already: the same jobs and results, sent further.

Dask carries frames of `headway.runner.transport`, which are bytes, and nothing of them is ever
unpickled into an object of ours. On the other machine the job goes to a worker process of the same
kind as here, in a sandbox of that machine; student code never shares a process with Dask.
"""

import atexit
import queue
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from distributed import Client, Future, as_completed
from distributed.client import FutureCancelledError
from distributed.scheduler import KilledWorker

from headway.errors import UserError
from headway.grading.workers.slot import Slot
from headway.runner.transport import pack, unpack

ANSWERING_SECONDS = 10
SLOTS: queue.SimpleQueue = queue.SimpleQueue()  # those of this process that are free
AHEAD = 2  # jobs on their way for each that is being done


class ClusterPool:
    """The workers of a cluster.

    Args:
        address: of the scheduler, "tcp://host:8786".

    Raises:
        UserError: if it does not answer, or has no workers.
    """

    def __init__(self, address: str):
        try:
            if not address:  # for which Dask would start a cluster of its own
                raise ValueError("no address was given")
            self._client = Client(address, timeout=ANSWERING_SECONDS, set_as_default=False)
        except (OSError, ValueError, ImportError) as error:
            raise UserError(
                f"The scheduler {address} does not answer ({error}). Start one with `dask "
                "scheduler`, and workers with `dask worker ADDRESS`, in an environment with this "
                "course's grade extra; or grade on this machine, without --scheduler."
            ) from error
        if not self._threads():
            self._client.close()
            raise UserError(
                f"The scheduler {address} has no workers. Start some with: dask worker {address}"
            )

    def _threads(self) -> int:
        return sum(self._client.nthreads().values())

    def begin(self, job: dict) -> None:
        """Nothing: whose workers take the first jobs is the scheduler's business."""

    def map(self, jobs: Iterable[tuple[Any, dict]]) -> Iterator[tuple[Any, dict]]:
        """As `headway.grading.workers.pool.Pool.map`.

        Raises:
            UserError: if the scheduler goes away meanwhile.
        """
        jobs, running = iter(jobs), {}
        done = as_completed(loop=self._client.loop)
        try:
            while True:
                while len(running) < AHEAD * max(1, self._threads()) and (item := next(jobs, None)):
                    key, job = item
                    future = self._client.submit(grade_there, pack(job), pure=False, retries=1)
                    running[future] = key
                    done.add(future)
                if not running:
                    return
                future = next(done)
                yield running.pop(future), _result(future)
        except (OSError, TimeoutError, FutureCancelledError) as error:
            raise UserError(
                f"The cluster is gone ({error}). What was graded is kept; the same command goes on."
            ) from error

    def close(self) -> None:
        """Leave the cluster as it was."""
        with suppress(OSError, TimeoutError):
            self._client.close()

    def __enter__(self) -> "ClusterPool":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _result(future: Future) -> dict:
    try:
        return unpack(future.result())
    except KilledWorker as error:
        return {"status": "fault", "reason": f"the cluster's workers ended: {error}"}


def grade_there(job: bytes) -> bytes:
    """Grade a job in a worker process beside this one, which lives as long as this one does."""
    try:
        slot = SLOTS.get_nowait()
    except queue.Empty:
        slot = Slot()
        atexit.register(slot.close)
    try:
        return pack(slot.grade(unpack(job)))
    finally:
        SLOTS.put(slot)
