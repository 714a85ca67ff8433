"""A worker process: `python -m headway.grading.workers.worker DESCRIPTOR SCRATCH`.

There is one for each core. A worker reads untrusted files and judges untrusted values, so it is
separate from the process that writes the gradebook. It receives jobs and sends results over a
socket, as frames of plain data (`headway.grading.workers.job`). Student code runs only in the
sandbox that it starts. When the other end of the socket closes, it removes its scratch folder and
ends.
"""

import os
import resource
import select
import shutil
import socket
import sys
import threading
import time

from headway.grading.slow_imports import skip_slow_imports
from headway.runner.transport import WireError, receive, send
from headway.tasks.engine.memory_room import give_room

TOO_LARGE = {
    "status": "set-aside",
    "reason": "With its outputs the notebook is too large to be kept. Let it show less.",
}
MEMORY = 3 << 30  # limit for this process, in bytes
ROOM = 128 << 20  # bytes that comparing a value may add


class _Scratch:
    """A folder that is removed by one thread at a time, when the process ends."""

    def __init__(self, path: str):
        self._path, self._lock = path, threading.Lock()

    def remove(self, seconds: float = 2.0) -> None:
        """Remove the folder, repeatedly while other processes are still writing there."""
        with self._lock:
            end = time.monotonic() + seconds
            while os.path.lexists(self._path) and time.monotonic() < end:
                shutil.rmtree(self._path, ignore_errors=True)
                time.sleep(0.01)


def _end_with(sock: socket.socket, scratch: _Scratch) -> None:
    """End this process, and so the sandbox, as soon as the other end of a socket closes."""

    def watch() -> None:
        poll = select.poll()
        poll.register(sock, select.POLLRDHUP)
        poll.poll()
        scratch.remove()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def main(descriptor: int, scratch: _Scratch) -> None:
    """Take jobs from a socket until it closes; then remove the scratch folder."""
    skip_slow_imports()
    from headway.grading.workers.job import SandboxCache, grade_submission

    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, most))
    give_room(ROOM)
    with socket.socket(fileno=descriptor) as sock:
        _end_with(sock, scratch)
        sandboxes = SandboxCache()
        try:
            while True:
                try:
                    job = receive(sock)
                except (EOFError, WireError):
                    break
                result = grade_submission(job, sandboxes)
                try:
                    send(sock, result)
                except WireError:
                    send(sock, TOO_LARGE)
            sandboxes.close()
        finally:
            scratch.remove()


if __name__ == "__main__":
    main(int(sys.argv[1]), _Scratch(sys.argv[2]))
