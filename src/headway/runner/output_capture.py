"""Capture a cell's outputs: in order, in nbformat's form, and limited in size.

Text of the two streams is buffered for a moment; pictures and other outputs are sent on at once.
Output that bypasses sys.stdout, as a subprocess's, goes to a file that is read after the cell.
"""

import base64
import io
import json
import os
import tempfile
import threading
import time
from collections.abc import Callable
from typing import Any

MAX_CELL_OUTPUT = 1_000_000  # characters of text
MAX_MEDIUM = 2_000_000  # characters of one picture
MAX_MEDIA = 16_000_000  # characters of all pictures of a cell
MAX_OUTPUTS = 1_000
MAX_ERRORS = 10  # kept even if there is no room for other outputs
MAX_TRACEBACK = 100, 2_000  # lines, and characters of each
GATHERED = 32_768  # characters of a stream that are buffered at most
HELD_SECONDS = 0.2
REST = "… the rest of this cell's output was left out.\n"

# Bound at import, since a student's code in the same process may replace the originals.
_clock, _getpid, _write, _pread = time.monotonic, os.getpid, os.write, os.pread
_fstat, _truncate, _dup2 = os.fstat, os.ftruncate, os.dup2
_dumps, _loads = json.JSONEncoder(allow_nan=False).encode, json.JSONDecoder().decode
_base64 = base64.b64encode


class OutputCapture:
    """Passes a cell's outputs to `emit`, up to the limits of this module.

    Outputs have nbformat's form, with two more types: "clear_output", and "update_display_data".
    An updatable "display_data" and its updates carry the same "display_id" under "transient".

    Args:
        emit: called with each output.
    """

    def __init__(self, emit: Callable[[dict], None]):
        self._emit, self._lock, self._pid = emit, threading.RLock(), _getpid()
        self._name, self._text, self._length = "stdout", [], 0
        self._open = self._clear = False
        self._reset()

    def _reset(self) -> None:
        self.failed = self._cut = False
        self._left, self._media, self._outputs = MAX_CELL_OUTPUT, MAX_MEDIA, MAX_OUTPUTS
        self._errors, self._flushed, self._last = MAX_ERRORS, 0.0, None

    def begin(self) -> None:
        """Start a cell with fresh limits."""
        with self._lock:
            self._reset()
            self._open, self._clear = True, False

    def end(self) -> None:
        """End the cell. Text that its threads print later goes to the next cell."""
        with self._lock:
            self.flush()
            self._open = False

    def write(self, name: str, text: str) -> None:
        """Add text to a stream, "stdout" or "stderr"."""
        if _getpid() != self._pid:  # a forked process writes to the files
            _write(1 if name == "stdout" else 2, text.encode("utf-8", "replace"))
            return
        with self._lock:
            if self._name != name:
                self.flush()
                self._name = name
            room = max(0, self._left - self._length)
            if text[:room]:
                self._text.append(text[:room])
                self._length += len(text[:room])
            if len(text) > room:
                self._say_cut()
            self.flush_soon()

    def flush_soon(self) -> None:
        """Pass on the buffered text, unless that was just done."""
        with self._lock:
            if self._length > GATHERED or _clock() - self._flushed > HELD_SECONDS:
                self.flush()

    def flush(self) -> None:
        """Pass on the buffered text."""
        with self._lock:
            if not self._text or not self._open or _getpid() != self._pid:
                return
            text, self._text, self._length = "".join(self._text), [], 0
            self._left -= len(text)
            self._flushed = _clock()
            if self._last == self._name or self._take_output():
                self._hand_on({"output_type": "stream", "name": self._name, "text": text})
                self._last = self._name

    def put(self, output: dict) -> None:
        """Add an output other than stream text."""
        if _getpid() != self._pid:
            return
        with self._lock:
            self.flush()
            if self._open and self._take_output():
                self._last = None
                self._hand_on(output)

    def put_data(self, kind: str, data: Any, metadata: Any = None, **more: Any) -> None:
        """Add a MIME bundle, given by media type."""
        data = self._clean(data)
        if data:
            metadata = as_json(metadata)
            metadata = metadata if type(metadata) is dict else {}
            self.put({"output_type": kind, "data": data, "metadata": metadata, **more})

    def put_error(self, name: str, text: str, traceback: list[str]) -> None:
        """Add the exception that ended the cell."""
        self.failed = True
        self._errors -= 1
        if self._errors >= 0:
            lines, length = MAX_TRACEBACK
            kept = [line[:length] for line in traceback[-lines:]]
            error = {"ename": name[:length], "evalue": text[:length], "traceback": kept}
            with self._lock:
                self.flush()
                self._outputs += 1
                self.put({"output_type": "error", **error})

    def clear(self, wait: bool) -> None:
        """Clear the cell's outputs, now or, if `wait`, when the next output comes."""
        if _getpid() != self._pid:
            return
        with self._lock:
            self.flush()
            if wait:
                self._clear = True
            elif self._open and self._take_output():
                self._last, self._clear = None, True
                self._hand_on(None)

    def _hand_on(self, output: dict | None) -> None:
        if self._clear:
            self._clear = False
            self._emit({"output_type": "clear_output"})
        if output is not None:
            self._emit(output)

    def _take_output(self) -> bool:
        if self._outputs <= 0:
            self._last = None
            self._say_cut()
            return False
        self._outputs -= 1
        return True

    def _say_cut(self) -> None:
        if self._open and not self._cut:
            self._cut = True
            self.flush()
            self._hand_on({"output_type": "stream", "name": "stderr", "text": REST})

    def _take_text(self, text: str) -> str:
        with self._lock:
            text = text[: max(0, self._left)]
            self._left -= len(text)
        return text

    def _clean(self, data: Any) -> dict:
        kept = {}
        for kind, value in data.items() if isinstance(data, dict) else ():
            if isinstance(value, bytes):
                value = _base64(value).decode("ascii")
            value = as_json(value)
            if type(kind) is not str or value is None:
                continue
            size = len(value) if type(value) is str else len(_dumps(value))
            if kind.startswith(("image/", "audio/", "video/", "application/pdf")):
                if size > min(MAX_MEDIUM, self._media):
                    self._say_cut()
                    continue
                self._media -= size
            elif kind == "text/plain":
                value = self._take_text(value if type(value) is str else _dumps(value))
                if len(value) < size:
                    self._say_cut()
            elif size > self._left:
                self._say_cut()
                continue
            else:
                self._left -= size
            kept[kind] = value
        return kept


