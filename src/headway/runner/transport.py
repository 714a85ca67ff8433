"""Send frames of plain data over a stream socket between a trusted and an untrusted process.

Neither side can block the other for longer than the given time, and memory is allocated only for
bytes that have arrived, not for a length that a frame announces.
"""

import math
import select
import time
from collections.abc import Callable
from typing import Any

from headway.runner.codec import HEAD, MAX_FRAME, MAX_TEXT, WireError, pack, unpack

__all__ = [
    "MAX_FRAME",
    "MAX_TEXT",
    "FrameTooLargeError",
    "WireError",
    "pack",
    "receive",
    "receive_sized",
    "send",
    "unpack",
]

CHUNK = 1 << 20
LOOK_SECONDS = 1.0  # a wait is interrupted after this, to compute the time left again
DONTWAIT = 0x40  # MSG_DONTWAIT of Linux

# Bound at import, since a student's code in the same process may replace the originals.
_clock, _ceil = time.monotonic, math.ceil
_poll, POLLIN, POLLOUT = select.poll, select.POLLIN, select.POLLOUT


Left = Callable[[], float]  # returns the seconds that are left


class FrameTooLargeError(WireError):
    """A frame is larger than allowed. It was skipped, and the next one can be received.

    Attributes:
        size: the length that it announces, in bytes.
    """

    def __init__(self, size: int):
        super().__init__(f"the frame has {size:,} bytes")
        self.size = size


def send(sock: Any, value: Any, seconds: float | None = None) -> None:
    """Send a value as one frame.

    The socket stays in blocking mode, since other processes may share it.

    Raises:
        WireError: if the value cannot be packed; nothing has been sent.
        TimeoutError: if the peer has not taken all of it after `seconds` in total.
        EOFError: if the peer has gone.
    """
    data = memoryview(pack(value))
    left = _left(seconds)
    while data:
        seconds = _require_time(left)
        try:
            data = data[sock.send(data[:CHUNK], DONTWAIT) :]
        except BlockingIOError:
            _wait(sock, POLLOUT, seconds)
        except OSError as error:
            raise EOFError(f"the peer has gone: {error}") from None


def receive(
    sock: Any,
    seconds: float | Left | None = None,
    tensors: bool = False,
    most: int = MAX_FRAME,
) -> Any:
    """Receive the next frame and unpack it; see `receive_sized`."""
    return receive_sized(sock, seconds, tensors, most)[0]


def receive_sized(
    sock: Any,
    seconds: float | Left | None = None,
    tensors: bool = False,
    most: int = MAX_FRAME,
) -> tuple[Any, int]:
    """Receive the next frame and unpack it; return its value and its size in bytes.

    Args:
        seconds: in total; or a function that returns how many are left, for limits other than
            wall time.
        tensors: as for `unpack`.
        most: bytes; a longer frame is read to its end and discarded.

    Raises:
        FrameTooLargeError: for a frame of more than `most` bytes.
        WireError: for a malformed frame; the stream cannot be used any more.
        TimeoutError: if the whole frame has not arrived in time.
        EOFError: if the peer has closed.
    """
    left = _left(seconds)
    data = bytearray()
    _fill(sock, data, HEAD.size, left)
    size, text_size = HEAD.unpack_from(data)
    if not HEAD.size - 8 <= size <= MAX_FRAME or text_size > min(MAX_TEXT, size):
        raise WireError(f"the frame says that it has {size:,} bytes, {text_size:,} of them text")
    if size > most:
        _pass_over(sock, size + 8 - len(data), left)
        raise FrameTooLargeError(size)
    _fill(sock, data, size + 8, left)
    return unpack(data, tensors), len(data)


def _left(seconds: float | Left | None) -> Left | None:
    if seconds is None or callable(seconds):
        return seconds
    deadline = _clock() + seconds
    return lambda: deadline - _clock()


def _fill(sock: Any, data: bytearray, size: int, left: Left | None) -> None:
    """Read until `data` has `size` bytes; memory grows only as bytes arrive."""
    while len(data) < size:
        data += _some(sock, size - len(data), left)


def _pass_over(sock: Any, size: int, left: Left | None) -> None:
    while size:
        size -= len(_some(sock, size, left))


def _some(sock: Any, size: int, left: Left | None) -> bytes:
    """Read at least one and at most `size` bytes."""
    while True:
        seconds = _require_time(left)
        try:
            got = sock.recv(min(CHUNK, size), DONTWAIT)
        except BlockingIOError:
            _wait(sock, POLLIN, seconds)
            continue
        except OSError as error:
            raise EOFError(f"the peer has gone: {error}") from None
        if not got:
            raise EOFError("the peer has closed")
        return got


def _require_time(left: Left | None) -> float | None:
    """The seconds left, None without a limit. Raises TimeoutError at 0."""
    seconds = None if left is None else left()
    if seconds is not None and seconds <= 0:
        raise TimeoutError("the time for this frame is over")
    return seconds


def _wait(sock: Any, event: int, seconds: float | None) -> None:
    """Wait until the socket is ready, or for `LOOK_SECONDS` at most."""
    ready = _poll()
    ready.register(sock.fileno(), event)
    ready.poll(None if seconds is None else _ceil(min(seconds, LOOK_SECONDS) * 1000))
