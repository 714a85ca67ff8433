"""Frames of plain data over a stream socket, between a process that is trusted and one that is not.

Neither side can hold the other up for longer than it was told to wait, and an announced length
allocates nothing before the bytes are there.
"""

import math
import select
import time
from typing import Any

from headway.runner.codec import HEAD, MAX_FRAME, MAX_TEXT, WireError, pack, unpack

__all__ = ["MAX_FRAME", "MAX_TEXT", "WireError", "pack", "receive", "send", "unpack"]

CHUNK = 1 << 20
DONTWAIT = 0x40  # MSG_DONTWAIT of Linux

# Bound here, since a student's code in the same process may put other things in their places.
_clock, _ceil = time.monotonic, math.ceil
_poll, POLLIN, POLLOUT = select.poll, select.POLLIN, select.POLLOUT


def send(sock: Any, value: Any, seconds: float | None = None) -> None:
    """Send a value as one frame.

    The socket stays in blocking mode, whatever the time: other processes may share it.

    Raises:
        WireError: if the value cannot be packed; nothing was sent then.
        TimeoutError: if the peer has not taken all of it after `seconds` in total.
        EOFError: if the peer has gone.
    """
    data = memoryview(pack(value))
    deadline = None if seconds is None else _clock() + seconds
    while data:
        _wait(sock, POLLOUT, deadline)
        try:
            data = data[sock.send(data[:CHUNK], DONTWAIT) :]
        except BlockingIOError:
            continue
        except OSError as error:
            raise EOFError(f"the peer has gone: {error}") from None


def receive(sock: Any, seconds: float | None = None, tensors: bool = False) -> Any:
    """Receive the next frame and unpack it.

    Raises:
        WireError: for a frame that is not well formed; the stream is of no use any more.
        TimeoutError: if the whole frame is not there after `seconds` in total.
        EOFError: if the peer has closed.
    """
    deadline = None if seconds is None else _clock() + seconds
    data = bytearray()
    _fill(sock, data, HEAD.size, deadline)
    size, text_size = HEAD.unpack_from(data)
    if not HEAD.size - 8 <= size <= MAX_FRAME or text_size > min(MAX_TEXT, size):
        raise WireError(f"the frame says that it has {size:,} bytes, {text_size:,} of them text")
    _fill(sock, data, size + 8, deadline)
    return unpack(data, tensors)


def _fill(sock: Any, data: bytearray, size: int, deadline: float | None) -> None:
    """Read until `data` has `size` bytes; what was announced is only allocated as it comes."""
    while len(data) < size:
        _wait(sock, POLLIN, deadline)
        try:
            got = sock.recv(min(CHUNK, size - len(data)), DONTWAIT)
        except BlockingIOError:
            continue
        except OSError as error:
            raise EOFError(f"the peer has gone: {error}") from None
        if not got:
            raise EOFError("the peer has closed")
        data += got


def _wait(sock: Any, event: int, deadline: float | None) -> None:
    left = None if deadline is None else deadline - _clock()
    if left is not None and left <= 0:
        raise TimeoutError("the time for this frame is over")
    ready = _poll()
    ready.register(sock.fileno(), event)
    ready.poll(None if left is None else _ceil(left * 1000))
