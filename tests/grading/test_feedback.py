import pytest
from bs4 import BeautifulSoup

from headway.grading.feedback import MAX_FORMULA, disarm, formula, markdown_to_html


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


def test_what_could_run_or_load_is_taken_out_of_a_page():
    page = BeautifulSoup(
        "<html><head><title>t</title></head><body>"
        '<img src="https://elsewhere.example/x.png" onerror="alert(1)"><img src="data:image/png;,">'
        '<iframe src="https://elsewhere.example"></iframe><link href="https://elsewhere.example/c">'
        '<a href="JavaScript:alert(1)">x</a><a href="https://elsewhere.example">y</a>'
        '<a href="#z">z</a><svg onload="alert(1)"/>'
        '<meta http-equiv="refresh" content="0;url=https://elsewhere.example">'
        "<script>alert(1)</script></body></html>",
        "html.parser",
    )
    disarm(page)
    assert not page.find_all(["iframe", "link", "script"])
    assert [tag["src"] for tag in page.find_all(src=True)] == ["data:image/png;,"]
    assert [tag["href"] for tag in page.find_all(href=True)] == [
        "https://elsewhere.example",
        "#z",
    ]
    assert not [name for tag in page.find_all() for name in tag.attrs if name.startswith("on")]
    (policy,) = page.find_all("meta", attrs={"http-equiv": True})
    assert policy["content"].startswith("default-src 'none'")
