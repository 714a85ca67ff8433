"""The clock of a session, which other programs on the machine neither drive nor stop.

It advances by the processor time that the session's processes use, and by wall time while all of
them sleep although we wait for them. So it stands still while they wait for a busy machine's
processor, or for us.

Whether a process sleeps is looked up many times a second, as the state of its threads. Processes
that start between two looks may have run and ended unseen, so then wall time counts, too.
"""

from headway.grading.sandbox.usage import Usage

LONGEST = 1.0  # seconds between two looks that count as sleep; we may have been kept from looking


class Clock:
    """Adds up the seconds that a session has computed or slept.

    Args:
        now: the time, on the clock of `time.monotonic`.

    Attributes:
        seconds: the total so far.
    """

    def __init__(self, now: float):
        self.seconds, self._now, self._usage = 0.0, now, Usage()

    def add(self, now: float, usage: Usage, awaited: bool) -> None:
        """Add what passed since the last look.

        Args:
            now: the time of this look.
            usage: what all processes have used.
            awaited: whether it is the session's turn.
        """
        before, self._usage = self._usage, usage
        computed = usage.cpu_seconds - before.cpu_seconds
        # A process waits for a disk in state D, and one that called vfork() for its child.
        busy = usage.is_runnable or (usage.is_blocked and computed > 0)
        unseen = bool(usage.own.keys() - before.own.keys())
        asleep = awaited and (not busy or unseen)
        self.seconds += max(computed, min(now - self._now, LONGEST) if asleep else 0.0)
        self._now = now
