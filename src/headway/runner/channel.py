"""The session's end of the channel, and an alarm that never interrupts it within a frame."""

import os
import signal
import threading
from collections.abc import Callable
from typing import Any

from headway.runner.transport import send

AGAIN_SECONDS = 0.5  # between one interruption of a cell and the next

# Bound at import, since a student's code in the same process may replace the originals.
_exit, _getpid, _ident = os._exit, os.getpid, threading.get_ident
_signal, _timer = signal.signal, signal.setitimer
SIGPROF, SIG_IGN, PROF = signal.SIGPROF, signal.SIG_IGN, signal.ITIMER_PROF


class Channel:
    """Sends whole frames: one thread at a time, and an interruption waits for the frame's end."""

    def __init__(self, sock: Any):
        self._sock, self._lock, self._sender, self._late = sock, threading.RLock(), None, False
        self._speaker = _getpid()

    def take_over(self) -> None:
        """Let this process, a fork, send; `say` ends any other fork."""
        self._speaker = _getpid()

    def say(self, message: dict) -> None:
        if _getpid() != self._speaker:  # a process that the student's cell forked got here
            _exit(0)
        with self._lock:
            self._sender = _ident()
            try:
                send(self._sock, message)
            except EOFError:  # the other end has closed
                _exit(1)
            finally:
                self._sender = None
        if self._late:
            self._late = False
            raise KeyboardInterrupt

    def interrupt(self, *_: Any) -> None:
        """The alarm's handler: raise at once, or after the frame that is being sent."""
        if self._sender == _ident():
            self._late = True
        else:
            raise KeyboardInterrupt


class Alarm:
    """A context that calls the handler after some seconds, and then repeatedly until it ends.

    Only this process's own processor time counts. The other end stops what sleeps, and what lets
    other processes compute.
    """

    def __init__(self, handler: Callable, seconds: float):
        self._handler, self._seconds = handler, seconds

    def __enter__(self) -> None:
        _signal(SIGPROF, self._handler)
        _timer(PROF, max(self._seconds, 0.001), AGAIN_SECONDS)

    def __exit__(self, *_: Any) -> None:
        _timer(PROF, 0)
        _signal(SIGPROF, SIG_IGN)
