"""What is read from disk is what the dataclass says, or it is refused."""

from dataclasses import dataclass, field

import pytest

from headway.grading.stored import read_as


@dataclass(frozen=True)
class Inner:
    name: str
    weight: float = 1.0


@dataclass
class Outer:
    inner: dict[str, Inner]
    pairs: list[tuple[str, tuple[int, ...]]] = field(default_factory=list)
    also: Inner | None = None


WHOLE = {
    "inner": {"a": {"name": "x", "weight": 2}},
    "pairs": [["y", [1, 2]], ["z", []]],
    "also": {"name": "w"},
}


def test_what_fits_becomes_the_dataclass():
    also = Inner("w", 1.0)
    assert read_as(Outer, WHOLE) == Outer({"a": Inner("x", 2)}, [("y", (1, 2)), ("z", ())], also)
    assert read_as(Outer, {"inner": {}, "also": None}) == Outer({})


@pytest.mark.parametrize(
    "change",
    [
        {"inner": None},
        {"inner": []},
        {"inner": {"a": {}}},
        {"inner": {"a": {"name": 3}}},
        {"inner": {"a": {"name": "x", "weight": True}}},
        {"inner": {"a": {"name": "x", "age": 3}}},
        {"pairs": {}},
        {"pairs": [["y"]]},
        {"pairs": [["y", [1], 2]]},
        {"pairs": [["y", ["1"]]]},
        {"also": "w"},
        {"more": 1},
    ],
)
def test_what_does_not_fit_is_refused(change):
    with pytest.raises((TypeError, ValueError)):
        read_as(Outer, WHOLE | change)


@pytest.mark.parametrize("data", [None, [], 3, "text", {}])
def test_other_data_are_no_dataclass(data):
    with pytest.raises(TypeError):
        read_as(Outer, data)
