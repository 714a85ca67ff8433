"""A pool for tests of what is around the grading: it grades each notebook once and remembers."""

import copy
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from headway.grading.class_run import Work
from headway.grading.workers.pool import Slot


class StandIn:
    """Gives what workers would, without the time that they take.

    Attributes:
        asked: for each job that it got, whose submission it was, and the job.
        before: called with each job's student before there is a result.
        change: called with the student and the result; gives another.
    """

    def __init__(self):
        self._slot, self._known = Slot(), {}
        self.asked: list[tuple[str, dict]] = []
        self.before = lambda student: None
        self.change = lambda student, result: result

    def map(self, jobs: Iterable[tuple[Any, dict | None]]) -> Iterator[tuple[Any, dict | None]]:
        for key, job in jobs:
            if job is None:
                yield key, None
                continue
            student = key.students[0] if isinstance(key, Work) else key
            self.asked.append((student, job))
            self.before(student)
            yield key, self.change(student, self.result(job))

    def result(self, job: dict) -> dict:
        known = job["notebook"], tuple(job["releases"])
        if known not in self._known:
            self._known[known] = self._slot.grade(job)
        return copy.deepcopy(self._known[known])

    def students(self) -> list[str]:
        """Whose submissions it got since it was asked last."""
        names = [student for student, _ in self.asked]
        self.asked.clear()
        return names

    def close(self) -> None:
        self._slot.close()

    @contextmanager
    def opened(self, *_: object) -> Iterator["StandIn"]:
        """In the place of `headway.grading.workers.pool.open_pool`."""
        yield self
