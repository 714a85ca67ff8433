"""Plain data as frames: what travels, and what is refused, on the way out and on the way in."""

import contextlib
import json
import struct
import tracemalloc

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from headway.runner.codec import MAX_DEPTH
from headway.runner.transport import MAX_FRAME, WireError, pack, unpack

LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-(10**40), 10**40)
    | st.floats()
    | st.text(st.characters(codec=None))
    | st.binary()
    | hnp.arrays(
        hnp.boolean_dtypes()
        | hnp.integer_dtypes(endianness="?")
        | hnp.unsigned_integer_dtypes(endianness="?")
        | hnp.floating_dtypes(endianness="?", sizes=(16, 32, 64))
        | hnp.unicode_string_dtypes(endianness="?"),
        hnp.array_shapes(min_dims=0, min_side=0),
    )
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.dictionaries(st.text(st.characters(codec=None)), inner)
    ),
    max_leaves=12,
)


def same(left, right) -> bool:
    """Whether two values are alike in type, NaN and all."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return list(left) == list(right) and same(list(left.values()), list(right.values()))
    if isinstance(left, list | tuple):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, np.ndarray):
        alike = left.shape == right.shape and left.dtype.newbyteorder("=") == right.dtype
        return alike and (
            left.tolist() == right.tolist() or repr(left.tolist()) == repr(right.tolist())
        )
    return repr(left) == repr(right)


def frame(text: object, raw: bytes = b"") -> bytes:
    """A frame that nobody honest made."""
    data = text.encode() if isinstance(text, str) else json.dumps(text).encode()
    return struct.pack("<QI", 4 + len(data) + len(raw), len(data)) + data + raw


@given(VALUES)
def test_what_is_packed_comes_out_alike(value):
    assert same(value, unpack(pack(value)))


@pytest.mark.parametrize("value", [np.float32(0.5), np.int64(-3), np.bool_(True), np.str_("ä")])
def test_a_scalar_of_numpy_stays_one(value):
    got = unpack(pack(value))
    assert type(got) is type(value)
    assert got == value


def test_what_travels_in_another_form():
    got = unpack(pack(np.arange(6.0).reshape(2, 3).T))
    got[0, 0] = 7
    assert got.flags.c_contiguous
    assert got.tolist() == [[7, 3], [1, 4], [2, 5]]
    assert unpack(pack(np.ones(2, np.longdouble))).dtype == np.float64
    parameter = torch.nn.Parameter(torch.ones(2))
    assert type(unpack(pack(parameter), tensors=True)) is torch.Tensor


@pytest.mark.parametrize(
    "tensor",
    [torch.arange(6).reshape(2, 3).T, torch.tensor(0.5), torch.zeros(0, 3), torch.tensor([True])],
)
def test_a_tensor_goes_in_and_never_comes_out(tensor):
    data = pack({"x": (tensor,)})
    assert torch.equal(unpack(data, tensors=True)["x"][0], tensor)
    with pytest.raises(WireError):
        unpack(data)


@pytest.mark.parametrize("character", ["x", "\U0001f600", "\x01", "\ud800"])
def test_a_long_text_is_not_made_longer(character):
    text = character * 2_000_000
    data = pack([text, {"a": text[:100]}])
    assert len(data) <= 4 * len(text) + 2_000
    assert unpack(data) == [text, {"a": text[:100]}]


@pytest.mark.parametrize(
    "value",
    [
        object(),
        {1: 2},
        type("Text", (str,), {})("a"),
        type("Numbers", (list,), {})(),
        np.array([None]),
        np.array([1j]),
        np.zeros(2).view(type("Own", (np.ndarray,), {})),
        torch.zeros(2, dtype=torch.bfloat16),
        torch.zeros(2).to_sparse(),
        10**5000,
        [0] * (1 << 21),
        bytes(MAX_FRAME),
        "x" * MAX_FRAME,
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_the_wire_does_not_carry_is_refused(value):
    with pytest.raises(WireError):
        pack([value])


def test_a_number_of_thousands_of_digits_is_refused_in_words():
    with pytest.raises(WireError, match="it gives a number of thousands of digits"):
        pack([10**5000])


def test_the_deepest_value_that_packs_also_unpacks():
    value = 1
    for _ in range(MAX_DEPTH):
        value = [value]
        assert unpack(pack(value)) == value
    with pytest.raises(WireError):
        unpack(frame([value]))
    itself = []
    itself.append(itself)
    for deeper in ([value], itself):
        with pytest.raises(WireError, match="deep"):
            pack(deeper)


@given(VALUES, st.data())
def test_a_frame_with_flipped_bits_gives_a_value_or_a_wire_error(value, data):
    broken = bytearray(pack(value))
    for at in data.draw(st.lists(st.integers(0, len(broken) - 1), min_size=1, max_size=3)):
        broken[at] ^= 1 << data.draw(st.integers(0, 7))
    try:
        got = unpack(broken)
    except WireError:
        return
    pack(got)  # whatever comes out is plain data


@given(VALUES, st.data())
def test_a_frame_that_is_cut_or_lengthened_is_refused(value, data):
    whole = pack(value)
    cut = data.draw(st.integers(0, len(whole) - 1))
    for broken in (whole[:cut], whole + b"x"):
        with pytest.raises(WireError):
            unpack(broken)


@given(st.binary(max_size=60), st.binary(max_size=20))
def test_arbitrary_bytes_are_refused_or_plain(text, raw):
    data = struct.pack("<QI", 4 + len(text) + len(raw), len(text)) + text + raw
    with contextlib.suppress(WireError):
        pack(unpack(data))


NO_TYPES = ("|O", "V8", "S8", "<c16", "<M8[s]", "<f16", "<U0", "<U9999999", ">f8", "f8", "<b1")
NO_NAMES = ("<i8,<i8", "{'names':['a'],'formats':['O']}", "", "<f8\n", None, 8, ["<f8"])
NO_LENGTHS = (-1, 2**63, 1.0, True, "1", None, [1], 2, 0)
NO_SHAPES = ([-1, -1], [2**32, 2**32], [0, 2**62], [0, *[2**26] * 3], [1] * 33)


@pytest.mark.parametrize(
    ("content", "raw"),
    [
        *(({"array": [name, 1]}, bytes(16)) for name in (*NO_TYPES, *NO_NAMES)),
        *(({"array": ["<i8", length]}, bytes(8)) for length in NO_LENGTHS),
        *(({"array": ["<i8", *shape]}, bytes(8)) for shape in NO_SHAPES),
        ({"array": ["|b1", 1]}, b"\x02"),
        ({"array": ["<U1", 1]}, b"\x00\x00\x11\x00"),
        ({"array": ["<i8", 1], "more": []}, bytes(8)),
        ({"number": ["<i8", 1]}, bytes(8)),
        ({"object": []}, b""),
        ({}, b""),
        ({"dict": ["a"]}, b""),
        ({"dict": ["a", 1, "a", 2]}, b""),
        ({"dict": [1, 1]}, b""),
        ({"tuple": 3}, b""),
        ({"bytes": -1}, b"ab"),
        ({"bytes": 3}, b"ab"),
        ({"bytes": 1}, b"ab"),
        ({"bytes": True}, b"a"),
        ([], b"junk"),
        ('{"dict":[],"dict":[]}', b""),
        ("[1", b""),
        ("", b""),
        ("1" * 1_000_000, b""),
        ("[" * 100_000, b""),
        ("[" * 5_000_000, b""),
        ('{"a":' * 100_000, b""),
        ("[" + "0," * 3_000_000 + "0]", b""),
        ('"\xff"', b""),
        ({"array": []}, b""),
        ({"tensor": ["<i8", 1]}, bytes(8)),
    ],
    ids=lambda value: str(value)[:24],
)
def test_a_malformed_frame_is_refused(content, raw):
    with pytest.raises(WireError):
        unpack(frame(content, raw))


def test_a_tensor_of_text_is_refused():
    with pytest.raises(WireError, match="tensor"):
        unpack(frame({"tensor": ["<U1", 1]}, bytes(4)), tensors=True)


@pytest.mark.parametrize(
    "data",
    [
        frame("[" + "[]," * 60_000 + "[]]"),
        frame("[" + '{"dict":[]},' * 60_000 + "0]"),
        frame("[" + '{"array":["|b1",0]},' * 30_000 + "0]"),
        frame("[" * 900),
        frame({"array": ["<U9999999", 1 << 20]}),
        frame({"array": ["|b1", 1 << 22]}, bytes(1 << 22)),
    ],
)
def test_unpacking_allocates_little_beyond_the_frame(data):
    tracemalloc.start()
    with contextlib.suppress(WireError):
        unpack(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 32 * len(data) + (1 << 20)
