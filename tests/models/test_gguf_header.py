"""Headers of GGUF files that claim more than there is: refusing one costs next to nothing."""

import os
import struct
import tracemalloc

import pytest

from headway.errors import UserError
from headway.models.gguf import header
from headway.models.gguf.file import gguf_in
from headway.models.hugging_face.config_file import read_config

MEBIBYTE = 2**20


def text(said: str) -> bytes:
    return struct.pack("<Q", len(said.encode())) + said.encode()


def head(tensors: int, values: int, version: int = 3) -> bytes:
    return b"GGUF" + struct.pack("<IQQ", version, tensors, values)


def value(kind: int, content: bytes = b"", name: str = "a") -> bytes:
    return text(name) + struct.pack("<I", kind) + content


def listed(kind: int, count: int, content: bytes = b"") -> bytes:
    return value(9, struct.pack("<IQ", kind, count) + content)


def tensor(*shape: int, kind: int = 0, start: int = 0, name: str = "token_embd.weight") -> bytes:
    axes = struct.pack("<I", len(shape)) + b"".join(struct.pack("<Q", axis) for axis in shape)
    return text(name) + axes + struct.pack("<IQ", kind, start)


ALIGNED = "general.alignment"
NUMBERS = bytes(160)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (head(0, 1) + listed(8, 2**40), "goes on for 8,796,093,022,208 bytes"),
        (head(0, 1) + listed(0, 2**40), "goes on for 1,099,511,627,776 bytes"),
        (head(0, 1) + listed(8, 3, text("abcdefgh" * 3)), "ends within its header"),
        (head(0, 1) + listed(8, 2, text("ab") + struct.pack("<Q", 9)), "goes on for 9 bytes"),
        (head(0, 1) + listed(9, 1, struct.pack("<IQ", 9, 1) * 3000), "kind 9, which is not known"),
        (head(0, 1) + value(99), "kind 99, which is not known"),
        (head(0, 1) + struct.pack("<Q", 2**60), "goes on for 1,152,921,504,606,846,976 bytes"),
        (head(2**60, 0), "claims 1,152,921,504,606,846,976 tensors"),
        (head(0, 2**60), "claims 1,152,921,504,606,846,976 values"),
        (head(0, 0, version=1), "of version 1, those that can be read are 2 and 3"),
        (head(0, 0, version=3 * 2**24), "in the byte order of other machines"),
        (head(0, 2) + value(0, b"x") * 2, "two values of the name 'a'"),
        (head(0, 1) + struct.pack("<Q", 2) + b"\xff\xfe", "can't decode byte 0xff"),
        (head(1, 0) + tensor(2**32, 2**32) + NUMBERS, "lies at 96 to 73,786,976,294,838,206,560"),
        (head(1, 0) + tensor(1, start=2**63) + NUMBERS, "lies at 9,223,372,036,854,775,904"),
        (head(1, 0) + tensor(0, 4) + NUMBERS, "lies at 96 to 96"),
        (head(1, 0) + tensor(*[1] * 5) + NUMBERS, "a tensor of 5 axes, expected 1 to 4"),
        (head(1, 0) + tensor(1, kind=99) + NUMBERS, "of the type 99, which is not known"),
        (
            head(1, 0) + tensor(33, kind=8) + NUMBERS,
            "rows of 33 numbers, and Q8_0 takes 32 at once",
        ),
        (head(2, 0) + tensor(4) * 2 + NUMBERS, "two tensors of the name 'token_embd.weight'"),
        (head(2, 0) + tensor(9) + tensor(4, start=32, name="b") + NUMBERS, "b share bytes"),
        (head(0, 1) + value(4, struct.pack("<I", 0), ALIGNED), "general.alignment is 0"),
        (head(0, 1) + value(4, struct.pack("<I", 2**31), ALIGNED), "alignment is 2147483648"),
        (head(0, 1) + value(8, text("wide"), ALIGNED), "general.alignment is 'wide'"),
    ],
)
def test_what_a_header_only_claims_is_refused_and_never_made(tmp_path, content, said):
    (tmp_path / "model.gguf").write_bytes(content)
    tracemalloc.start()
    with pytest.raises(UserError, match=f"is no GGUF file that can be read .*{said}"):
        gguf_in(tmp_path)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < MEBIBYTE


