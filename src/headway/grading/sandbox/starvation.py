"""Measure how long a sandbox was starved: ready to run, while others had its processors.

The kernel counts for each process how long it ran and how long it waited for a processor (Linux,
Documentation/scheduler/sched-stats.rst). But processes of the same sandbox also wait for each
other, and many that wake up together wait long though they hardly run. So the measure is the
longest wait of one process, less the time in which others of its sandbox may have run, and less the
grader's own time, since the grader uses the same cores and the sandbox can keep it busy. Nothing is
counted if there are more processes than in an ordinary session, which take time to measure, or if
processes were started, which may run and end unseen.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from headway.runner.waiting import PROCESSES

WINDOW = 0.5  # seconds; shorter ones have too few of the kernel's clock ticks


@dataclass(frozen=True)
class Turns:
    """How long a process's first thread has run and waited, in seconds since its start.

    Attributes:
        ran: seconds on a processor.
        waited: seconds ready to run, without a processor.
    """

    ran: float = 0.0
    waited: float = 0.0


class StarvationMeter:
    """Adds up how long a sandbox was starved.

    Args:
        cores: number of cores on which it may run.
        now: the time, on the clock of `time.monotonic`.

    Attributes:
        seconds: the total so far.
    """

    def __init__(self, cores: int, now: float):
        self.seconds = 0.0
        self._cores, self._start, self._spent, self._grader = cores, now, 0.0, 0.0
        self._known: Mapping[bytes, Turns] = {}
        self._seen: set[bytes] = set()  # since the start of this window

    def add(
        self, now: float, spent: float, turns: Mapping[bytes, Turns], grader: float = 0.0
    ) -> None:
        """Add a measurement.

        Args:
            now: its time.
            spent: processor seconds of all processes since the start.
            turns: the turns of each living process, by its id and start time.
            grader: processor seconds of the grader's own process.
        """
        self._seen |= turns.keys()
        passed = now - self._start
        if passed < WINDOW:
            return
        if turns and len(turns) <= PROCESSES and self._seen <= self._known.keys():
            idle = self._cores * passed - (spent - self._spent)  # not used by it
            waiting = self._waited_for_others(spent - self._spent, turns)
            self.seconds += max(0.0, min(waiting, idle, passed) - (grader - self._grader))
        self._start, self._spent, self._known = now, spent, turns
        self._grader = grader
        self._seen = set(turns)

    def _waited_for_others(self, spent: float, turns: Mapping[bytes, Turns]) -> float:
        """The longest wait of a process that other processes of the sandbox cannot explain."""
        before = {who: self._known[who] for who in turns}
        ran = {who: one.ran - before[who].ran for who, one in turns.items()}
        ranked = sorted(ran.values(), reverse=True)
        most = 0.0
        for who, one in turns.items():
            # The processes that ran most may have used the other cores.
            others = ranked.copy()
            others.remove(ran[who])
            in_the_way = spent - ran[who] - sum(others[: self._cores - 1])
            most = max(most, one.waited - before[who].waited - max(0.0, in_the_way))
        return most
