"""Damaged copies of a notebook: from a seed, in its bytes and in its JSON structure."""

import copy
import json
import random
from collections.abc import Callable
from typing import Any

Change = Callable[[random.Random, bytes], bytes]

# What stands where something else is expected.
STRANGE = (
    None,
    True,
    -1,
    10**30,
    1e308,
    float("nan"),
    float("-inf"),
    "",
    "\x00",
    "\ud800\udfff\udc00",
    "<script>alert(1)</script>",
    "‮x",
    "x" * 100_000,
    "../../../etc/passwd",
    [],
    {},
    [[]],
    {"": None},
    ["a\n", 3],
    {"grade_id": ["dot"]},
    {"grade_id": "dot", "solution": True, "grade": True, "points": 1e9, "locked": False},
)
BYTES = (b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", b'"', b"\\", b"{", b"]", b"\n", b"9")
ENCODINGS = ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-7", "cp500", "utf-8-sig")


def mutant(raw: bytes, seed: int) -> bytes:
    """A notebook file with one to five changes."""
    rng = random.Random(seed)
    for _ in range(rng.choice((1, 1, 2, 5))):
        raw = rng.choice(CHANGES)(rng, raw)
    return raw


def _flip(rng: random.Random, raw: bytes) -> bytes:
    changed = bytearray(raw)
    for _ in range(rng.choice((1, 1, 10, 100))):
        if changed:
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _cut(rng: random.Random, raw: bytes) -> bytes:
    start, end = sorted((rng.randint(0, len(raw)), rng.randint(0, len(raw))))
    return rng.choice((raw[:start], raw[end:], raw[:start] + raw[end:]))


def _insert(rng: random.Random, raw: bytes) -> bytes:
    place = rng.randint(0, len(raw))
    return raw[:place] + rng.choice(BYTES) * rng.choice((1, 1, 3, 5_000)) + raw[place:]


def _repeat(rng: random.Random, raw: bytes) -> bytes:
    start = rng.randint(0, len(raw))
    end, place = start + rng.randrange(2_000), rng.randint(0, len(raw))
    return raw[:place] + raw[start:end] + raw[place:]


def _encode(rng: random.Random, raw: bytes) -> bytes:
    text = raw.decode("utf-8", errors="replace")
    return text.encode(rng.choice(ENCODINGS), errors="replace")


def _bury(rng: random.Random, raw: bytes) -> bytes:
    """Nest an empty list, here and there, as deep as parsers get into trouble."""
    deep = rng.choice((3, 90, 300, 5_000))
    bury = rng.choice((b"[]", b"{}", b"null", b"4", b"true"))
    return raw.replace(bury, b'{"cells":[' * deep + bury + b"]}" * deep, rng.choice((1, 3)))


def _in_structure(change: Callable[[random.Random, list], None]) -> Change:
    """Make a change of parsed JSON one of bytes; what does not parse stays as it is."""

    def changed(rng: random.Random, raw: bytes) -> bytes:
        try:
            data = [json.loads(raw)]  # in a list, so that the whole can be exchanged too
            for _ in range(rng.choice((1, 3, 20))):
                change(rng, data)
            return json.dumps(data[0] if data else None).encode()
        except (ValueError, RecursionError):
            return raw

    return changed


def _places(node: Any) -> list[tuple[Any, Any]]:
    """Every container of a tree with each of its keys."""
    found, waiting = [], [node]
    while waiting:
        here = waiting.pop()
        if isinstance(here, dict | list):
            keys = list(here) if isinstance(here, dict) else range(len(here))
            found += [(here, key) for key in keys]
            waiting += [here[key] for key in keys]
    return found


def _drop(rng: random.Random, data: list) -> None:
    places = _places(data)[1:]
    if places:
        here, key = rng.choice(places)
        del here[key]


def _replace(rng: random.Random, data: list) -> None:
    here, key = rng.choice(_places(data))
    here[key] = copy.deepcopy(rng.choice(STRANGE))


def _swap(rng: random.Random, data: list) -> None:
    (here, key), (there, other) = rng.choice(_places(data)), rng.choice(_places(data))
    # Copies, since of two exchanged nodes one may hold the other.
    here[key], there[other] = copy.deepcopy(there[other]), copy.deepcopy(here[key])


def _retype(rng: random.Random, data: list) -> None:
    here, key = rng.choice(_places(data))
    value = here[key]
    here[key] = rng.choice((str(value)[:1_000], [value], {"source": value}, bool(value)))


def _cells_of(data: list) -> list:
    cells = data[0].get("cells") if isinstance(data[0], dict) else None
    return cells if isinstance(cells, list) else []


def _shuffle_cells(rng: random.Random, data: list) -> None:
    rng.shuffle(_cells_of(data))


def _copy_cell(rng: random.Random, data: list) -> None:
    if cells := _cells_of(data):
        twin = copy.deepcopy(rng.choice(cells))
        if isinstance(twin, dict) and rng.random() < 0.5:
            twin["source"] = f"x = {rng.random()}"
        cells.insert(rng.randint(0, len(cells)), twin)


def _strip_cells(rng: random.Random, data: list) -> None:
    for cell in _cells_of(data):
        if isinstance(cell, dict) and rng.random() < 0.7:
            cell["metadata"] = {}


def _name_otherwise(rng: random.Random, data: list) -> None:
    cells = [c for c in _cells_of(data) if isinstance(c, dict)]
    if len(cells) > 1:
        one, other = rng.sample(cells, 2)
        one["metadata"], other["metadata"] = other.get("metadata"), one.get("metadata")


def _older(rng: random.Random, data: list) -> None:
    if isinstance(data[0], dict):
        data[0]["worksheets"] = [{"cells": data[0].pop("cells", None)}]
        data[0]["nbformat"] = rng.choice((1, 2, 3, "3", None))


def _newer(rng: random.Random, data: list) -> None:
    if isinstance(data[0], dict):
        data[0]["nbformat"] = rng.choice((4, 5, 99, 10**30, -1, "four", [4]))
        data[0]["nbformat_minor"] = rng.choice((0, 2, 99, "x", None))


def _many(rng: random.Random, data: list) -> None:
    if cells := _cells_of(data):
        cells += [rng.choice(cells)] * rng.choice((100, 3_000))


def _double_key(rng: random.Random, raw: bytes) -> bytes:
    key = rng.choice((b"cells", b"source", b"metadata", b"grade_id", b"nbformat"))
    value = json.dumps(rng.choice(STRANGE)).encode()
    return raw.replace(b'"' + key + b'":', b'"' + key + b'": ' + value + b', "' + key + b'":')


STRUCTURE = (
    _drop,
    _replace,
    _swap,
    _retype,
    _shuffle_cells,
    _copy_cell,
    _strip_cells,
    _name_otherwise,
    _older,
    _newer,
    _many,
)
CHANGES: tuple[Change, ...] = (
    _flip,
    _cut,
    _insert,
    _repeat,
    _encode,
    _double_key,
    _bury,
    *map(_in_structure, STRUCTURE),
)
