"""How much a page asks for: its length, and how long it goes on without showing something."""

import re

import pytest

from headway.chapters import CHAPTERS

MOST_WORDS, LONGEST_STRETCH, LEAST_QUESTIONS = 3_500, 400, 3
HEAD = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
CELL = re.compile(r"^```\{code-cell\}.*?^```$", re.DOTALL | re.MULTILINE)
CODE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)

each_chapter = pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)


@pytest.fixture
def page(root, chapter):
    return HEAD.sub("", (root / "book" / f"{chapter.name}.md").read_text(encoding="utf-8"))


def words(text: str) -> int:
    return len(CODE.sub("", text).split())


@each_chapter
def test_a_page_is_read_in_one_sitting(page, chapter):
    assert words(page) <= MOST_WORDS


@each_chapter
def test_something_is_shown_at_least_every_400_words(page, chapter):
    before_the_assignment = page.split(":::{assignment}")[0]
    stretches = [words(text) for text in CELL.split(before_the_assignment)]
    assert max(stretches) <= LONGEST_STRETCH


@each_chapter
def test_the_reader_is_asked_at_least_three_times(page, chapter):
    assert page.count(":::{predict}") >= LEAST_QUESTIONS
