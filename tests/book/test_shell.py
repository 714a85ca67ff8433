"""The frame around the pages: what they load, the dark without scripts, and the navigation."""

import re

import pytest

from headway.chapters import CHAPTERS


def test_rules_for_the_dark_hold_on_a_page_that_says_it_is_light():
    from headway_book.shell import rules_for_the_dark

    sheet = """/* html[data-theme="dark"] a { color: red } */
    html[data-theme="dark"],
    body[data-jp-theme-light="false"] { --hw-ink: #fff; }
    @media print { html[data-theme="dark"] :is(.hw-dark, p) { display: none; } }
    p { color: black; }"""
    rules = [" ".join(rule.split()) for rule in rules_for_the_dark(sheet).splitlines()]
    assert rules == [
        'html[data-theme="light"] { --hw-ink: #fff; }',
        '@media print {html[data-theme="light"] :is(.hw-dark, p) { display: none; }}',
    ]


@pytest.mark.parametrize(
    ("file", "unused"),
    [
        ("styles/sphinx-book-theme.css", True),
        ("sphinx-design.min.css", True),
        ("headway/figure.css", False),
        ("room.js", False),
    ],
)
def test_only_what_pages_use_is_linked(file, unused):
    from headway_book.shell import is_unused

    assert is_unused(file) == unused


@pytest.mark.book
def test_light_or_dark_is_known_before_the_first_style_sheet(built_book):
    for name in ("index", "08-attention", "glossary"):
        page = (built_book / "book" / f"{name}.html").read_text(encoding="utf-8")
        sheet = re.search(r'<link[^>]* rel="stylesheet"[^>]*>|<style', page)
        assert page.index("prefers-color-scheme: dark") < sheet.start(), name
        assert 'data-theme="auto"' not in page, name


@pytest.mark.book
def test_no_page_links_the_theme_or_its_icon_fonts_and_the_site_has_none(built_book):
    pages = [*built_book.glob("book/*.html"), *built_book.glob("*.html")]
    assert len(pages) > 20
    for page in pages:
        text = page.read_text(encoding="utf-8")
        head = text.partition("</head>")[0]
        assert not re.search(r"fontawesome|bootstrap|pydata|sphinx-book-theme", head), page.name
        assert not re.search(r'class="fa[sbr]? fa-', text), page.name
    assert not (built_book / "_static" / "vendor" / "fontawesome").exists()


@pytest.mark.book
@pytest.mark.parametrize("chapter", CHAPTERS[::5], ids=lambda chapter: chapter.name)
def test_the_navigation_opens_the_part_of_the_page_and_lists_its_sections(built_book, chapter):
    page = (built_book / "book" / f"{chapter.name}.html").read_text(encoding="utf-8")
    parts = re.findall(r'<details class="hw-nav-part"( open)?>(.*?)</details>', page, re.DOTALL)
    assert len(parts) > 3
    (opened,) = [text for is_open, text in parts if is_open]
    assert re.search(rf'aria-current="page"><b>{chapter.number}</b>', opened)
    listed = re.search(r'<ul class="hw-nav-sections">(.*?)</ul>', opened, re.DOTALL)[1]
    article = page[page.index("<article") :]
    heads = re.findall(r'<section id="([\w-]+)">\s*(?:<span[^>]*></span>\s*)*<h2', article)
    assert re.findall(r'href="#([\w-]+)"', listed) == heads
    assert "\\" not in re.sub("<[^>]+>", "", listed), "TeX in the navigation"
