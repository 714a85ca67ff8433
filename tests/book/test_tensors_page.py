"""The page on tensors: short, checked at each step, and right about messages."""

import re

import pytest

from tests.book.executed import executed_page
from tests.book.test_rhythm import CELL, HEAD, LONGEST_STRETCH, words

MOST_WORDS = 2_000


@pytest.fixture
def page(root):
    return HEAD.sub("", (root / "book" / "tensors.md").read_text(encoding="utf-8"))


def test_the_page_is_short_and_shows_something_at_every_step(page):
    assert words(page) <= MOST_WORDS
    assert max(map(words, CELL.split(page))) <= LONGEST_STRETCH


def test_each_section_that_teaches_an_idiom_asks_a_question(page):
    sections = dict(zip(*[iter(re.split(r"^## (.+)$", page, flags=re.M)[1:])] * 2, strict=True))
    for heading in ("Indexing", "Broadcasting", "Products", "`view`", "What", "`nn.Module`"):
        (text,) = [text for name, text in sections.items() if name.startswith(heading)]
        assert ":::{predict}" in text, heading


@pytest.mark.book
def test_the_messages_that_the_page_explains_are_those_that_torch_prints(page, built_book):
    explained = re.findall(r"^\| `(.+?)` \|", page.split("| the message says |")[1], re.M)
    printed = " ".join(
        output.get("text", "")
        for cell in executed_page(built_book, "tensors").cells
        for output in cell.get("outputs", [])
    )
    printed = " ".join(printed.split())
    assert len(explained) == 6
    for message in explained:
        assert all(part.strip() in printed for part in message.split("…")), message
