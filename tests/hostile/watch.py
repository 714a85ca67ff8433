"""Watching over a sandbox: reading what it says, measuring what it uses, and ending it."""

import json
import os
import selectors
import time
from contextlib import suppress

from headway.grading.sandbox.launch import SET_UP, Launched, child_pid
from headway.grading.sandbox.limits import Limits
from headway.grading.sandbox.monitor import INTERVAL, Monitor
from headway.grading.sandbox.usage import Usage

CHUNK = 1 << 16
MAX_OUTPUT = 1 << 20  # bytes kept of each of standard output and standard error


class Watch:
    """Reads what a sandbox says and measures what it uses, until it ends or has to.

    Args:
        sandbox: one just started.
        limits: what it may use.
        start: when it was started, as `time.monotonic()` tells.
    """

    def __init__(self, sandbox: Launched, limits: Limits, start: float):
        self.sandbox, self.process, self.status = sandbox, sandbox.process, sandbox.status
        self.limits, self.start = limits, start
        self.kept = {stream: bytearray() for stream in (self.process.stdout, self.process.stderr)}
        self.told, self.set_up, self.started = bytearray(), False, False
        self.monitor: Monitor | None = None  # as soon as there is something to measure

    @property
    def usage(self) -> Usage:
        """What all processes used, as measured last."""
        return self.monitor.usage if self.monitor else Usage()

    @property
    def peak(self) -> int:
        """The most bytes of memory that were measured."""
        return self.monitor.peak if self.monitor else 0

    def until_end(self) -> str | None:
        """Wait for the end, or bring it about; the limit that was passed, if one was."""
        ended = os.pidfd_open(self.process.pid)
        try:
            with selectors.DefaultSelector() as selector:
                for stream in (*self.kept, self.status, ended):
                    selector.register(stream, selectors.EVENT_READ)
                limit = self._until_end(selector, ended)
        finally:
            os.close(ended)
            self.sandbox.end(self.monitor)
        # Nobody is left who could write, so each pipe has an end.
        while self._read_status():
            pass
        for stream in self.kept:
            while self._read(stream):
                pass
        return limit

    def exit_code(self) -> int | None:
        """What bubblewrap reports of the command; None if that never ran."""
        for line in self.told.splitlines():
            code = json.loads(line).get("exit-code")
            if code is not None:
                return code
        return None

    def _until_end(self, selector: selectors.BaseSelector, ended: int) -> str | None:
        measured = 0.0
        while True:
            for key, _ in selector.select(INTERVAL):
                if key.fileobj == ended:
                    return None
                status = key.fileobj == self.status
                if not (self._read_status() if status else self._read(key.fileobj)):
                    selector.unregister(key.fileobj)
            now = time.monotonic()
            if now - self.start > self.limits.wall_seconds:
                return "wall_seconds"
            if now - measured > INTERVAL and self._is_set_up():
                limit = self.monitor.exceeded_limit()
                measured = time.monotonic()
                if limit:
                    return limit

    def _is_set_up(self) -> bool:
        """Whether the sandbox's file system is its own; until then, /proc shows it everything."""
        if not self.set_up and self.monitor:
            with suppress(OSError):
                own = os.stat(f"/proc/{self.monitor.pid}/root/proc").st_dev
                self.set_up = own != os.stat("/proc").st_dev
        return self.set_up

    def _read(self, stream) -> bool:
        """Read a piece of output and keep what there is room for; whether there may be more."""
        piece = os.read(stream.fileno(), CHUNK)
        ended = not piece
        if stream is self.process.stdout and not self.started and piece:
            self.started = True
            self.sandbox.start_program()
            piece = piece.removeprefix(SET_UP)
        kept = self.kept[stream]
        room = MAX_OUTPUT - len(kept)
        kept += piece[:room]
        return not ended

    def _read_status(self) -> bool:
        piece = os.read(self.status, CHUNK)
        self.told += piece
        if self.monitor is None and (number := child_pid(self.told)):
            with suppress(ProcessLookupError):  # ended already
                self.monitor = Monitor(number, self.limits, self.start)
        return bool(piece)
