"""The figures of chapter 1: their numbers are the table's, and what makes no sense is refused."""

from dataclasses import replace

import numpy as np
import pytest

from headway.figures.gallery.one_hot.dot_product import dot_product_by_angle
from headway.figures.gallery.one_hot.row_lookup import row_lookup
from headway.figures.gallery.one_hot.rows_looked_up import Request, rows_looked_up
from tests.figures.node import Cases, normal
from tests.figures.shown import assert_on_page, assert_upright, assert_whole, part, svg_of, texts

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


def bars(drawn):
    """Where each bar begins and how long it is, in the order in which they are drawn."""
    found = [bar for bar in drawn.iter("rect") if "hw-column" in bar.get("class")]
    return [(float(bar.get("x")), float(bar.get("width"))) for bar in found]


def test_each_word_brings_its_row_of_the_table_and_the_last_step_their_sum():
    figure = drawn()
    assert_whole(figure)
    assert_upright(figure)
    said = texts(part(figure, 1))
    assert (said.count("1"), said.count("0")) == (3, 6)
    np.testing.assert_array_equal(REQUEST.vectors, [[0, 1, 0], [0, 0, 1], [0, 1, 0]])
    largest = 4.5  # the sum for “search”
    one = bars(part(figure, 2))[0][1] / 2.25
    for step, row in ((2, [2.25, 0.125]), (3, [0.75]), (5, [largest, 1.0])):
        long = [wide for _, wide in bars(part(figure, step))][-len(row) :]
        np.testing.assert_allclose(long, np.multiply(row, one), rtol=0.02)
    assert texts(part(figure, 5)) == ["sum", "search 4.50"]
    steps = figure.data["steps"]
    assert "its 1 brings the row of “find”" in steps[1]
    assert steps[-1] == "Added up, the 3 rows say “search”: 4.50."
    assert "“find” has its 1 at place 1, and its row is 2.25, 0.12" in figure.alt


def test_a_number_below_zero_is_a_bar_to_the_left_of_its_line():
    (files_search, files_show, find_search, find_show, my_show) = bars(part(drawn(), 1))
    assert files_search[0] == pytest.approx(find_search[0], abs=0.2)
    assert files_show[0] + files_show[1] == pytest.approx(find_show[0], abs=0.2)
    assert find_show[0] == my_show[0]


def test_a_line_leads_from_the_one_to_its_row_of_the_table():
    figure = drawn()
    one = next(text for text in svg_of(figure).iter("text") if text.text == "1")
    find = next(text for text in part(figure, 1).iter("text") if text.text == "find")
    line = next(part(figure, 2).iter("path")).get("d")
    assert line.startswith(f"M{one.get('x')} {one.get('y')}L")
    assert one.get("y") == find.get("y")


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
of_arrows("a rounded product is told as such", "equals(0.5, 0.5) + equals(0.5, 0.503)", "=≈")


@pytest.mark.parametrize("name", CASES)
def test_a_script_computes_what_python_computes(answers, name):
    CASES[name].check(answers[name])
