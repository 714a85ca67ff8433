"""A session seen from outside: a socket to what runs there, and a watch over what it uses."""

import os
import signal
import socket
import struct
import subprocess
import threading
import time
from contextlib import suppress
from typing import Protocol

from headway.grading.sandbox.limits import Limits
from headway.grading.sandbox.monitor import ENDING_SECONDS, INTERVAL
from headway.grading.sandbox.usage import Usage
from headway.runner.isolate import GO, HELLO

CREDENTIALS = struct.Struct("3i")  # struct ucred: process, user, group


class SessionError(Exception):
    """A session could not be had; the message says what went wrong."""


class ProcessMonitor(Protocol):
    """What a session is measured and ended by; `headway.grading.sandbox.monitor.Monitor` is one."""

    usage: Usage
    peak: int
    starved_seconds: float

    def measure(self) -> None:
        """Bring `usage` and `peak` up to date."""

    def exceeded_limit(self) -> str | None:
        """The first limit that was exceeded, if one was."""

    def ended_by_kernel(self) -> str | None:
        """The limit for which the kernel has ended it, if it has."""

    def kill(self) -> None:
        """End all its processes."""

    def is_gone(self) -> bool:
        """Whether none is alive."""

    def end(self) -> None:
        """End all its processes and wait until none is alive."""


class Session:
    """One place where a submission runs. What comes over its socket is untrusted.

    A thread measures it about thirty times a second, whatever its user does meanwhile, and ends it
    when a limit is exceeded; then the socket is at its end.

    Attributes:
        socket: for the frames of `headway.runner.transport`.
    """

    def __init__(self, sock: socket.socket, monitor: ProcessMonitor):
        self.socket, self._monitor = sock, monitor
        self._limit: str | None = None
        self._left = threading.Event()
        self._watch = threading.Thread(target=self._keep_watch, daemon=True)
        self._watch.start()

    @property
    def usage(self) -> Usage:
        """Memory and CPU time of all its processes, as measured now, or last while it lived."""
        self._monitor.measure()
        return self._monitor.usage

    @property
    def peak(self) -> int:
        """The most bytes of memory that were measured."""
        return self._monitor.peak

    @property
    def starved_seconds(self) -> float:
        """Seconds so far for which it could have run, and others had its processors."""
        return self._monitor.starved_seconds

    def ended_by_limit(self) -> str | None:
        """The limit for which it was ended: "memory_bytes", "cpu_seconds" or "wall_seconds"."""
        return self._limit or self._monitor.ended_by_kernel()

    def kill(self) -> None:
        """End it; its socket comes to its end."""
        self._monitor.kill()

    def leave(self) -> None:
        """End it and wait until nothing of it is alive."""
        self._left.set()
        self._watch.join()
        self.socket.close()
        self._monitor.end()

    def _keep_watch(self) -> None:
        while True:
            with suppress(MemoryError):  # which this process wanted for something else just now
                if self._left.wait(INTERVAL) or self._monitor.is_gone():
                    break
                if limit := self._monitor.exceeded_limit():
                    self._limit = limit
                    self._monitor.kill()
                    break
        # Somebody outside may hold the other end open; what was sent before can still be read.
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)


class TrustedProcess:
    """Measures and ends an ordinary process, with those that stay in its process group."""

    def __init__(self, process: subprocess.Popen, limits: Limits, start: float):
        self.process, self.limits, self.start = process, limits, start
        self.usage, self.peak, self.starved_seconds = Usage(), 0, 0.0

    def measure(self) -> None:
        """Measure nothing."""

    def exceeded_limit(self) -> str | None:
        """The wall time is all that is limited."""
        over = time.monotonic() - self.start > self.limits.wall_seconds
        return "wall_seconds" if over else None

    def ended_by_kernel(self) -> str | None:
        """None of its limits is the kernel's."""

    def kill(self) -> None:
        """End the process group."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def is_gone(self) -> bool:
        """Whether the process itself has ended."""
        return self.process.poll() is not None

    def end(self) -> None:
        """End the process group and wait for the process."""
        self.kill()
        self.process.wait(ENDING_SECONDS)


def socket_pair() -> tuple[socket.socket, socket.socket]:
    """Our end of a session's socket, which tells who speaks first, and the session's."""
    ours, theirs = socket.socketpair()
    if hasattr(socket, "SO_PASSCRED"):
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    return ours, theirs


def await_greeting(sock: socket.socket, seconds: float) -> int:
    """Wait for a session's greeting; the number of the process that greets, as seen from here.

    That process waits in turn for `answer_greeting`, so that the number stays its own.

    Raises:
        SessionError: if there comes none.
    """
    sock.settimeout(seconds)
    try:
        message, ancillary, _, _ = sock.recvmsg(1, socket.CMSG_SPACE(CREDENTIALS.size))
    except TimeoutError as error:
        raise SessionError(f"it did not start within {seconds:.0f} s") from error
    except OSError as error:
        raise SessionError(f"it ended at its start: {error.strerror}") from error
    if message != HELLO:
        raise SessionError("it ended at its start")
    for _, kind, data in ancillary:
        if kind == getattr(socket, "SCM_CREDENTIALS", None):
            return CREDENTIALS.unpack(data)[0]
    return 0


def answer_greeting(sock: socket.socket) -> None:
    """Let the greeting process go on.

    Raises:
        SessionError: if it is gone.
    """
    if hasattr(socket, "SO_PASSCRED"):
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)
    sock.settimeout(None)
    try:
        sock.sendall(GO)
    except OSError as error:
        raise SessionError(f"it ended at its start: {error.strerror}") from error
