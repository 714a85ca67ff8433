"""The drawing of the lookup: what comes out is the product, and what cannot be drawn is refused."""

from collections import defaultdict
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from headway.figures.gallery.rows_looked_up import Request, rows_looked_up

REQUEST = Request(
    words=["find", "my", "find"],
    vocabulary=["files", "find", "my"],
    table=np.array([[0.5, -1.0], [2.25, 0.125], [0.0, 0.75]]),
    columns=["search", "show"],
)


def groups(figure):
    """The texts of each step."""
    said = defaultdict(list)
    for group in ElementTree.fromstring(figure.drawing).iter("g"):
        if step := group.get("data-step"):
            said[int(step)] += [one.text for one in group.iter("text")]
    return said


def test_each_word_brings_its_row_of_the_table_and_the_last_step_their_sum():
    said = groups(rows_looked_up(REQUEST, "Looked up", "Play."))
    assert said[1].count("1") == 3
    assert said[1].count("0") == 6
    assert {"0.50", "−1.00", "2.25", "0.12", "0.00", "0.75"} <= set(said[1])
    assert said[2] == ["find", "2.25", "0.12"]
    assert said[3] == ["my", "0.00", "0.75"]
    assert said[4] == ["find", "2.25", "0.12"]
    assert said[5] == ["sum", "4.50", "1.00", "search"]


def test_the_product_is_a_lookup():
    np.testing.assert_array_equal(REQUEST.vectors, [[0, 1, 0], [0, 0, 1], [0, 1, 0]])
    np.testing.assert_array_equal(REQUEST.rows, REQUEST.table[[1, 2, 1]])
    np.testing.assert_array_equal(REQUEST.sums, REQUEST.table[[1, 2, 1]].sum(axis=0))


def test_a_line_goes_up_from_the_one_and_along_to_the_row():
    figure = rows_looked_up(REQUEST, "Looked up", "Play.")
    svg = ElementTree.fromstring(figure.drawing)
    step = next(group for group in svg.iter("g") if group.get("data-step") == "2")
    one = next(text for text in svg.iter("text") if text.text == "1")
    word = next(text for text in step.iter("text") if text.text == "find")
    up, along = [line.get("d") for line in step.iter("path")][:2]
    x, y, row = one.get("x"), one.get("y"), word.get("y")
    assert up == f"M{x} {y}L{x} {row}"
    assert along.startswith(f"M{x} {row}L")


def test_the_steps_say_which_row_comes_out_and_which_sum_is_the_largest():
    steps = rows_looked_up(REQUEST, "Looked up", "Play.").data["steps"]
    assert len(steps) == 5
    assert steps[1] == "“find” has its 1 at place 1, so its row comes out: 2.25, 0.12."
    assert steps[-1].endswith("The largest sum is that of “search”.")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"table": np.ones((2, 2))}, r"need a table of shape \(3, 2\), got \(2, 2\)"),
        ({"vocabulary": ["files", "find", "find"]}, "the words of a vocabulary differ"),
        ({"words": ["find", "cat"]}, "'cat' has no row"),
        ({"words": []}, "one can read"),
        ({"words": ["find"] * 7}, "one can read"),
        (
            {"vocabulary": [*map(str, range(13))], "table": np.ones((13, 2)), "words": ["1"]},
            "one can read",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused(change, says):
    with pytest.raises(ValueError, match=says):
        rows_looked_up(replace(REQUEST, **change), "A", "B.")
