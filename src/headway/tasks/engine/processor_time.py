"""A limit of processor time for work on values that a student's code returned."""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

AGAIN_SECONDS = 0.2  # until the next interruption, if the code catches the first


class TimeUp(Exception):  # noqa: N818 - an ending, and no error of the program
    """The time is used up."""


class ProcessorTime:
    """A budget of processor seconds, shared by several pieces of work.

    In the main thread, work over budget is interrupted. In other threads, or without a profiling
    timer, it runs to its end before `TimeUp` is raised.

    Args:
        seconds: the budget for all pieces together.
    """

    def __init__(self, seconds: float):
        self._left, self._inside = seconds, False

    @property
    def is_up(self) -> bool:
        """Whether the budget is used up."""
        return self._left <= 0

    @contextmanager
    def spend(self) -> Iterator[None]:
        """A context that charges a piece of work to the budget.

        Raises:
            TimeUp: if the budget is used up, before the work or during it.
        """
        if self.is_up:
            raise TimeUp
        start, armed = time.process_time(), self._can_interrupt()
        try:
            if armed:
                before = signal.signal(signal.SIGPROF, self._interrupt)
                self._inside = True
                signal.setitimer(signal.ITIMER_PROF, self._left, AGAIN_SECONDS)
            try:
                yield
            finally:
                self._inside = False
        finally:
            self._inside = False  # an interruption may have hit the line above
            if armed:
                signal.setitimer(signal.ITIMER_PROF, 0)
                signal.signal(signal.SIGPROF, before)
            self._left -= time.process_time() - start
        if self.is_up:
            raise TimeUp

    def _can_interrupt(self) -> bool:
        return (
            hasattr(signal, "ITIMER_PROF")
            and threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGPROF) is signal.SIG_DFL  # no profiler runs
            and signal.getitimer(signal.ITIMER_PROF)[0] == 0
        )

    def _interrupt(self, *_: object) -> None:
        if self._inside:  # else the work has just ended
            self._left = 0.0  # the timer and the clock may differ a little
            raise TimeUp
