"""Signals that end a command: each is noted when it comes, so that none is lost.

Ctrl-C (SIGINT) and SIGTERM raise an exception wherever the program is. That may be within a library
that catches everything, or in a place whose exceptions Python only reports, such as the end of an
object. Then nobody would stop. So what came is kept in mind: `stop_if_asked` raises it again where
it is safe to stop, and a command that ends otherwise ends as a stopped one all the same. Of what is
kept in mind there is nothing to report.

What must not be left half done stands in `held`, where the first signal waits. It waits for the
end of an import as well, since a module that is half there can raise anything, or print it, long
after; but not for long, because a module may do all of its work while it is imported.
"""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

SIGNALS = (signal.SIGINT, signal.SIGTERM)
IMPORTING = "<frozen importlib"  # begins the names of files of Python's import system
AGAIN_SECONDS = 0.05
LOOKS = 100  # so often an import is waited for


class Stopped(KeyboardInterrupt):
    """A signal asks this program to stop."""


class _State:
    """What came, and what it meets."""

    def __init__(self):
        self.watching = False
        self.came = 0  # the first signal that came; 0 for none
        self.held = 0  # blocks that a signal waits for
        self.over = False  # nothing is left that could be stopped
        self.looks = 0  # how often the first signal met an import
        self.again = False  # the next signal is the first one, sent once more
        self.report = sys.unraisablehook  # for what else Python cannot raise


_state = _State()


def _on_signal(number: int, frame: FrameType | None) -> None:
    first = not _state.came or _state.again
    _state.again = False
    _state.came = _state.came or number
    if _state.over:
        if not first:  # it hangs in its last steps
            signal.signal(number, signal.SIG_DFL)
            _send(number)
    elif not first:
        raise Stopped
    elif not _state.held:
        if _state.looks == LOOKS or not _is_importing(frame):
            raise Stopped
        _state.looks += 1
        timer = threading.Timer(AGAIN_SECONDS, _send_again, (_state, number))
        timer.daemon = True
        timer.start()


def _is_importing(frame: FrameType | None) -> bool:
    while frame and not frame.f_code.co_filename.startswith(IMPORTING):
        frame = frame.f_back
    return frame is not None


def _send_again(state: _State, number: int) -> None:
    if state is _state and state.watching and not state.over:
        state.again = True
        _send(number)


def _send(number: int) -> None:
    """Send this process a signal."""
    if os.name == "posix":
        os.kill(os.getpid(), number)
    else:  # there, os.kill ends the process
        signal.raise_signal(number)


def _report(unraisable: "sys.UnraisableHookArgs") -> None:
    if not issubclass(unraisable.exc_type, Stopped):
        _state.report(unraisable)


def watch() -> dict[int, Any]:
    """From here on signals are noted and raise `Stopped`; gives the handlers that did before.

    A signal that whoever started this program had ignored stays ignored. Nothing changes where
    signals are watched already, and in another than the main thread, where Python gives none.
    """
    global _state
    before: dict[int, Any] = {}
    if _state.watching or threading.current_thread() is not threading.main_thread():
        return before
    _state = _State()
    _state.watching = True
    sys.unraisablehook = _report
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            before[number] = signal.signal(number, _on_signal)
    return before


@contextmanager
def watched() -> Iterator[None]:
    """As `watch`, for a block within a program that has handlers of its own."""
    before = watch()
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler or signal.SIG_DFL)
            sys.unraisablehook = _state.report
            _state.watching = False


@contextmanager
def held() -> Iterator[None]:
    """Inside, the first signal waits until the end; a second one raises at once."""
    _state.held += 1
    try:
        yield
    finally:
        _state.held -= 1
        if not _state.held:
            stop_if_asked()


def stop_if_asked() -> None:
    """Raise `Stopped` if a signal came, whatever became of it where it came."""
    if _state.came:
        raise Stopped


@contextmanager
def stopped_by_hand() -> Iterator[None]:
    """Around what runs until Ctrl-C, which is its proper end."""
    try:
        yield
    except KeyboardInterrupt:
        if _state.came not in (0, signal.SIGINT):
            raise
        _state.came = 0


def end() -> int:
    """From here on there is nothing to stop; the exit code of what came, 0 for nothing."""
    _state.over = True
    return 128 + _state.came if _state.came else 0
