"""What a session says, and how it is interrupted: never in the middle of a frame."""

import os
import signal
import threading
from collections.abc import Callable
from typing import Any

from headway.runner.transport import send
from headway.runner.waiting import waited

AGAIN_SECONDS = 0.5  # between one interruption of a cell and the next
LEAST_SECONDS = 0.1  # of waiting that are worth while to be given back

# Bound here, since a student's code in the same process may put other things in their places.
_exit, _getpid, _ident = os._exit, os.getpid, threading.get_ident
_signal, _timer = signal.signal, signal.setitimer
SIGALRM, SIG_IGN, REAL = signal.SIGALRM, signal.SIG_IGN, signal.ITIMER_REAL


class Channel:
    """Sends frames whole: from one thread at a time, never interrupted in the middle of one."""

    def __init__(self, sock: Any):
        self._sock, self._lock, self._sender, self._late = sock, threading.RLock(), None, False
        self._speaker = _getpid()

    def take_over(self) -> None:
        """Speak from this process instead of that which it was forked from."""
        self._speaker = _getpid()

    def say(self, message: dict) -> None:
        if _getpid() != self._speaker:  # a process that the student forked came out of its cell
            _exit(0)
        with self._lock:
            self._sender = _ident()
            try:
                send(self._sock, message)
            except EOFError:  # nobody listens any more
                _exit(1)
            finally:
                self._sender = None
        if self._late:
            self._late = False
            raise KeyboardInterrupt

    def interrupt(self, *_: Any) -> None:
        """The handler of the alarm, which runs in the main thread between any two steps."""
        if self._sender == _ident():
            self._late = True
        else:
            raise KeyboardInterrupt


class Alarm:
    """Around what must not take longer; interrupts again and again what goes on regardless.

    What it waited for a processor is given to it once more.
    """

    def __init__(self, handler: Callable, seconds: float):
        self._handler, self._seconds, self._waited = handler, seconds, 0.0

    def __enter__(self) -> None:
        self._waited = waited()
        _signal(SIGALRM, self._ring)
        _timer(REAL, max(self._seconds, 0.001), AGAIN_SECONDS)

    def __exit__(self, *_: Any) -> None:
        _timer(REAL, 0)
        _signal(SIGALRM, SIG_IGN)

    def _ring(self, *arguments: Any) -> None:
        before, self._waited = self._waited, waited()
        if self._waited - before > LEAST_SECONDS:
            _timer(REAL, self._waited - before, AGAIN_SECONDS)
        else:
            self._handler(*arguments)
