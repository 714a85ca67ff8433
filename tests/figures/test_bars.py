"""Bars that a slider moves: what the script gets, what is said in words, and what is refused."""

import numpy as np
import pytest

from headway.figures.gallery.bars import Bars, Case, sliding_bars

VALUES = np.array([[0.25, 0.75], [0.1, 0.9], [0.0, 1.0]])


def make(values=VALUES, labels=("a", "b"), stops=("hot", "warm", "cold"), readings=None, **more):
    case = Case("one", [Bars("weight", labels, values)], readings or {})
    return sliding_bars([case], stops, slider="Heat", title="T", caption="C", **more)


def test_the_script_gets_the_values_of_every_stop():
    data = make(start=1, readings={"sum": ["1", "1", "1"]}).data
    (group,) = data["cases"][0]["groups"]
    assert group["values"] == VALUES.tolist()
    assert data["stops"][data["at"]] == "warm"
    assert data["cases"][0]["readings"] == [{"term": "sum", "texts": ["1", "1", "1"]}]
    assert "mark" not in group


def test_a_mark_stands_at_the_values_of_its_stop():
    figure = make(start=2, mark=("before", 0))
    assert figure.data["cases"][0]["groups"][0]["mark"] == VALUES[0].tolist()
    assert "weight: a 0, b 1. Before: 0.25, 0.75." in figure.alt


def test_the_table_has_the_first_and_the_last_stop_of_many():
    stops = [str(stop) for stop in range(50)]
    figure = make(values=np.linspace([0, 1], [1, 0], 50), stops=stops)
    assert figure.header[1] == "Heat 0"
    assert figure.header[-1] == "Heat 49"
    assert len(figure.header) == 6
    assert figure.rows[0] == ["one: weight, a", *(f for f in figure.rows[0][1:-1]), "1"]


def test_the_table_tells_groups_apart_and_has_the_readings():
    groups = [Bars("plain", ["a", "b"], VALUES), Bars("divided", ["a", "b"], VALUES[::-1])]
    case = Case("one", groups, {"sum": ["x", "y", "z"]})
    figure = sliding_bars([case], ("hot", "warm", "cold"), slider="Heat", title="T", caption="C")
    assert figure.rows == [
        ["one: plain, a", "0.25", "0.1", "0"],
        ["one: plain, b", "0.75", "0.9", "1"],
        ["one: divided, a", "0", "0.1", "0.25"],
        ["one: divided, b", "1", "0.9", "0.75"],
        ["one: sum", "x", "y", "z"],
    ]
    assert figure.alt.startswith("Bars for “one” at heat hot. plain: a 0.25")


def test_rounding_takes_no_value_above_one():
    assert (
        make(values=np.array([[1 + 1e-9, 0]] * 3)).data["cases"][0]["groups"][0]["values"][0][0]
        == 1
    )


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"values": VALUES[:2]}, r"must be \(3, 2\).*got \(2, 2\)"),
        ({"labels": ["a"]}, r"must be \(3, 1\)"),
        ({"values": VALUES * 2}, "in 0 … 1"),
        ({"values": VALUES - 0.1}, "in 0 … 1"),
        ({"values": VALUES * np.nan}, "in 0 … 1"),
        ({"start": 3}, "stop 3 does not exist"),
        ({"mark": ("before", -1)}, "stop -1 does not exist"),
        ({"readings": {"sum": ["1"]}}, "must have 3 texts, got 1"),
        ({"stops": []}, "at least one case and one stop"),
    ],
)
def test_bars_that_make_no_sense_are_refused(arguments, says):
    with pytest.raises(ValueError, match=says):
        make(**arguments)


def test_a_case_without_bars_is_refused():
    with pytest.raises(ValueError, match="'empty' has no bars"):
        sliding_bars([Case("empty", [])], ["1"], slider="s", title="t", caption="c")
