"""The process that grades: `python -m headway.grading.workers.worker DESCRIPTOR SCRATCH`.

One stands on each core. It reads what strangers wrote and judges what their code gives, so it is
kept apart from the process that writes the gradebook: it gets a job as a frame over a socket and
gives the result back as one, plain data both (`headway.grading.workers.job`). Student code runs in
the sandbox that it starts, and never here. It ends when the other end of the socket does, and takes
its scratch folder along.
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
MEMORY = 3 << 30  # of this process, whatever comes
ROOM = 128 << 20  # for comparing a value with others, beyond what this process has


class _Scratch:
    """A folder that is removed once, by the thread that ends the process."""

    def __init__(self, path: str):
        self._path, self._lock = path, threading.Lock()

    def remove(self, seconds: float = 2.0) -> None:
        """Remove it, again and again while somebody is still writing there."""
        with self._lock:
            end = time.monotonic() + seconds
            while os.path.lexists(self._path) and time.monotonic() < end:
                shutil.rmtree(self._path, ignore_errors=True)
                time.sleep(0.01)


def _end_with(sock: socket.socket, scratch: _Scratch) -> None:
    """End this process, and with it the sandbox, as soon as the other end of a socket is gone."""

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
    from headway.grading.workers.job import SandboxCache, grade_submission, open_sandbox

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
                grade = open_sandbox if job.get("do") == "open" else grade_submission
                result = grade(job, sandboxes)
                try:
                    send(sock, result)
                except WireError:
                    send(sock, TOO_LARGE)
            sandboxes.close()
        finally:
            scratch.remove()


if __name__ == "__main__":
    main(int(sys.argv[1]), _Scratch(sys.argv[2]))
