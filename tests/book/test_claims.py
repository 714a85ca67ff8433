"""The verdicts that the pages compute, against those on record in `verdicts/`."""

import tomllib

import pytest

from headway.chapters import CHAPTERS
from headway.figures.parts.claim import MIME
from headway.figures.parts.quantifier import VERDICTS
from tests.book.executed import executed_page

LEAST_CLAIMS = 2
each_chapter = pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)


@pytest.fixture
def record(root, chapter):
    """The verdict of each claim of a chapter's page, by the claim's id."""
    path = root / "tests" / "book" / "verdicts" / f"{chapter.name}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


@each_chapter
def test_a_record_has_two_verdicts_at_least(record, chapter):
    where = f"tests/book/verdicts/{chapter.name}.toml"
    assert len(record) >= LEAST_CLAIMS, (
        f"{where} has {len(record)} verdicts; a page tests {LEAST_CLAIMS} claims at least."
    )
    unknown = [verdict for verdict in record.values() if verdict not in VERDICTS]
    assert not unknown, f"{where} says {unknown[0]!r}; a verdict is one of {', '.join(VERDICTS)}."


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
    different = [
        f"{name}: the page says {verdicts.get(name, 'nothing')}, the record "
        f"{record.get(name, 'nothing')}"
        for name in sorted(verdicts | record)
        if verdicts.get(name) != record.get(name)
    ]
    assert not different, f"tests/book/verdicts/{chapter.name}.toml:\n" + "\n".join(different)
