"""Encode plain data as one frame of bytes, and decode it.

A frame is the length of the rest (8 bytes), the length of a JSON text (4 bytes), that text, and
the raw bytes of its arrays in the order in which the text names them. Other types are objects with
one key in the JSON text: {"tuple": [...]}, {"dict": [key, value, ...]}, {"bytes": length},
{"text": length} (long, in UTF-8), {"array": [dtype, *shape]}, {"number": [dtype]} (a NumPy
scalar), {"tensor": [dtype, *shape]}.

`unpack` does not trust the sender: it compares every length with the bytes that are there before
it allocates anything, and it creates no other types than these.
"""

import json
import math
import re
import struct
import sys
from collections.abc import Iterable
from typing import Any

import numpy as np

MAX_FRAME = 64 << 20
MAX_TEXT = 8 << 20
LONG_TEXT = 1 << 16  # longer text goes into a buffer, since JSON would escape its characters
MAX_DEPTH = 64
MAX_MARKS = 1 << 21  # commas and opening brackets, which bound the number of objects
HEAD = struct.Struct("<QI")
DTYPE = re.compile(r"\|(b1|i1|u1)|<([iu][248]|f[248]|U[1-9]\d{0,6})")
LAST_CHARACTER = 0x10FFFF

# Bound at import, since a student's code in the same process may replace the originals.
_dumps, _json_decoder = json.JSONEncoder(separators=(",", ":")).encode, json.JSONDecoder
_prod = math.prod
_frombuffer, _ascontiguous, _dtype = np.frombuffer, np.ascontiguousarray, np.dtype
_empty, _ndarray, _generic, _byte, _float = np.empty, np.ndarray, np.generic, np.uint8, np.float64
_all_numbers = frozenset((bool, int, float, type(None))).issuperset
_all_text = frozenset((str,)).issuperset


class WireError(ValueError):
    """A frame is malformed, or a value cannot be encoded as one."""


def pack(value: Any) -> bytes:
    """A value as one frame.

    Subclasses are refused. Arrays are stored in little-endian order, extended precision as
    float64; a tensor is stored without its device and its gradient.

    Raises:
        WireError: for a type that has no encoding, and for a value that is too deep or too large.
    """
    buffers = []
    try:
        text = _dumps(_encode(value, buffers, 0)).encode("ascii")
    except WireError:
        raise
    except RecursionError as error:
        raise WireError(f"the value cannot be written: {error}") from None
    except ValueError:  # Python refuses to write an integer of over 4,300 digits
        raise WireError("it gives a number of thousands of digits") from None
    if _marks(text) > MAX_MARKS:
        raise WireError("the value has too many items")
    size = HEAD.size - 8 + len(text) + sum(len(buffer) for buffer in buffers)
    if len(text) > MAX_TEXT or size > MAX_FRAME:
        raise WireError(
            f"the frame would have {size:,} bytes, {len(text):,} of them text; "
            f"the most are {MAX_FRAME:,} and {MAX_TEXT:,}"
        )
    return b"".join([HEAD.pack(size, len(text)), text, *buffers])


def unpack(data: bytes, tensors: bool = False) -> Any:
    """The value of one frame.

    Args:
        tensors: accept torch tensors. Outside the sandbox nothing needs them.

    Raises:
        WireError: for anything but what `pack` makes.
    """
    if len(data) < HEAD.size:
        raise WireError(f"a frame has at least {HEAD.size} bytes, this one {len(data)}")
    size, text_size = HEAD.unpack_from(data)
    if size != len(data) - 8:
        raise WireError(f"the frame says that it has {size:,} bytes and has {len(data) - 8:,}")
    if text_size > min(MAX_TEXT, len(data) - HEAD.size):
        raise WireError(f"the frame says that its text has {text_size:,} bytes")
    text = bytes(data[HEAD.size : HEAD.size + text_size])
    if _marks(text) > MAX_MARKS:
        raise WireError("the frame has too many items")
    decoder = _Decoder(memoryview(data)[HEAD.size + text_size :], tensors)
    try:
        value = _json_decoder(object_pairs_hook=decoder.object).decode(text.decode("ascii"))
    except WireError:
        raise
    except (ValueError, RecursionError) as error:
        raise WireError(f"the frame's text is not readable: {type(error).__name__}") from None
    if decoder.at != len(decoder.buffers):
        raise WireError("the frame has bytes that its text does not name")
    _check_depth(value)
    return value


