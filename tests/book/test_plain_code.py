"""Code on pages: lighter, and to the eye the same but for its operators."""

import re

import pytest


@pytest.fixture
def plain_code():
    from headway_book import plain_code

    return plain_code


def test_names_brackets_spaces_and_operators_lose_their_marks_and_the_rest_keeps_them(plain_code):
    prose = '<p><span class="n">x</span></p>'
    code = (
        '<div class="highlight"><pre><span></span><span class="n">x</span> '
        '<span class="o">=</span> <span class="nb">len</span><span class="p">(</span>'
        '<span class="n">&lt;y&gt;</span><span class="p">)</span>\n</pre></div>'
    )
    assert plain_code.unmark(prose + code) == prose + (
        '<div class="highlight"><pre><span></span>x = '
        '<span class="nb">len</span>(&lt;y&gt;)\n</pre></div>'
    )


@pytest.mark.book
def test_what_lost_its_mark_had_the_color_of_the_text_around_it(built_book, plain_code):
    style = (built_book / "_static" / "pygments.css").read_text(encoding="utf-8")
    ground = re.findall(r"\.highlight \{[^}]*(color: #\w+) \}", style)
    assert len(ground) >= 2, "light and dark"
    for name in set(plain_code.UNSEEN) - {"w"}:  # spaces show no color
        assert re.findall(rf"\.highlight \.{name} \{{ ([^}}]*) \}}", style) == ground
    page = (built_book / "book" / "01-one-hot.html").read_text(encoding="utf-8")
    assert 'class="k' in page
    for code in re.findall(r"<pre>.*?</pre>", page, re.DOTALL):
        assert not re.search(r'<span class="[npwo]">', code)
