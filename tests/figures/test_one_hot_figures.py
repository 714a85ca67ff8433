"""The figures of chapter 1: their numbers are the table's, and what makes no sense is refused."""

from dataclasses import replace

import numpy as np
import pytest

from headway.figures.gallery.one_hot.dot_product import dot_product_by_angle
from headway.figures.gallery.one_hot.row_lookup import row_lookup
from headway.figures.gallery.one_hot.rows_looked_up import Request, rows_looked_up
from tests.figures.node import Cases, normal
from tests.figures.shown import assert_on_page, assert_whole, part, svg_of, texts

REQUEST = Request(
    words=["find", "my", "find"],
    vocabulary=["files", "find", "my"],
    table=np.array([[0.5, -1.0], [2.25, 0.125], [0.0, 0.75]]),
    columns=["search", "show"],
)


def drawn(**changes):
    return rows_looked_up(replace(REQUEST, **changes), "Looked up", "Play.")


def lookup(**changes):
    return row_lookup(**{"words": list("abc"), "table": [[0.5, -1], [2, 3.25], [0, 1]]} | changes)


def arrows(b=(1, 2)):
    return dot_product_by_angle([3, 1], b)


def test_each_word_brings_its_row_of_the_table_and_the_last_step_their_sum():
    figure = drawn()
    assert_whole(figure)
    said = texts(part(figure, 1))
    assert (said.count("1"), said.count("0")) == (3, 6)
    assert {"0.50", "−1.00", "2.25", "0.12", "0.00", "0.75"} <= set(said)
    assert [texts(part(figure, step)) for step in (2, 3, 5)] == [
        ["find", "2.25", "0.12"], ["my", "0.00", "0.75"], ["sum", "4.50", "1.00", "search"],
    ]  # fmt: skip
    np.testing.assert_array_equal(REQUEST.vectors, [[0, 1, 0], [0, 0, 1], [0, 1, 0]])
    steps = figure.data["steps"]
    assert steps[1] == "“find” has its 1 at place 1, so its row comes out: 2.25, 0.12."
    assert steps[-1].endswith("The largest sum is that of “search”.")


def test_a_line_goes_up_from_the_one_and_along_to_the_row():
    step = part(drawn(), 2)
    one = next(text for text in svg_of(drawn()).iter("text") if text.text == "1")
    word = next(text for text in step.iter("text") if text.text == "find")
    up, along = [line.get("d") for line in step.iter("path")][:2]
    x, y, row = one.get("x"), one.get("y"), word.get("y")
    assert up == f"M{x} {y}L{x} {row}"
    assert along.startswith(f"M{x} {row}L")


def test_the_lookup_and_the_arrows_say_their_numbers_in_words():
    assert_on_page(lookup(columns=["x", "y"]))
    assert_on_page(arrows())
    assert "times the matrix gives the matrix’s row 1: 2, 3.25" in lookup(start="b").alt
    assert "45° apart" in arrows().alt
    assert "the dot product is 5" in arrows().alt


@pytest.mark.parametrize(
    ("make", "changes", "says"),
    [
        (drawn, {"table": np.ones((2, 2))}, r"need a table of shape \(3, 2\), got \(2, 2\)"),
        (drawn, {"vocabulary": ["files", "find", "find"]}, "the words of a vocabulary differ"),
        (drawn, {"words": ["find", "cat"]}, "'cat' has no row"),
        (drawn, {"words": ["find"] * 7}, "one can read"),
        (lookup, {"words": ["a", "b"]}, r"shape \(3, 2\)"),
        (lookup, {"words": ["a", "b", "b"]}, "must differ"),
        (lookup, {"start": "d"}, "'d' is not one of"),
        (lookup, {"columns": ["x"]}, "one column a name"),
        (lookup, {"words": ["a", "b"], "table": [[np.nan], [1]]}, "finite"),
        (lookup, {"words": list("abcdefghijklmnop"), "table": np.ones((16, 2))}, "legible"),
        (arrows, {"b": [0, 0]}, "b must be two finite numbers"),
        (arrows, {"b": [1, np.inf]}, "b must be two finite numbers"),
    ],
)
def test_what_makes_no_sense_is_refused(make, changes, says):
    with pytest.raises(ValueError, match=says):
        make(**changes)


CASES = Cases()
of_lookup, of_arrows = CASES.of("row_lookup"), CASES.of("dot_product")
TABLE = normal(5, 3)
for share in (0, 0.25, 1):
    of_lookup(
        f"a vector with {share} of its weight at another word brings the mean of two rows",
        "times(mixture(5, 3, 1, share), table)",
        (1 - share) * TABLE[3] + share * TABLE[1],
        **{"table": TABLE, "share": share},
    )
of_lookup("two equal words have all the weight", "mixture(3, 2, 2, 0.25)", np.array([0, 0, 1]))
A = np.array([3.0, 1.0])
for angle in (-90, 0, 30, 180):
    turn = np.radians(angle)
    b = 2 * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ A / 10**0.5
    cosine = A @ b / np.linalg.norm(A) / np.linalg.norm(b)
    of_arrows(
        f"an arrow at {angle}°: its components, the dot product, the cosine and the shadow",
        "Object.values(measure(a, angle, 2)).flat()",
        np.array([*b, A @ b, cosine, A @ b / np.linalg.norm(A)]),
        **{"a": A, "angle": angle},
    )
of_arrows(
    "angles are told in −180 … 180 degrees",
    "[0, 3, -3, 4, -4].map(degrees)",
    (np.degrees([0, 3, -3, 4, -4]) + 180) % 360 - 180,
)
of_arrows(
    "keys turn the arrow and change its length, within their limits",
    "['ArrowRight', 'PageDown', 'End', 'ArrowUp', 'x']"
    ".map((key) => turned(key, { angle: -170, size: 1.99 }, 2) ?? null)",
    [
        {"angle": -169, "size": 1.99},
        {"angle": -180, "size": 1.99},
        {"angle": 180, "size": 1.99},
        {"angle": -170, "size": 2},
        None,
    ],
)
of_arrows("a rounded product is told as such", "equals(0.5, 0.5) + equals(0.5, 0.503)", "=≈")


@pytest.mark.parametrize("name", CASES)
def test_a_script_computes_what_python_computes(answers, name):
    CASES[name].check(answers[name])
