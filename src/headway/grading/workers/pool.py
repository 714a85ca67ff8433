"""A pool of workers that grade jobs in parallel."""

import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import partial
from queue import SimpleQueue
from typing import Any

from headway.grading.workers.slot import Slot, WorkerProcess


def shares(cores: Sequence[int], size: int) -> list[Sequence[int]]:
    """The cores of each worker: separate ones, if there are enough.

    Then a submission that keeps its cores busy does not slow down another one.
    """
    return [cores[at::size] or [cores[at % len(cores)]] for at in range(size)]


class Pool:
    """Several slots on this machine, each used by a thread.

    Args:
        size: number of slots; one for each core is best.
    """

    def __init__(self, size: int):
        self.size = size
        cores = sorted(os.sched_getaffinity(0))
        self._slots = [Slot(partial(WorkerProcess, share)) for share in shares(cores, size)]
        self._free = SimpleQueue()
        for slot in self._slots:
            self._free.put(slot)
            slot.start()  # takes a while, during which the parent prepares as well

    def map(self, jobs: Iterable[tuple[Any, dict | None]]) -> Iterator[tuple[Any, dict | None]]:
        """Yield (key, result) in the order in which the results are ready.

        Jobs are taken from the iterable only as workers become free, so that only a few are in
        memory. A key that comes with None instead of a job is given back with None at once.
        """
        jobs = iter(jobs)
        running: dict[Future, Any] = {}
        threads = ThreadPoolExecutor(self.size)
        try:
            while True:
                while len(running) < 2 * self.size and (item := next(jobs, None)):
                    key, job = item
                    if job is None:
                        yield key, None
                        continue
                    running[threads.submit(self._grade, job)] = key
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    yield running.pop(future), future.result()
        finally:
            if running:  # an error, or the caller does not want the rest
                for slot in self._slots:
                    slot.kill()
            threads.shutdown(cancel_futures=True)

    def _grade(self, job: dict) -> dict:
        slot = self._free.get()
        try:
            return slot.grade(job)
        finally:
            self._free.put(slot)

    def close(self) -> None:
        """Stop all workers."""
        for slot in self._slots:
            slot.close()

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextmanager
def open_pool(size: int, scheduler: str | None = None) -> Iterator[Pool]:
    """A context with workers of this machine, or those of a Dask cluster.

    Args:
        size: number of workers on this machine.
        scheduler: address of the cluster's scheduler; None for this machine.

    Raises:
        UserError: if the scheduler does not answer.
    """
    if scheduler is None:
        with Pool(size) as pool:
            yield pool
        return
    from headway.grading.workers.cluster import ClusterPool

    with ClusterPool(scheduler) as pool:
        yield pool
