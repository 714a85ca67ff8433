"""Formulas as MathML, and as text."""

import pytest
from lxml import html

from headway.editions.formulas import in_line, keep_together, set_formulas, words_of
from tests.editions.conftest import formula


def test_a_reader_gets_mathml_with_its_tex_and_nothing_else():
    tex = r"a &lt; b \cdot \text{“c”}"
    page = html.fragment_fromstring(f"<p>So {formula('<mi>a</mi>', tex)}.</p>")
    set_formulas(page)
    (made,) = page.find_class("math")
    (math,) = made
    assert math.get("alttext") == r"a < b \cdot \text{“c”}"
    assert [part.tag for part in math.iter()] == ["math", "mrow", "mi"]
    assert page.text_content() == "So a."


@pytest.mark.parametrize(
    ("mathml", "text"),
    {
        "<msqrt><mi>D</mi></msqrt>": "√D",
        "<msqrt><mi>a</mi><mi>b</mi></msqrt>": "√(ab)",
        "<msub><mi>x</mi><mi>i</mi></msub>": "xᵢ",
        "<msub><mi>W</mi><mi>Q</mi></msub>": "W_Q",
        "<msup><mi>x</mi><mn>2</mn></msup>": "x²",
        "<mfrac><mi>a</mi><mn>2</mn></mfrac>": "a/2",
    }.items(),
)
def test_a_formula_in_a_heading_is_a_line_of_text(mathml, text):
    heading = html.fragment_fromstring(f"<h2>Why {formula(mathml, 'x')}?</h2>")
    assert words_of(heading) == f"Why {text}?"
    assert in_line(heading) == text
    assert heading.find_class("katex"), "the heading itself is as it was"


def test_a_full_stop_stays_in_the_line_of_its_formula():
    page = html.fragment_fromstring(r'<p>See <span class="math">x</span>). Then</p>')
    keep_together(page)
    (kept,) = page.find_class("hw-nowrap")
    assert kept.text_content() == r"x)."
    assert kept.tail == " Then"