def test_of_a_large_file_no_more_is_read_as_a_header_than_a_model_needs(tmp_path, monkeypatch):
    monkeypatch.setattr(header, "LONGEST", 10_000)
    path = tmp_path / "model.gguf"
    path.write_bytes(head(0, 1) + listed(8, 2**36))
    os.truncate(path, 2**40)  # zeros that take no room: as many empty texts as it claims
    with pytest.raises(UserError, match="its header is longer than 10,000 bytes"):
        gguf_in(path)


KINDS = {
    "a number": (5, struct.pack("<i", -7), -7),
    "a truth": (7, b"\1", True),
    "a text": (8, text("é"), "é"),
    "texts": (9, struct.pack("<IQ", 8, 2) + text("") + text("ab"), ["", "ab"]),
    "numbers": (9, struct.pack("<IQ", 6, 2) + struct.pack("<2f", 0.5, 2), [0.5, 2.0]),
    "a long number": (10, struct.pack("<Q", 2**63), 2**63),
}


def test_values_of_all_kinds_and_tensors_at_their_places_are_read(tmp_path):
    values = b"".join(value(kind, content, name) for name, (kind, content, _) in KINDS.items())
    aligned = value(4, struct.pack("<I", 64), ALIGNED)
    places = tensor(2, 3, start=64) + tensor(1, name="b")
    begun = head(2, len(KINDS) + 1) + aligned + values + places
    numbers = struct.pack("<f", 9) + bytes(60) + struct.pack("<6f", *range(6))
    (tmp_path / "model.gguf").write_bytes(begun + bytes(-len(begun) % 64) + numbers)
    file = gguf_in(tmp_path)
    for name, (_, _, expected) in KINDS.items():
        found = file.metadata[name]
        assert getattr(found, "tolist", lambda found=found: found)() == expected
    embedding, other = file.tensors["token_embd.weight"], file.tensors["b"]
    assert (embedding.shape, other.shape) == ((3, 2), (1,))
    assert embedding.data.view("<f4").tolist() == [[0, 1], [2, 3], [4, 5]]
    assert other.data.view("<f4").tolist() == [9]


def named(name: str, kind: int, content: bytes) -> bytes:
    return value(kind, content, f"llama.{name}")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (
            named("block_count", 8, text("two")),
            "llama.block_count = 'two', expected a whole number",
        ),
        (named("block_count", 7, b"\1"), "llama.block_count = True, expected a whole number"),
        (named("block_count", 4, struct.pack("<I", 300_000)), "described with 300,000 layers"),
        (named("attention.head_count", 4, struct.pack("<I", 0)), "lack attention.head_count"),
        (named("rope.freq_base", 6, struct.pack("<f", float("nan"))), "freq_base = nan, expected"),
        (named("rope.freq_base", 6, struct.pack("<f", 0.5)), "rope_theta = 0.5, expected"),
        (
            named("rope.scaling.factor", 6, struct.pack("<f", 1e38)),
            "factor = .*, expected a number",
        ),
    ],
)
def test_sizes_that_no_model_has_are_refused_before_any_is_made(tmp_path, changed, said):
    given = {"context_length": 64, "embedding_length": 8, "feed_forward_length": 8}
    given |= {"attention.head_count": 2, "block_count": 1, "attention.key_length": 4}
    name = changed[8 : 8 + changed[0]].decode().removeprefix("llama.")
    given.pop(name, None)
    values = [named(name, 4, struct.pack("<I", number)) for name, number in given.items()]
    values += [named("attention.layer_norm_rms_epsilon", 6, struct.pack("<f", 1e-5)), changed]
    values += [value(8, text("llama"), "general.architecture")]
    begun = head(1, len(values)) + b"".join(values) + tensor(8, 4)
    (tmp_path / "model.gguf").write_bytes(begun + bytes(160))
    with pytest.raises(UserError, match=said):
        read_config(tmp_path)
