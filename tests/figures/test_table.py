"""Tables: the same cells on a page and in a terminal, numbers to the right."""

import numpy as np
import pytest
from bs4 import BeautifulSoup

from headway.figures.parts.table import table


def costs():
    return table(
        ["", "steps", "seconds", "note"],
        [["product", 10_240_000, np.float32(0.5), "slow"], ["look-up", 0, -0.25, None]],
        caption="What <each> costs",
        form={"steps": ",", "seconds": ".2f"},
    )


def page_of(shown):
    return BeautifulSoup(shown.html(), "html.parser")


def test_a_terminal_gets_aligned_text():
    assert str(costs()).splitlines() == [
        "What <each> costs",
        "",
        "              steps  seconds  note",
        "product  10,240,000     0.50  slow",
        "look-up           0    −0.25",
    ]
    assert costs()._repr_mimebundle_()["text/plain"] == str(costs())
    assert str(table(["", "a"], [["x", 1 / 3]], "Thirds", form=".0%")).endswith("x  33%")


def test_a_page_gets_a_table_with_heads_and_a_caption_in_a_region_that_takes_the_focus():
    page = page_of(costs())
    assert page.caption.get_text() == "What <each> costs"
    assert [one.get_text() for one in page.select("thead th[scope=col]")] == [
        "steps", "seconds", "note",
    ]  # fmt: skip
    assert [one.get_text() for one in page.select("tbody th[scope=row]")] == ["product", "look-up"]
    cells = [[cell.get_text() for cell in row.select("td")] for row in page.select("tbody tr")]
    assert cells == [["10,240,000", "0.50", "slow"], ["0", "−0.25", ""]]
    region = page.select_one(".hw-scroll")
    assert (region["role"], region["tabindex"]) == ("region", "0")
    assert region["aria-label"] == "What <each> costs"


def test_numbers_stand_to_the_right_and_words_to_the_left():
    assert costs().to_the_right == (False, True, True, False)
    assert len(page_of(costs()).select("tbody .hw-number")) == 4
    assert table(["a", "b"], [["x", True]], "Bools").to_the_right == (False, False)


def test_only_a_column_of_sentences_may_go_on_in_the_next_line():
    rows = [["x", "short", "a sentence that is longer than a telephone is wide", 1]]
    page = page_of(table(["", "a", "b", "c"], rows, "Kinds"))
    assert [cell.get_text() for cell in page.select("tbody .hw-wraps")] == [rows[0][2]]


@pytest.mark.parametrize(
    ("rows", "caption", "form", "says"),
    [
        ([], "A table", "", "one row at least"),
        ([["x", 1], ["y"]], "A table", "", r"2 headings, got 1 in \['y'\]"),
        ([["x", 1]], " ", "", "caption must be a text"),
        ([["x", 1]], "A table", {"b": ","}, "form names 'b'"),
    ],
)
def test_what_is_no_table_is_refused(rows, caption, form, says):
    with pytest.raises(ValueError, match=says):
        table(["", "a"], rows, caption, form)
