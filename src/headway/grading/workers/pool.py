"""Workers side by side: jobs go in, results come out as they are ready."""

import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from functools import partial
from queue import SimpleQueue
from typing import Any

from headway.grading.workers.slot import Slot, WorkerProcess


def shares(cores: Sequence[int], size: int) -> list[Sequence[int]]:
    """The cores of each of so many workers: its own where there are enough.

    A submission that keeps its cores busy then takes no time from another one.
    """
    return [cores[at::size] or [cores[at % len(cores)]] for at in range(size)]


class Pool:
    """Several slots on this machine, each served by a thread.

    Args:
        size: how many; one for each core is best.
    """

    def __init__(self, size: int):
        self.size = size
        cores = sorted(os.sched_getaffinity(0))
        self._slots = [Slot(partial(WorkerProcess, share)) for share in shares(cores, size)]
        self._free = SimpleQueue()
        for slot in self._slots:
            self._free.put(slot)
            slot.start()  # which takes a while; meanwhile the parent gets ready, too

    def begin(self, job: dict) -> None:
        """Give all workers a job whose result nobody waits for, before those of `map`."""

        def give() -> None:
            with suppress(RuntimeError):  # the pool was closed meanwhile
                self._grade(job)

        for _ in self._slots:
            threading.Thread(target=give, daemon=True).start()

    def map(self, jobs: Iterable[tuple[Any, dict]]) -> Iterator[tuple[Any, dict]]:
        """Results by key, in the order in which they are ready.

        Jobs are drawn from the iterable only as workers become free, so that any number of them
        takes the memory of a few.
        """
        jobs = iter(jobs)
        running: dict[Future, Any] = {}
        threads = ThreadPoolExecutor(self.size)
        try:
            while True:
                while len(running) < 2 * self.size and (item := next(jobs, None)):
                    key, job = item
                    running[threads.submit(self._grade, job)] = key
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    yield running.pop(future), future.result()
        finally:
            if running:  # something went wrong, or whoever asked does not want the rest
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
        """End all workers."""
        for slot in self._slots:
            slot.close()

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextmanager
def open_pool(size: int, scheduler: str | None = None) -> Iterator[Pool]:
    """Workers of this machine, or those of a Dask cluster.

    Args:
        size: how many of this machine.
        scheduler: the address of the cluster's.

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
