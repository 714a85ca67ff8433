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
def test_a_page_is_read_in_one_sitting(page, chapter):
    assert words(page) <= MOST_WORDS, (
        f"book/{chapter.name}.md has {words(page):,} words; a page has {MOST_WORDS:,} at most."
    )


@each_chapter
def test_a_page_shows_no_more_code_than_one_reads(page, chapter):
    from headway_book.reading import FENCED_CELL, lines_in_view

    lines = lines_in_view([cell["body"] for cell in FENCED_CELL.finditer(page)])
    assert lines <= MOST_LINES, (
        f"book/{chapter.name}.md shows {lines} lines of code; a page shows {MOST_LINES} at most. "
        "Fold what only formats, or move it into the package."
    )


@each_chapter
def test_something_is_shown_at_least_every_400_words(page, chapter):
    before_the_assignment = page.split(":::{assignment}")[0]
    stretches = [words(text) for text in CELL.split(before_the_assignment)]
    assert max(stretches) <= LONGEST_STRETCH, (
        f"book/{chapter.name}.md has {max(stretches)} words between two cells; show something, or "
        f"let something be run, every {LONGEST_STRETCH} words."
    )


@each_chapter
def test_the_reader_is_asked_at_least_three_times(page, chapter):
    questions = page.count(":::{predict}")
    assert questions >= LEAST_QUESTIONS, (
        f"book/{chapter.name}.md has {questions} predictions; a page has "
        f"{LEAST_QUESTIONS} at least."
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
