"""The pages around a part: the chain holds on the page, and the self-check is whole."""

import pytest
from bs4 import BeautifulSoup

from headway.figures.parts.chain_table import MIME
from tests.book.executed import executed_page

pytestmark = pytest.mark.book


CHAINS = {  # the chapters of the links in each table
    "part-1-review": [[1, 2, 3, 4, 4, 4]],
    "spine-review": [
        [1, 2, 3, 4, 4, 8, 8, 9, 9, 13, 13, 13, 13, 15, 15],
        [1, 2, 3, 4, 8, 9, 13, 15],
    ],
    "16-outlook": [list(range(1, 17))],
}


@pytest.mark.parametrize("name", CHAINS)
def test_every_link_of_the_chain_holds_to_rounding(name, built_book):
    cells = executed_page(built_book, name).cells
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    tables = [o.data[MIME] for o in outputs if MIME in o.get("data", {})]
    assert [[one["chapter"] for one in links] for links in tables] == CHAINS[name]
    assert all(one["difference"] < 1e-12 for links in tables for one in links)


@pytest.mark.parametrize("name", ["part-1-review", "spine-review"])
def test_the_self_check_asks_twelve_questions_and_links_to_their_chapters(name, built_book):
    html = (built_book / "book" / f"{name}.html").read_text(encoding="utf-8")
    folds = BeautifulSoup(html, "html.parser").select(".hw-self-check details")
    assert len(folds) == 12
    for fold in folds:
        target = fold.select_one(".hw-predict-answer a")["href"]
        assert (built_book / "book" / target).is_file()
