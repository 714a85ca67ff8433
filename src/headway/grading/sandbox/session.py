"""A session seen from outside: a socket to its process, and monitoring of its limits."""

import os
import select
import signal
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol

from headway.grading.sandbox.clock import Clock
from headway.grading.sandbox.limits import Limits
from headway.grading.sandbox.monitor import ENDING_SECONDS, INTERVAL
from headway.grading.sandbox.usage import Usage
from headway.runner.prepare import GO, HELLO

CREDENTIALS = struct.Struct("3i")  # struct ucred: process, user, group
# Seconds of wall time that count as one without a sandbox, where processor time is not measured.
WALL_TIME_FACTOR = 4
EVENTS = Path("/proc/vmstat")


class SessionError(Exception):
    """No session could be started; the message says why."""


class ProcessMonitor(Protocol):
    """Measures and ends a session's processes, as `headway.grading.sandbox.monitor.Monitor`."""

    usage: Usage
    peak: int

    def measure(self) -> None:
        """Update `usage` and `peak`."""

    def exceeded_limit(self) -> str | None:
        """The first exceeded limit, if any."""

    def ended_by_kernel(self) -> str | None:
        """The limit for which the kernel has ended the session, if it has."""

    def kill(self) -> None:
        """End all its processes."""

    def is_gone(self) -> bool:
        """Whether all its processes have ended."""

    def end(self) -> None:
        """End all its processes and wait until they are gone."""


class Session:
    """A session in which a submission runs. Data from its socket are untrusted.

    A thread measures the session about thirty times a second, and ends it when it exceeds a limit;
    then its socket is closed.

    Attributes:
        socket: carries the frames of `headway.runner.transport`.
    """

    def __init__(self, sock: socket.socket, monitor: ProcessMonitor):
        self.socket, self._monitor = sock, monitor
        self._clock, self._awaited, self._kills = Clock(time.monotonic()), False, oom_kills()
        self._limit: str | None = None
        self._left = threading.Event()
        self._watch = threading.Thread(target=self._keep_watch, daemon=True)
        self._watch.start()

    @property
    def usage(self) -> Usage:
        """Memory and CPU time of all its processes, measured now, or last before its end."""
        self._monitor.measure()
        return self._monitor.usage

    @property
    def peak(self) -> int:
        """The most bytes of memory that were measured."""
        return self._monitor.peak

    @property
    def seconds(self) -> float:
        """Seconds that it has computed or slept so far; see `headway.grading.sandbox.clock`."""
        return self._clock.seconds

    @contextmanager
    def awaited(self) -> Iterator[None]:
        """A context in which it is the session's turn, so that its sleep counts."""
        self._awaited = True
        try:
            yield
        finally:
            self._awaited = False

    def ended_by_limit(self) -> str | None:
        """The limit for which it was ended: "memory_bytes", "cpu_seconds" or "wall_seconds"."""
        return self._limit or self._monitor.ended_by_kernel()

    def ended_by_machine(self) -> bool:
        """Whether the machine ran out of memory meanwhile, and the kernel ended some process."""
        return oom_kills() > self._kills

    def kill(self) -> None:
        """End the session, which closes its socket."""
        self._monitor.kill()

    def leave(self) -> None:
        """End the session and wait until all its processes are gone."""
        self._left.set()
        self._watch.join()
        self.socket.close()
        self._monitor.end()

    def _keep_watch(self) -> None:
        while True:
            with suppress(MemoryError):  # another thread has used up the memory for a moment
                if self._left.wait(INTERVAL) or self._monitor.is_gone():
                    break
                if limit := self._monitor.exceeded_limit():
                    self._limit = limit
                    self._monitor.kill()
                    break
                self._clock.add(time.monotonic(), self._monitor.usage, self._is_its_turn())
        # Other processes may hold the other end open. What was sent before can still be read.
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)

    def _is_its_turn(self) -> bool:
        """Whether we wait for it, and it has said nothing that we have not read yet."""
        if not self._awaited:
            return False
        with suppress(OSError, ValueError):  # it is closed by now
            poll = select.poll()
            poll.register(self.socket, select.POLLIN)
            return not poll.poll(0)
        return False


class TrustedProcess:
    """Ends an ordinary process and its process group, and limits its wall time."""

    def __init__(self, process: subprocess.Popen, limits: Limits, start: float):
        self.process, self.limits, self.start = process, limits, start
        self.usage, self.peak = Usage(), 0

    def measure(self) -> None:
        """Estimate the processor time by the wall time, with room for a busy machine."""
        passed = time.monotonic() - self.start
        self.usage = Usage(cpu_seconds=passed / WALL_TIME_FACTOR, is_runnable=True)

    def exceeded_limit(self) -> str | None:
        """Only the wall time is limited."""
        self.measure()
        over = time.monotonic() - self.start > self.limits.wall_seconds
        return "wall_seconds" if over else None

    def ended_by_kernel(self) -> str | None:
        """There are no limits by the kernel."""

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


def oom_kills() -> int:
    """How many processes the kernel has ended since its start because memory ran out."""
    with suppress(OSError):
        for line in EVENTS.read_text(encoding="ascii").splitlines():
            name, _, count = line.partition(" ")
            if name == "oom_kill":
                return int(count)
    return 0


def socket_pair() -> tuple[socket.socket, socket.socket]:
    """The two ends of a session's socket: ours, which receives credentials, and the session's."""
    ours, theirs = socket.socketpair()
    if hasattr(socket, "SO_PASSCRED"):
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    return ours, theirs


def await_greeting(sock: socket.socket, seconds: float) -> int:
    """Wait for a session's greeting; return its process id, as seen from outside.

    The process then waits for `answer_greeting`, so the id stays valid.

    Raises:
        SessionError: if no greeting comes.
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
        SessionError: if the process is gone.
    """
    if hasattr(socket, "SO_PASSCRED"):
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)
    sock.settimeout(None)
    try:
        sock.sendall(GO)
    except OSError as error:
        raise SessionError(f"it ended at its start: {error.strerror}") from error
