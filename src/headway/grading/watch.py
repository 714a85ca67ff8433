"""Watching over a sandbox: reading what it says, measuring what it uses, and ending it."""

import json
import os
import selectors
import signal
import time
from contextlib import suppress
from pathlib import Path

from headway.grading.launch import GO, READY, Launched
from headway.grading.limits import Limits, Usage, measure
from headway.grading.view import PRIVATE

INTERVAL = 0.03  # seconds between two measurements: within it, memory grows by about 100 MB
CHUNK = 1 << 16
# What the end of a sandbox may take; the kernel has much memory to give back.
ENDING_SECONDS = 30


class Watch:
    """Reads what a sandbox says and measures what it uses, until it ends or has to.

    Args:
        sandbox: one just started.
        limits: what it may use.
        start: when it was started, as `time.monotonic()` tells.
    """

    def __init__(self, sandbox: Launched, limits: Limits, start: float):
        self.process, self.status, self.life = sandbox.process, sandbox.status, sandbox.life
        self.limits, self.start = limits, start
        self.kept = {stream: bytearray() for stream in (self.process.stdout, self.process.stderr)}
        self.truncated, self.usage, self.peak = False, Usage(), 0
        self.told, self.set_up, self.started = bytearray(), False, False
        self.inside: tuple[int, int] | None = None  # its first process: number and descriptor

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
            self._kill()
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
                self._measure()
                measured = time.monotonic()
                if self.usage.memory_bytes > self.limits.memory_bytes:
                    return "memory_bytes"
                if self.usage.cpu_seconds > self.limits.cpu_seconds:
                    return "cpu_seconds"

    def _is_set_up(self) -> bool:
        """Whether the sandbox's file system is its own; until then, /proc shows it everything."""
        if not self.set_up and self.inside:
            with suppress(OSError):
                own = os.stat(f"/proc/{self.inside[0]}/root/proc").st_dev
                self.set_up = own != os.stat("/proc").st_dev
        return self.set_up

    def _measure(self) -> None:
        with suppress(OSError):  # it is just ending
            root = Path(f"/proc/{self.inside[0]}/root")
            usage = measure(root, PRIVATE, enough=self.limits.memory_bytes)
            spent = max(usage.cpu_seconds, self.usage.cpu_seconds)
            self.usage = Usage(usage.memory_bytes, spent)
            self.peak = max(self.peak, usage.memory_bytes)

    def _read(self, stream) -> bool:
        """Read a piece of output and keep what there is room for; whether there may be more."""
        piece = os.read(stream.fileno(), CHUNK)
        ended = not piece
        if stream is self.process.stdout and not self.started and piece:
            self._let_go()
            piece = piece.removeprefix(READY)
        kept = self.kept[stream]
        room = self.limits.output_bytes - len(kept)
        kept += piece[:room]
        self.truncated |= len(piece) > room
        return not ended

    def _let_go(self) -> None:
        """Start the program, now that its sandbox is ready."""
        self.started = True
        with suppress(BrokenPipeError):  # ended already
            self.process.stdin.write(GO)
        self.process.stdin.close()

    def _read_status(self) -> bool:
        piece = os.read(self.status, CHUNK)
        self.told += piece
        if self.inside is None and b"\n" in self.told:
            number = json.loads(self.told.splitlines()[0])["child-pid"]
            with suppress(ProcessLookupError):  # ended already
                self.inside = number, os.pidfd_open(number)
        return bool(piece)

    def _kill(self) -> None:
        """End the sandbox with all that is in it, and wait until it is gone."""
        if self.inside:
            _, descriptor = self.inside
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(descriptor, signal.SIGKILL)
        self.life.close()
        self.process.kill()
        self.process.wait(ENDING_SECONDS)
        if self.inside:
            # The first process of a process namespace is gone only after all others are.
            with selectors.DefaultSelector() as selector:
                selector.register(descriptor, selectors.EVENT_READ)
                gone = selector.select(ENDING_SECONDS)
            os.close(descriptor)
            if not gone:
                raise RuntimeError(f"A sandbox does not end in {ENDING_SECONDS} s after SIGKILL.")
