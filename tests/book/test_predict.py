"""Predictions: the answer is folded, the output that shows it marked, and a guess has a form."""

import pytest
from bs4 import BeautifulSoup

from headway.book import BookError, build_book
from tests.conftest import make_book

CELL = "```{code-cell}\nprint('nine')\n```\n"
SILENT = "```{code-cell}\nx = 1\n```\n"
PAGE = f"""# Title

:::{{predict}} How *many*?
:number: 9
:unit: features
:within: 0.5
Nine.
:::

{SILENT}
{CELL}
{CELL}
:::{{predict}} Which one?
:choices: this | that & more
:right: that & more
That.
:::

Some text.

{CELL}
:::{{predict}} Why?
Because.
:::
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory, notebook_front):
    """The page above, built."""
    root = make_book(tmp_path_factory.mktemp("book"), index=notebook_front + PAGE)
    html = (build_book(root) / "book" / "index.html").read_text(encoding="utf-8")
    return BeautifulSoup(html, "html.parser").article


@pytest.mark.book
def test_the_first_output_after_a_prediction_is_marked_and_no_other(page):
    cells = page.select("div.cell")
    assert ["nine" in cell.get_text() for cell in cells] == [False, True, True, True]
    marked = [cell.select_one(".hw-output") for cell in cells]
    assert [output is not None for output in marked] == [False, True, False, False]
    assert "nine" in marked[1].get_text()
    assert marked[1].select_one(".cell_input") is None, "no code is covered"


@pytest.mark.book
def test_a_marked_output_knows_the_answer_that_uncovers_it(page):
    name = page.select_one(".hw-output")["data-answers"]
    assert page.find(id=name)["class"] == ["hw-predict"]
    names = [fold["id"] for fold in page.select("details.hw-predict")]
    assert len(set(names)) == 3


@pytest.mark.book
def test_a_number_and_a_choice_can_be_guessed_and_a_reason_cannot(page):
    number, choice = page.select("form.hw-guess")
    assert (number["data-number"], number["data-unit"], number["data-within"]) == (
        "9",
        "features",
        "0.5",
    )
    assert choice["data-right"] == "that & more"
    assert [button["value"] for button in choice.select("button")] == ["this", "that & more"]
    for form in (number, choice):
        assert form.has_attr("hidden"), "without scripts there is nothing that could answer"
        assert form.find_next_sibling("details")["id"] == form["data-fold"]
    assert page.select(".hw-asked")[0].em.get_text() == "many"
    assert page.select("details.hw-predict > summary")[-1].get_text() == "Predict first Why?"


@pytest.mark.book
def test_guesses_that_cannot_be_compared_fail_the_build(small_book):
    options = {
        ":right: a": "got right",
        ":number: 1\n:choices: a | b\n:right: a": "got choices, number, right",
        ":choices: a | b\n:right: c": "c is right",
        ":choices: a\n:right: a": "two choices at least",
    }
    asked = [f":::{{predict}} What?\n{given}\nThis.\n:::\n" for given in options]
    with pytest.raises(BookError) as caught:
        build_book(small_book(index="# Title\n\n" + "\n".join(asked)))
    for said in options.values():
        assert said in str(caught.value)
