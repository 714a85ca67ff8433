"""Formulas are set at build: pages show them without scripts, and titles are text elsewhere."""

import json
import re

import pytest
from bs4 import BeautifulSoup

from headway.book import BookError, build_book
from tests.conftest import make_book

INDEX = "# A book\n\nSee {ref}`why` and [](roots.md).\n\n(why)=\n## Why\n\nNo formula here.\n"
ROOTS = r"""# Why divide by $\sqrt{D}$?

Inline $x_i < \tfrac{1}{2}$, and alone:

$$
\begin{gathered}
a = \operatorname{softmax}(b) \\
c \le d
\end{gathered}
$$

## What $\partial$ and $W_Q$ mean

Text.
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A small book's site."""
    folder = tmp_path_factory.mktemp("formulas")
    return build_book(make_book(folder, index=INDEX, roots=ROOTS))


@pytest.fixture(scope="module")
def page(site):
    """Its page with formulas."""
    return BeautifulSoup((site / "book" / "roots.html").read_text("utf-8"), "html.parser")


def test_a_formula_needs_no_script(page):
    formulas = page.article.select(".math")
    assert len(formulas) == 5
    for formula in formulas:
        assert formula.select_one(".katex-html")["aria-hidden"] == "true"
        assert formula.math.select_one("annotation").get_text()
    alone = page.article.select("div.math")
    assert len(alone) == 1
    assert alone[0].math["display"] == "block"
    assert not any("mathjax" in str(script).lower() for script in page.select("script"))


def test_what_ends_a_sentence_stays_in_the_line_of_a_short_formula(page):
    (both,) = page.article.select("p .hw-together")
    assert both.select_one(".math")
    assert both.get_text().endswith(",")
    assert both.next_sibling == " and alone:"


def test_pages_with_formulas_link_their_style_and_others_do_not(site, page):
    assert len(page.select("link[href*='katex.min.css']")) == 1
    static = site / "_static" / "vendor" / "katex"
    style = (static / "katex.min.css").read_text("utf-8")
    named = set(re.findall(r"url\(([^)]+)\)", style))
    assert named == {f"fonts/{font.name}" for font in (static / "fonts").iterdir()}
    assert all(name.endswith(".woff2") for name in named)
    assert "katex" not in (site / "book" / "index.html").read_text("utf-8")
    assert not list(site.rglob("katex*js")), "pages need no script for it"


def test_a_title_is_text_wherever_else_it_is_written(site, page):
    assert page.title.get_text().startswith("Why divide by √D?")
    assert page.article.h1.select_one(".katex")
    index = BeautifulSoup((site / "book" / "index.html").read_text("utf-8"), "html.parser")
    menu = [link.get_text(strip=True) for link in index.select(".bd-docs-nav a[href*=roots]")]
    assert menu == ["Why divide by √D?"]
    link = index.article.select_one("p a[href*=roots]")
    assert link.get_text() == "Why divide by √D?"
    contents = [link.get_text(strip=True) for link in page.select(".hw-nav-sections a")]
    assert "What ∂ and W_Q mean" in contents
    search = (site / "searchindex.js").read_text("utf-8")
    found = json.loads(search[search.index("{") : search.rindex("}") + 1])
    assert {"Why divide by √D?", "What ∂ and W_Q mean"} <= set(found["alltitles"])
    assert found["titles"][-1] == "Why divide by √D?"


def test_a_formula_that_is_not_known_fails_the_build_and_says_where(tmp_path):
    book = make_book(tmp_path, index="# A book\n\nText.\n\nA $\\fraq{1}{2}$ of it.\n")
    with pytest.raises(BookError, match=r"(?s)index\.md:5: .*\\fraq"):
        build_book(book)