def _encode(value: Any, buffers: list, depth: int) -> Any:
    kind = type(value)
    if kind is str and len(value) >= LONG_TEXT:
        buffers.append(value.encode("utf-8", "surrogatepass"))
        return {"text": len(buffers[-1])}
    if value is None or kind in (bool, int, float, str):
        return value
    if depth >= MAX_DEPTH:
        raise WireError(f"the value is nested more than {MAX_DEPTH} deep")
    depth += 1
    if kind is list:
        # A fast path for most lists: they hold only numbers, or only short texts.
        if _all_numbers(map(type, value)):
            return value
        if _all_text(map(type, value)) and sum(map(len, value)) < LONG_TEXT:
            return value
        return [_encode(item, buffers, depth) for item in value]
    if kind is tuple:
        return {"tuple": [_encode(item, buffers, depth) for item in value]}
    if kind is dict:
        if not all(type(key) is str for key in value):
            raise WireError("the dictionary has keys that are not strings")
        flat = (x for key, item in value.items() for x in (key, _encode(item, buffers, depth)))
        return {"dict": list(flat)}
    if kind is bytes:
        buffers.append(value)
        return {"bytes": len(value)}
    if kind is _ndarray:
        return {"array": _encode_array(value, buffers)}
    if isinstance(value, _generic) and kind.__module__ == "numpy":
        return {"number": _encode_array(_as_array(value), buffers)}
    torch = sys.modules.get("torch")
    if torch is not None and kind in (torch.Tensor, torch.nn.Parameter):
        try:
            array = value.detach().cpu().numpy()
        except (TypeError, RuntimeError) as error:  # bfloat16, sparse and others
            raise WireError(f"the wire does not carry this tensor: {error}") from None
        return {"tensor": _encode_array(array, buffers)}
    raise WireError(f"the wire does not carry an object of type {kind.__name__}")


def _as_array(scalar: np.generic) -> np.ndarray:
    array = _empty((), dtype=scalar.dtype)
    array[()] = scalar
    return array


def _encode_array(array: np.ndarray, buffers: list) -> list:
    shape = array.shape
    if array.dtype.kind == "f" and array.dtype.itemsize > 8:
        array = array.astype(_float)
    if array.dtype.kind == "U" and array.dtype.itemsize == 0:
        array = array.astype("<U1")
    array = _ascontiguous(array, dtype=array.dtype.newbyteorder("<"))
    if not DTYPE.fullmatch(array.dtype.str):
        raise WireError(f"the wire does not carry arrays of {array.dtype}")
    buffers.append(array.tobytes())
    return [array.dtype.str, *shape]


class _Decoder:
    """Decodes a frame's JSON objects, innermost first, which is the order of the buffers."""

    def __init__(self, buffers: memoryview, tensors: bool):
        self.buffers, self.tensors, self.at = buffers, tensors, 0

    def object(self, pairs: list) -> Any:
        if len(pairs) != 1:
            raise WireError("an object of the frame has not one key")
        [(tag, content)] = pairs
        if tag == "bytes":
            return bytes(self._take(content))
        if tag == "text":
            return str(self._take(content), "utf-8", "surrogatepass")
        if type(content) is not list:
            raise WireError("an object of the frame has no list")
        if tag == "tuple":
            return tuple(content)
        if tag == "dict":
            return _dict(content)
        if tag == "array":
            return self._array(content)
        if tag == "number" and len(content) == 1:
            return self._array(content)[()]
        if tag == "tensor" and self.tensors:
            return _tensor(self._array(content))
        raise WireError("an object of the frame has an unknown key")

    def _take(self, size: Any) -> memoryview:
        if type(size) is not int or not 0 <= size <= len(self.buffers) - self.at:
            raise WireError("the frame names more bytes than it has")
        self.at += size
        return self.buffers[self.at - size : self.at]

    def _array(self, content: list) -> np.ndarray:
        name, *shape = content or [None]
        if type(name) is not str or not DTYPE.fullmatch(name):
            raise WireError("the frame has an array of a type that the wire does not carry")
        if len(shape) > 32 or any(type(n) is not int or not 0 <= n <= MAX_FRAME for n in shape):
            raise WireError("the frame has an array of an impossible shape")
        dtype = _dtype(name)
        raw = self._take(_prod(shape) * dtype.itemsize)
        if dtype.kind == "b" and len(raw) and _frombuffer(raw, _byte).max() > 1:
            raise WireError("the frame has booleans that are neither true nor false")
        if dtype.kind == "U" and len(raw) and _frombuffer(raw, "<u4").max() > LAST_CHARACTER:
            raise WireError("the frame has text of characters that do not exist")
        try:
            array = _empty(shape, dtype)
        except ValueError:  # dimensions too large for NumPy, though another one is 0
            raise WireError("the frame has an array of an impossible shape") from None
        if len(raw):
            array.reshape(-1)[:] = _frombuffer(raw, dtype)
        return array


def _dict(content: list) -> dict:
    keys = content[::2]
    if len(content) % 2 or not all(type(key) is str for key in keys):
        raise WireError("a dictionary of the frame has keys that are not strings")
    made = dict(zip(keys, content[1::2], strict=True))
    if len(made) != len(keys):
        raise WireError("a dictionary of the frame has a key twice")
    return made


def _tensor(array: np.ndarray) -> Any:
    import torch

    try:
        return torch.from_numpy(array)
    except (TypeError, ValueError) as error:
        raise WireError(f"the frame has a tensor of an impossible type: {error}") from None


def _check_depth(value: Any) -> None:
    """Refuse deep nesting, so that recursive code of the receiver cannot exhaust its stack."""
    level = _containers([value])
    for _ in range(MAX_DEPTH):
        level = [
            inner
            for outer in level
            for inner in _containers(outer.values() if type(outer) is dict else outer)
        ]
        if not level:
            return
    raise WireError(f"the value is nested more than {MAX_DEPTH} deep")


def _marks(text: bytes) -> int:
    return text.count(b",") + text.count(b"[") + text.count(b"{")


def _containers(items: Iterable) -> list:
    return [item for item in items if type(item) in (list, tuple, dict)]
