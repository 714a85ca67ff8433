import pytest
from bs4 import BeautifulSoup

from headway.grading.feedback import MAX_FORMULA, formula, markdown_to_html


@pytest.mark.parametrize(
    ("source", "display"),
    [
        ("What is $a \\cdot b$?", "inline"),
        ("$$\\begin{bmatrix} 4 & 0 \\\\ 2 & 6 \\end{bmatrix}$$", "block"),
        ("\\begin{align} x &= 1 \\end{align}", "block"),
    ],
)
def test_formulas_become_mathml_with_their_source_as_text(source, display):
    math = BeautifulSoup(markdown_to_html(source), "html.parser").math
    assert math["display"] == display
    assert math["alttext"].split()[0] in source
    assert math.find(["mi", "mn"])


def test_what_is_no_formula_stays_as_it_was_written():
    assert formula("\\frac{", "inline", "as it was") == "as it was"
    assert formula("x" * (MAX_FORMULA + 1), "inline", "as it was") == "as it was"
    assert "$5 and" in markdown_to_html("It costs $5 and more.")


def test_the_source_of_a_formula_cannot_leave_its_attribute():
    html = markdown_to_html('$x" onload="alert(1)$ and $</math><script>alert(1)</script>$')
    page = BeautifulSoup(html, "html.parser")
    assert not page.find("script")
    assert not [tag for tag in page.find_all() if "onload" in tag.attrs]
