"""Matrices as grids of colored cells: what is shown, lit, printed and refused."""

import numpy as np
import pytest
from bs4 import BeautifulSoup

from headway.figures.core.matrix import Matrix
from headway.figures.parts.grid import grid

Q = Matrix("W_Q", [[1, -2], [0.5, -0.001]], rows=["pot", "<b>"], columns=["x", "y"], role="query")


def soup(shown):
    return BeautifulSoup(shown.html(), "html.parser")


def test_the_table_has_the_numbers_the_names_and_the_shape():
    table = soup(Q)
    assert table.caption.get_text() == "WQ (2, 2)"
    assert table.caption.sub.get_text() == "Q"
    assert [th.get_text() for th in table.select("thead th")] == ["x", "y"]
    assert [th.get_text() for th in table.select("tbody th")] == ["pot", "<b>"]
    assert [td.get_text() for td in table.select("tbody td")] == ["1.00", "−2.00", "0.50", "0.00"]
    assert "hw-role-query" in table.table["class"]


def test_the_largest_number_is_deepest_and_what_is_below_zero_is_marked():
    cells = soup(Q).select("tbody td")
    assert [cell["style"] for cell in cells] == ["--p:0.50", "--p:1.00", "--p:0.25", "--p:0.00"]
    assert ["hw-minus" in cell.get("class", []) for cell in cells] == [False, True, False, True]


def test_the_row_and_the_column_under_discussion_are_lit():
    table = soup(Matrix("X", np.ones((2, 3)), columns=list("abc"), lit_rows=[1], lit_columns=[2]))
    assert ["hw-lit" in tr.get("class", []) for tr in table.select("tbody tr")] == [False, True]
    assert [th.get_text() for th in table.select("thead .hw-lit")] == ["c"]
    assert len(table.select("tbody td.hw-lit")) == 2


def test_a_hidden_score_is_shown_as_minus_infinity_and_has_no_color():
    (first, second) = soup(Matrix("s", [[1, -np.inf]])).select("td")
    assert second.get_text() == "−∞"
    assert (first["style"], second["style"]) == ("--p:1.00", "--p:0.00")


def test_signs_stand_before_the_matrix_behind_them_and_each_table_can_be_scrolled_to():
    shown = soup(grid(Q, "@", Q, "=", Q, title="A product", caption="All alike."))
    assert [sign.get_text() for sign in shown.select(".hw-sign")] == ["@", "="]
    assert len(shown.select('.hw-scroll[tabindex="0"][role="region"] table')) == 3
    assert shown.figure["aria-labelledby"] == shown.select_one(".hw-title")["id"]
    assert shown.figcaption.get_text() == "All alike."


def test_a_terminal_gets_aligned_columns():
    plain = grid(Q, title="A matrix")._repr_mimebundle_()["text/plain"]
    assert plain == ("A matrix\nW_Q (2, 2)\n        x      y\npot  1.00  −2.00\n<b>  0.50   0.00")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"values": [1, 2]}, r"two dimensions .* got shape \(2,\)"),
        ({"values": np.zeros((20, 20))}, "1 to 150 numbers"),
        ({"values": [[np.nan]]}, "NaN"),
        ({"values": [[np.inf]]}, r"\+∞"),
        ({"values": [[1]], "rows": ["a", "b"]}, "1 rows, but 2 names"),
        ({"values": [[1]], "columns": ["a", "b"]}, "1 columns, but 2 names"),
        ({"values": [[1]], "role": "question"}, "role of M must be one of"),
        ({"values": [[1]], "lit_rows": [1]}, "cannot all be lit"),
    ],
)
def test_a_matrix_that_cannot_be_shown_is_refused(given, says):
    with pytest.raises(ValueError, match=says):
        Matrix("M", **given)


def test_a_line_without_matrices_is_refused():
    with pytest.raises(ValueError, match="at least one matrix"):
        grid(title="Nothing")
    with pytest.raises(ValueError, match="'=' has no matrix behind it"):
        grid(Q, "=", title="Half")
    with pytest.raises(TypeError, match="matrices and signs"):
        grid(Q, 3, title="Wrong")
