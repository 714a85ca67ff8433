"""Formulas as MathML."""

import re

import pytest
from lxml import etree, html

from headway.editions.formulas import keep_together, mathml, split_rows

MML = "{http://www.w3.org/1998/Math/MathML}"


def parsed(tex, alone=True):
    return etree.fromstring(mathml(tex, alone))


def test_a_formula_keeps_its_tex_for_readers_that_know_no_mathml():
    formula = parsed(r"a < b \cdot \text{“c”}", alone=False)
    assert formula.tag == MML + "math"
    assert formula.get("alttext") == r"a < b \cdot \text{“c”}"
    assert formula.get("display") == "inline"


@pytest.mark.parametrize("environment", ["gathered", "split", "aligned"])
def test_lines_stand_below_each_other(environment):
    lines = rf"\begin{{{environment}}}a &= b \\ c &= d\end{{{environment}}}"
    tex = rf"\begin{{split}}{lines}\end{{split}}"
    rows = parsed(tex).findall(f"./{MML}mtable/{MML}mtr")
    assert [len(row) for row in rows] == [2, 2]
    assert parsed(r"\begin{split} x = 1 \end{split}").find(f"{MML}mtable") is None
    inner = r"f = \begin{cases} 1 & a \\ 0 & b \end{cases}"
    assert split_rows(rf"{inner} \\ g & h") == [[inner], ["g", "h"]], "its rows are none of ours"


def test_what_stands_under_an_operator_stands_under_it():
    made = parsed(r"\operatorname*{arg\,max}_{x_1} p(x)")
    assert made.find(f".//{MML}munder") is not None
    assert "*" not in "".join(made.itertext())


def test_a_full_stop_stays_in_the_line_of_its_formula():
    page = html.fragment_fromstring(r'<p>See <span class="math">\(x\)</span>). Then</p>')
    keep_together(page)
    (kept,) = page.find_class("hw-nowrap")
    assert kept.text_content() == r"\(x\))."
    assert kept.tail == " Then"


@pytest.mark.book
def test_no_formula_of_the_book_is_left_as_tex(built_book):
    """What latex2mathml does not know, it leaves as letters behind a backslash."""
    left = []
    for page in sorted((built_book / "book").glob("*.html")):
        for formula in html.parse(page).getroot().find_class("math"):
            marked = formula.text_content().strip()
            made = parsed(marked[2:-2].strip())
            shown = "".join(made.itertext())
            if re.search(r"\\[a-zA-Z]|&|merror", shown):
                left.append((page.name, marked, shown))
    assert left == []
