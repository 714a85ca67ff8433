"""The verdicts that the pages compute, against those on record in `verdicts/`."""

import tomllib

import pytest

from headway.chapters import CHAPTERS
from headway.figures.parts.claim import MIME
from tests.book.executed import executed_page

LEAST_CLAIMS = 1
each_chapter = pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)


@pytest.fixture
def record(root, chapter):
    """The verdict of each claim of a chapter's page, by the claim's id."""
    path = root / "tests" / "book" / "verdicts" / f"{chapter.name}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


@pytest.mark.book
@each_chapter
def test_the_claims_of_a_page_come_out_as_recorded(built_book, record, chapter):
    claims = [
        output.data[MIME]
        for cell in executed_page(built_book, chapter.name).cells
        for output in cell.get("outputs", [])
        if MIME in output.get("data", {})
    ]
    verdicts = {claim["id"]: claim["verdict"] for claim in claims}
    assert len(verdicts) == len(claims), f"Two claims of book/{chapter.name}.md have one id."
    assert verdicts == record, f"tests/book/verdicts/{chapter.name}.toml says otherwise."
    assert len(record) >= LEAST_CLAIMS, (
        f"book/{chapter.name}.md tests {len(record)} claims; a page tests at least {LEAST_CLAIMS}."
    )
