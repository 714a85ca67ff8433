"""A limit of processor time around pieces of work that somebody else's values can make long."""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

AGAIN_SECONDS = 0.2  # between one interruption and the next, where code takes the first for its own


class TimeUp(Exception):  # noqa: N818 - an ending, and no error of the program
    """The time is used up."""


class ProcessorTime:
    """So many seconds of a processor, for several pieces of work together.

    In the main thread a piece is interrupted; in another one, or where there is no such timer, it
    is known only after it that it was too long.

    Args:
        seconds: for all pieces.
    """

    def __init__(self, seconds: float):
        self._left, self._inside = seconds, False

    @property
    def is_up(self) -> bool:
        """Whether nothing is left."""
        return self._left <= 0

    @contextmanager
    def spend(self) -> Iterator[None]:
        """Around a piece of work.

        Raises:
            TimeUp: if the time is used up, before the piece or within it.
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
            self._inside = False  # an interruption may have come at the line above
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
            and signal.getsignal(signal.SIGPROF) is signal.SIG_DFL  # nobody else counts
            and signal.getitimer(signal.ITIMER_PROF)[0] == 0
        )

    def _interrupt(self, *_: object) -> None:
        if self._inside:  # else it came in the last moment
            self._left = 0.0  # by the timer, which is not quite the clock
            raise TimeUp
