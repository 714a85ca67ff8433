"""The pages around a part: the chain holds on the page, and the self-check is whole."""

import re

import pytest
from bs4 import BeautifulSoup

from headway.figures.parts.chain_table import MIME
from tests.book.executed import executed_page

pytestmark = pytest.mark.book


CHAINS = {  # the chapters of the links in each table
    "part-1-review": [[1, 2, 3, 4, 4, 4]],
    "whole-chain": [
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 10, 11, 12, 13, 13, 14, 15, 15, 16, 16, 17, 18, 19, 19],
        list(range(1, 20)),
    ],
    "16-outlook": [list(range(1, 17))],
}
QUESTIONS = {"part-1-review": 12, "whole-chain": 19}


@pytest.mark.parametrize("name", CHAINS)
def test_every_link_of_the_chain_holds_to_rounding(name, built_book):
    cells = executed_page(built_book, name).cells
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    tables = [o.data[MIME] for o in outputs if MIME in o.get("data", {})]
    assert [[one["chapter"] for one in links] for links in tables] == CHAINS[name]
    assert all(one["difference"] < 1e-12 for links in tables for one in links)


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_self_check_is_whole_and_links_to_the_chapters_of_its_questions(name, built_book):
    html = (built_book / "book" / f"{name}.html").read_text(encoding="utf-8")
    folds = BeautifulSoup(html, "html.parser").select(".hw-self-check details")
    assert len(folds) == QUESTIONS[name]
    for fold in folds:
        target = fold.select_one(".hw-predict-answer a")["href"]
        assert (built_book / "book" / target).is_file()


def test_the_reading_map_leads_to_each_section_whose_entries_say_when_to_read_them(built_book):
    html = (built_book / "book" / "where-to-go.html").read_text(encoding="utf-8")
    page = BeautifulSoup(html, "html.parser").select_one("article")
    topics = [link["href"] for link in page.select(".hw-road-wide .hw-topic")]
    sections = [page.select_one(topic).find_parent("section") for topic in topics]
    assert {section["id"] for section in sections} == {
        section["id"] for section in page.select("section section")
    }
    for section in sections:
        entries = [entry.get_text() for entry in section.select("li")]
        assert entries
        assert all(re.match(r"After \d+: ", entry) for entry in entries)
