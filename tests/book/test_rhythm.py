"""How much a page's road asks for: how long it is, and for how long nothing is shown on it."""

import re

import pytest

from headway.chapters import CHAPTERS

MOST_WORDS, MOST_LINES, LONGEST_STRETCH, LEAST_QUESTIONS = 3_000, 250, 400, 3
# What each page has under these headings: the last ones, in this order.
CLOSING = ["The link: ", "What changed", "Your turn", "Further reading"]
HEAD = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
CELL = re.compile(r"^```\{code-cell\}.*?^```$", re.DOTALL | re.MULTILINE)
CODE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)

each_chapter = pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)


@pytest.fixture
def whole(root, chapter):
    return HEAD.sub("", (root / "book" / f"{chapter.name}.md").read_text(encoding="utf-8"))


@pytest.fixture
def page(whole):
    """What is on the road: without side roads and the box on what others say."""
    from headway_book.reading import on_the_road

    return on_the_road(whole)


def words(text: str) -> int:
    return len(CODE.sub("", text).split())


@each_chapter
def test_a_page_is_read_in_one_sitting_shows_something_often_and_asks(page, chapter):
    from headway_book.reading import AWAY, FENCED_CELL, lines_in_view

    before_the_assignment = page.split(":::{assignment}")[0]
    stretches = [words(text) for text in CELL.split(before_the_assignment)]
    cells = [cell["body"] for cell in FENCED_CELL.finditer(page)]
    lines = lines_in_view([cell for cell in cells if not AWAY.search(cell)])
    for found, least, most, what in (
        (words(page), 0, MOST_WORDS, "words"),
        (lines, 0, MOST_LINES, "lines of code in view; fold what only formats"),
        (max(stretches), 0, LONGEST_STRETCH, "words between two cells; show something"),
        (page.count(":::{predict}"), LEAST_QUESTIONS, 99, "predictions"),
    ):
        assert least <= found <= most, (
            f"book/{chapter.name}.md has {found} {what}; a page has {least} … {most}."
        )


@each_chapter
def test_a_page_has_a_link_of_the_chain_and_closes_like_the_others(whole, chapter):
    heads = re.findall(r"^## (.+)$", CODE.sub("", whole), re.MULTILINE)
    found = [head for closing in CLOSING for head in heads if head.startswith(closing)]
    for closing in CLOSING:
        assert any(head.startswith(closing) for head in found), (
            f'book/{chapter.name}.md has no heading "## {closing}".'
        )
    assert found == [head for head in heads if head in found], (
        f"The last headings of book/{chapter.name}.md are not in the order of the other pages."
    )