class Stream(io.TextIOBase):
    """Replaces sys.stdout or sys.stderr."""

    encoding, errors = "UTF-8", "strict"

    def __init__(self, capture: OutputCapture, name: str, descriptor: int):
        self._capture, self.name, self._descriptor = capture, f"<{name}>", descriptor
        self._stream = name

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text)}")
        self._capture.write(self._stream, str.__str__(text))
        return len(text)

    def flush(self) -> None:
        self._capture.flush_soon()

    def close(self) -> None:
        self.flush()

    def fileno(self) -> int:
        return self._descriptor

    def writable(self) -> bool:
        return True


class Descriptors:
    """Redirects descriptors 1 and 2 to files, to read what bypasses sys.stdout and sys.stderr."""

    def __init__(self):
        self._files = {}
        for name, number in (("stdout", 1), ("stderr", 2)):
            handle, path = tempfile.mkstemp(prefix="descriptor-")
            os.unlink(path)
            # O_APPEND, since several processes write, and `take` truncates the file.
            again = os.open(f"/proc/self/fd/{handle}", os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
            os.close(handle)
            os.dup2(again, number)
            self._files[name] = again

    def take(self) -> list[tuple[str, str]]:
        """(stream, text) of what was written since the last call, within a cell's limit."""
        taken = []
        for name, handle in self._files.items():
            try:
                if _fstat(handle).st_size:
                    raw = _pread(handle, MAX_CELL_OUTPUT + 1, 0)
                    _truncate(handle, 0)
                    taken.append((name, raw.decode("utf-8", "replace")))
            except OSError:  # the student's code closed the descriptor
                continue
        return taken

    def silence(self) -> None:
        """Discard what this process writes from now on."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for number in (1, 2):
            _dup2(nowhere, number)
        os.close(nowhere)


def as_json(value: Any) -> Any:
    """The value as JSON data, without subclasses; None if it cannot be JSON."""
    if type(value) is str:
        return value
    try:
        return _loads(_dumps(value))
    except (TypeError, ValueError, RecursionError):
        return None
