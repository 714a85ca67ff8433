"""How long a sandbox was denied a processor: it was ready to run, and others ran.

The kernel counts for each process how long it ran and how long it waited while it could have run
(Linux, Documentation/scheduler/sched-stats.rst). Processes of one sandbox wait for each other, too,
and many that wake up together wait long while they run hardly at all. So it goes by the one that
waited longest, less what others of its sandbox can have run meanwhile, and less what the grader
ran, who has the same cores and is kept busy by what the sandbox says. Nothing counts where there
are more processes than a session has by itself, as measuring these takes time as well, or where
processes are started, which may run and end unseen.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from headway.runner.waiting import PROCESSES

WINDOW = 0.5  # seconds; shorter ones are measured in too few of the kernel's ticks


@dataclass(frozen=True)
class Turns:
    """What became of a process's wish to run: seconds since its start.

    Attributes:
        ran: for which its first thread had a processor.
        waited: for which that thread was ready to run, and had none.
    """

    ran: float = 0.0
    waited: float = 0.0


class StarvationMeter:
    """Adds up for how long a sandbox was denied a processor.

    Args:
        cores: on which it may run.
        now: as `time.monotonic` tells.

    Attributes:
        seconds: so far.
    """

    def __init__(self, cores: int, now: float):
        self.seconds = 0.0
        self._cores, self._start, self._spent, self._grader = cores, now, 0.0, 0.0
        self._known: Mapping[bytes, Turns] = {}
        self._seen: set[bytes] = set()  # since the start of this window

    def add(
        self, now: float, spent: float, turns: Mapping[bytes, Turns], grader: float = 0.0
    ) -> None:
        """Take a measurement into account.

        Args:
            now: when it was made.
            spent: seconds of a processor, of all processes since the start.
            turns: of each living process, by its number and start.
            grader: seconds of a processor that this process itself has spent.
        """
        self._seen |= turns.keys()
        passed = now - self._start
        if passed < WINDOW:
            return
        if turns and len(turns) <= PROCESSES and self._seen <= self._known.keys():
            idle = self._cores * passed - (spent - self._spent)  # of it, on its cores
            waiting = self._waited_for_others(spent - self._spent, turns)
            self.seconds += max(0.0, min(waiting, idle, passed) - (grader - self._grader))
        self._start, self._spent, self._known = now, spent, turns
        self._grader = grader
        self._seen = set(turns)

    def _waited_for_others(self, spent: float, turns: Mapping[bytes, Turns]) -> float:
        """The most seconds for which one waited and no other of the sandbox was in its way."""
        before = {who: self._known[who] for who in turns}
        ran = {who: one.ran - before[who].ran for who, one in turns.items()}
        ranked = sorted(ran.values(), reverse=True)
        most = 0.0
        for who, one in turns.items():
            # Those who run most can do so on the other cores.
            others = ranked.copy()
            others.remove(ran[who])
            in_the_way = spent - ran[who] - sum(others[: self._cores - 1])
            most = max(most, one.waited - before[who].waited - max(0.0, in_the_way))
        return most
