"""The header of a GGUF file: what its bytes say, and nothing that they only claim.

    magic, version          "GGUF", 2 or 3
    counts                  of tensors and of values
    values                  by name: numbers, texts, or lists of them
    tensors                 by name: the lengths of the axes, a type, a place
    the numbers             of each tensor, at its place

A header names lengths and counts, and whoever wrote it may have made them up. So each is compared
with what is left of the file before anything is made that is as large as it says, and a header as a
whole may be no longer than any that a model needs.

Source: the format's description in ggml's repository, docs/gguf.md.
"""

import math
from dataclasses import dataclass
from struct import Struct
from typing import Any

import numpy as np
from gguf import GGML_QUANT_SIZES, GGMLQuantizationType

LONGEST = 2**25  # bytes of a header; a vocabulary of 256,000 tokens with its merges takes a third
MOST = 2**16  # values, or tensors
AXES = 4  # of a tensor, at most
SHORT, LONG = Struct("<I"), Struct("<Q")
TEXT, LIST = 8, 9
NUMBERS = {
    **{0: "<u1", 1: "<i1", 2: "<u2", 3: "<i2", 4: "<u4", 5: "<i4", 6: "<f4", 7: "?"},
    **{10: "<u8", 11: "<i8", 12: "<f8"},
}


@dataclass(frozen=True)
class GgufTensor:
    """A tensor that stays on the disk until it is read.

    Attributes:
        shape: as torch has it, rows first.
        kind: how its numbers are written.
        data: its bytes, (..., bytes of a row), as they lie in the file.
    """

    shape: tuple[int, ...]
    kind: GGMLQuantizationType
    data: np.ndarray


class Header:
    """The header of a file, read once from front to back.

    Args:
        data: the whole file as bytes.

    Attributes:
        values: by name; a list of numbers is an array.
        tensors: by name.

    Raises:
        ValueError: if the bytes are no such header, or it says more than there is.
    """

    def __init__(self, data: np.ndarray):
        self.file, self.data, self.at = data, data[:LONGEST].data, 0
        if bytes(self.take(4)) != b"GGUF":
            raise ValueError("it does not begin with GGUF")
        version = self.short()
        if version >= 2**16:
            raise ValueError("it is in the byte order of other machines than this one")
        if version not in (2, 3):
            raise ValueError(f"it is of version {version}, those that can be read are 2 and 3")
        tensors, values = self.count("tensors"), self.count("values")
        self.values = self.named("value", values, lambda: self.value(self.short()))
        places = self.named("tensor", tensors, self.place)
        step = self.values.get("general.alignment", 32)
        if type(step) is not int or not 0 < step <= len(data):
            raise ValueError(f"its general.alignment is {step!r}")
        begin = -(-self.at // step) * step
        self.tensors = {
            name: self.tensor(name, begin + start, *rest) for name, (start, *rest) in places.items()
        }
        check_apart({name: begin + start for name, (start, *_) in places.items()}, self.tensors)

    def take(self, count: int) -> memoryview:
        """The next bytes."""
        if count > len(self.data) - self.at:
            raise ValueError(
                f"its header is longer than {LONGEST:,} bytes"
                if len(self.file) > len(self.data)
                else f"it ends within its header, which goes on for {count:,} bytes after the first"
                f" {self.at:,}, and there are {len(self.data):,}"
            )
        self.at += count
        return self.data[self.at - count : self.at]

    def short(self) -> int:
        """The next whole number of 4 bytes."""
        return SHORT.unpack(self.take(4))[0]

    def long(self) -> int:
        """The next whole number of 8 bytes."""
        return LONG.unpack(self.take(8))[0]

    def count(self, what: str) -> int:
        """The next number, as one of things that there can't be too many of."""
        count = self.long()
        if count > MOST:
            raise ValueError(f"it claims {count:,} {what}, and no model has more than {MOST:,}")
        return count

    def named(self, what: str, count: int, read) -> dict[str, Any]:
        """Things with a name each."""
        found = {}
        for _ in range(count):
            name = self.text()
            if name in found:
                raise ValueError(f"it has two {what}s of the name {name[:80]!r}")
            found[name] = read()
        return found

    def text(self) -> str:
        """The next text, its length before it."""
        return str(self.take(self.long()), "utf-8")

    def value(self, kind: int) -> Any:
        """A value of the kind that is named before it."""
        if kind == TEXT:
            return self.text()
        if kind != LIST:
            return self.numbers(kind, 1)[0].item()
        kind, count = self.short(), self.long()
        return self.texts(count) if kind == TEXT else self.numbers(kind, count)

    def numbers(self, kind: int, count: int) -> np.ndarray:
        """Numbers of one kind; not a list of lists, of which nothing that a model needs is one."""
        if kind not in NUMBERS:
            raise ValueError(f"it has a value of the kind {kind}, which is not known")
        kind = np.dtype(NUMBERS[kind])
        return np.frombuffer(self.take(kind.itemsize * count), kind)

    def texts(self, count: int) -> list[str]:
        """A list of texts, each of which has 8 bytes for its length at least."""
        self.take(8 * count)
        self.at -= 8 * count
        found = []
        for left in range(8 * (count - 1), -8, -8):  # bytes that those after it need at least
            (length,) = LONG.unpack_from(self.data, self.at)
            self.at += 8
            if length + left > len(self.data) - self.at:
                self.take(length + left)
            found.append(str(self.data[self.at : self.at + length], "utf-8"))
            self.at += length
        return found

    def place(self) -> tuple[int, tuple[int, ...], int]:
        """Where a tensor begins behind the header, the lengths of its axes, and its type."""
        axes = self.short()
        if not 1 <= axes <= AXES:
            raise ValueError(f"it has a tensor of {axes} axes, expected 1 to {AXES}")
        shape = tuple(self.long() for _ in range(axes))[::-1]
        kind = self.short()
        return self.long(), shape, kind

    def tensor(self, name: str, start: int, shape: tuple[int, ...], kind: int) -> GgufTensor:
        """A tensor, once it is sure that all of it is in the file."""
        if kind not in GGML_QUANT_SIZES:
            raise ValueError(f"its tensor {name} is of the type {kind}, which is not known")
        kind = GGMLQuantizationType(kind)
        block, size = GGML_QUANT_SIZES[kind]
        if shape[-1] % block:
            raise ValueError(
                f"its tensor {name} has rows of {shape[-1]:,} numbers, and {kind.name} takes "
                f"{block} at once"
            )
        row = shape[-1] // block * size
        end = start + math.prod(shape[:-1]) * row
        if not start < end <= len(self.file):
            raise ValueError(
                f"its tensor {name} lies at {start:,} to {end:,} of {len(self.file):,} bytes"
            )
        return GgufTensor(shape, kind, self.file[start:end].reshape(*shape[:-1], row))


def check_apart(starts: dict[str, int], tensors: dict[str, GgufTensor]) -> None:
    """Raise ValueError if two tensors share bytes."""
    end, before = 0, ""
    for name in sorted(starts, key=starts.__getitem__):
        if starts[name] < end:
            raise ValueError(f"its tensors {before} and {name} share bytes")
        end, before = starts[name] + tensors[name].data.nbytes, name
