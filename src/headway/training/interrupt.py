"""Ctrl-C that waits for the end of a step, so that no step is ever half taken."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def held_interrupt() -> Iterator[threading.Event]:
    """Inside, the first Ctrl-C (or a notebook's stop button) only sets the event.

    A second one raises KeyboardInterrupt at once, for a step that takes too long. Python gives
    signals to the main thread only; in another one nothing changes.
    """
    asked = threading.Event()

    def hold(number, frame):
        if asked.is_set():
            raise KeyboardInterrupt
        asked.set()

    if threading.current_thread() is not threading.main_thread():
        yield asked
        return
    before = signal.signal(signal.SIGINT, hold)
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, before or signal.SIG_DFL)
