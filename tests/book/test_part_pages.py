"""The pages around a part: the chain holds on the page, and the self-check is whole."""

import nbformat
import pytest
from bs4 import BeautifulSoup

from headway.figures.chain_table import MIME

pytestmark = pytest.mark.book


@pytest.fixture(scope="module")
def review(built_book):
    return nbformat.read(
        built_book.parent / "jupyter_execute" / "book" / "part-1-review.ipynb", as_version=4
    )


def outputs(notebook):
    return [o for cell in notebook.cells for o in cell.get("outputs", []) if "data" in o]


def test_every_link_of_the_chain_holds_to_rounding(review):
    (links,) = [o.data[MIME] for o in outputs(review) if MIME in o.data]
    assert [one["chapter"] for one in links] == [1, 2, 3, 4, 4, 4]
    assert all(one["difference"] < 1e-12 for one in links)


def test_the_self_check_asks_twelve_questions_and_links_to_their_chapters(built_book):
    html = (built_book / "book" / "part-1-review.html").read_text(encoding="utf-8")
    page = BeautifulSoup(html, "html.parser")
    folds = page.select(".hw-self-check details")
    assert len(folds) == 12
    for fold in folds:
        target = fold.select_one(".hw-predict-answer a")["href"]
        assert (built_book / "book" / target).is_file()
