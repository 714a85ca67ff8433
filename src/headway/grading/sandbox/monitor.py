"""Measure one sandbox from outside, and end it."""

import os
import select
import signal
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from headway.grading.sandbox.boxes import Box
from headway.grading.sandbox.limits import Limits
from headway.grading.sandbox.mounts import PRIVATE_FOLDERS
from headway.grading.sandbox.usage import SharedPages, Usage, held_by_mappings, measure

INTERVAL = 0.03  # seconds between two measurements, in which memory can grow by about 100 MB
BETWEEN_COUNTS = 0.3  # seconds between two counts of mappings
# Time limit for the end of a sandbox; the kernel may have much memory to free.
ENDING_SECONDS = 30


class Monitor:
    """Measures all processes of a process namespace, and can end them.

    Args:
        pid: the namespace's first process, which is alive and has its own file system.
        limits: limits for all its processes together.
        start: start of the wall time, on the clock of `time.monotonic()`.
        box: the box with all of them; removed at the end.

    Raises:
        ProcessLookupError: if there is no such process.
    """

    def __init__(self, pid: int, limits: Limits, start: float, box: Box | None = None):
        self.pid, self.limits, self.start, self.box = pid, limits, start, box
        self.descriptor = os.pidfd_open(pid)
        self.usage, self.peak, self._shared = Usage(), 0, SharedPages()
        self._mappings, self._counted = 0, start
        self._of_the_gone = 0.0  # seconds of measured processes that have ended

    def exceeded_limit(self) -> str | None:
        """Measure, and return the first exceeded limit, if any."""
        if time.monotonic() - self.start > self.limits.wall_seconds:
            return "wall_seconds"
        if limit := self.ended_by_kernel():
            return limit
        self.measure()
        if self.usage.memory_bytes > self.limits.memory_bytes:
            return "memory_bytes"
        if self.usage.cpu_seconds > self.limits.cpu_seconds:
            return "cpu_seconds"
        return None

    def ended_by_kernel(self) -> str | None:
        """The limit for which the kernel has ended the sandbox, if it has."""
        return "memory_bytes" if self.box and self.box.is_out_of_memory else None

    def measure(self) -> None:
        """Update `usage` and `peak`; after the sandbox's end, they keep their last values.

        But the processor time is then updated from the box, if there is one.
        """
        with suppress(OSError):  # the sandbox is just ending
            root = Path(f"/proc/{self.pid}/root")
            if time.monotonic() - self._counted > BETWEEN_COUNTS:
                self._mappings, self._counted = held_by_mappings(root), time.monotonic()
            most = self.limits.memory_bytes - self._mappings
            usage = measure(root, PRIVATE_FOLDERS, most, self._shared)
            usage = replace(usage, memory_bytes=usage.memory_bytes + self._mappings)
            if self.is_gone():  # its process id may belong to another process now
                return
            gone = self.usage.own.keys() - usage.own.keys()
            self._of_the_gone += sum(self.usage.own[who] for who in gone)
            seen = self._of_the_gone + sum(usage.own.values())
            spent = max(seen, usage.cpu_seconds, self.usage.cpu_seconds)
            if self.box:
                spent = max(spent, self.box.cpu_seconds)
            self.usage = replace(usage, cpu_seconds=spent)
            self.peak = max(self.peak, usage.memory_bytes)
        if self.box:
            spent = max(self.usage.cpu_seconds, self.box.cpu_seconds)
            self.usage = replace(self.usage, cpu_seconds=spent)

    def kill(self) -> None:
        """Kill the first process, and so all others."""
        if self.box:
            self.box.kill()
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.descriptor, signal.SIGKILL)

    def is_gone(self, seconds: float = 0) -> bool:
        """Whether all processes have ended, or end within some seconds.

        The first process of a process namespace ends only after all others.
        """
        poll = select.poll()
        poll.register(self.descriptor, select.POLLIN)
        return bool(poll.poll(1000 * seconds))

    def end(self) -> None:
        """Kill all processes, and wait until they have ended.

        Raises:
            RuntimeError: if they do not end.
        """
        self.kill()
        gone = self.is_gone(ENDING_SECONDS)
        os.close(self.descriptor)
        if self.box:
            self.box.remove()
        if not gone:
            raise RuntimeError(f"A sandbox does not end in {ENDING_SECONDS} s after SIGKILL.")
