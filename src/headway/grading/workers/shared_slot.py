"""One slot for a process that grades occasionally, as a Jupyter server does.

Each click on nbgrader's button creates a converter and an exporter, which are not told when they
are no longer needed. So the worker belongs to the process: it stays for the next click, and ends
after some idle time or with the process.
"""

import atexit
import threading
from collections.abc import Callable

from headway.grading.workers.slot import Slot

IDLE_SECONDS = 60.0


class SharedSlot:
    """A slot that closes after some idle time, and opens again for the next job.

    Args:
        make: creates a new slot.
        idle_seconds: idle time after which its worker ends.
    """

    def __init__(self, make: Callable[[], Slot] = Slot, idle_seconds: float = IDLE_SECONDS):
        self._make, self._idle_seconds = make, idle_seconds
        self._lock = threading.Lock()
        self._slot: Slot | None = None
        self._timer: threading.Timer | None = None

    def grade(self, job: dict) -> dict:
        """The result of a job, as `Slot.grade`; one job at a time."""
        with self._lock:
            self._stop_timer()
            self._slot = self._slot or self._make()
            try:
                return self._slot.grade(job)
            except BaseException:  # for instance an interrupt, while the worker is busy
                slot, self._slot = self._slot, None
                slot.kill()
                raise
            finally:
                if self._slot:
                    self._start_timer()

    def close(self) -> None:
        """Stop the worker; the next job starts another."""
        with self._lock:
            self._stop_timer()
            self._end()

    def _start_timer(self) -> None:
        timer = threading.Timer(self._idle_seconds, lambda: self._end_if_idle(timer))
        timer.daemon = True
        timer.start()
        self._timer = timer

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _end_if_idle(self, timer: threading.Timer) -> None:
        with self._lock:
            if self._timer is timer:  # else a job came while this thread waited for the lock
                self._timer = None
                self._end()

    def _end(self) -> None:
        slot, self._slot = self._slot, None
        if slot:
            slot.close()


_shared = SharedSlot()
atexit.register(_shared.close)


def grade_in_shared_slot(job: dict) -> dict:
    """Grade a job in this process's shared worker."""
    return _shared.grade(job)
