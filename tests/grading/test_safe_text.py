"""Names and reasons that strangers chose, in a page, a terminal and a spreadsheet."""

import pytest

from headway.grading.results.spreadsheet import no_formula
from headway.grading.safe_text import visible


def test_what_is_not_seen_is_shown_as_its_number():
    assert visible("a\u202eb\x07\udce9") == "a\\u202eb\\x07\\udce9"
    assert visible("\x1b]0;title\x07 ada") == "\\x1b]0;title\\x07 ada"
    assert visible("two\nlines, Zoë, 王, ✓") == "two lines, Zoë, 王, ✓"
    assert len(visible("x" * 10_000)) == 2_001


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1", "@SUM", "\t=1", "\r=1", "\n=1", "  =1", "\uff1d1"]
)
def test_a_spreadsheet_takes_no_cell_for_a_formula(text):
    assert no_formula(text).startswith("'")


def test_what_would_begin_a_cell_behind_a_semicolon_is_no_formula_either():
    assert no_formula("ada;=cmd|' /C calc'!A0") == "ada;'=cmd|' /C calc'!A0"
    assert no_formula(";-1; +1") == ";'-1;' +1"
    assert no_formula('a;"=1+1;b') == "a;'\"=1+1;b"
    assert no_formula('""=1') == '\'""=1'
    assert no_formula("dot: 2 of 3; pairs: 4 of 4") == "dot: 2 of 3; pairs: 4 of 4"
    assert no_formula("x = -1, a-b") == "x = -1, a-b"


def test_a_cell_holds_nothing_that_is_not_seen():
    assert no_formula("ada\x1b[31m") == "ada\\x1b[31m"
    assert no_formula("Zoë") == "Zoë"
