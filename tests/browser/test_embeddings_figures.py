"""The figures of chapter 6, operated by mouse and by keyboard."""

import numpy as np
import pytest

from headway.figures.gallery.word_scores import scores_of, softmax
from headway.text.counts import nearest
from tests.browser.figure import announced, figure_of, numbers

pytestmark = [pytest.mark.book, pytest.mark.browser, pytest.mark.full]

CHAPTER = "book/06-embeddings.html"


@pytest.fixture
def of_map(chapter):
    return figure_of(chapter, "word_map")


@pytest.fixture
def of_scores(chapter):
    return figure_of(chapter, "word_scores")


def names(figure):
    return figure.locator("table.hw-grid tbody th").all_text_contents()


def check_map(figure, data, word):
    here = data["words"].index(word)
    ids, cosines = nearest(np.array(data["vectors"]), here, data["count"])
    assert names(figure) == [data["words"][i] for i in ids]
    shown = [numbers(text)[0] for text in figure.locator("td[data-value]").all_text_contents()]
    assert shown == pytest.approx(cosines, abs=0.0006)
    assert figure.get_by_role("combobox", name="Word").input_value() == str(here)
    assert figure.locator("text.hw-main").text_content() == word
    assert figure.locator("circle.hw-near").count() == data["count"]


def test_the_keyboard_chooses_a_word_and_goes_on_to_its_neighbor(of_map):
    figure, data = of_map
    check_map(figure, data, data["words"][data["start"]])
    figure.get_by_role("combobox", name="Word").select_option(label="queen")
    check_map(figure, data, "queen")
    next_word = names(figure)[0]
    figure.get_by_role("button", name=next_word, exact=True).focus()
    figure.page.keyboard.press("Enter")
    check_map(figure, data, next_word)
    focused = figure.page.evaluate("document.activeElement.tagName")
    assert focused == "SELECT", "the button has gone, and the focus has a place"


def test_a_click_on_the_map_chooses_the_word_there(of_map):
    figure, data = of_map
    circle = figure.locator("circle.hw-word-dot").nth(data["words"].index("boat"))
    box = circle.bounding_box()
    figure.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    check_map(figure, data, figure.locator("text.hw-main").text_content())
    chosen = int(figure.get_by_role("combobox", name="Word").input_value())
    far = np.array(data["points"][chosen]) - data["points"][data["words"].index("boat")]
    assert np.linalg.norm(far) < 0.05


def test_neighbors_on_the_map_are_others_and_are_announced(of_map):
    figure, _ = of_map
    assert figure.get_by_role("status").text_content() == ""
    by_cosine = names(figure)
    figure.get_by_role("combobox", name="Nearest by").select_option(label="distance on the map")
    assert names(figure) != by_cosine
    shown = [numbers(text)[0] for text in figure.locator("td[data-value]").all_text_contents()]
    assert shown == sorted(shown)
    assert min(shown) >= 0
    assert "nearest by distance on the map" in announced(figure)


def check_scores(figure, data, chosen, table=0, leave=False):
    vectors = np.array(data["vectors"])
    rows = np.array(data["tables"][table]["rows"] or data["vectors"])
    places = [data["words"].index(word) for word in chosen]
    scores = scores_of(vectors, rows, places)
    order = [i for i in np.argsort(-scores, kind="stable") if not (leave and i in places)]
    best = order[: data["count"]]
    assert figure.locator("tbody").first.locator("th").all_text_contents() == [
        data["words"][i] for i in best
    ]
    cells = figure.locator("tbody").first.locator("tr td:nth-of-type(2)").all_text_contents()
    assert [numbers(text)[0] for text in cells] == pytest.approx(softmax(scores)[best], abs=0.0006)


def test_the_keyboard_subtracts_and_adds_words(of_scores):
    figure, data = of_scores
    check_scores(figure, data, ["king"])
    figure.get_by_role("checkbox", name="subtract and add words").focus()
    figure.page.keyboard.press("Space")
    for menu, word in (("Word", "king"), ("minus", "man"), ("plus", "woman")):
        figure.get_by_role("combobox", name=menu).select_option(label=word)
    check_scores(figure, data, ["king", "man", "woman"])
    assert announced(figure).startswith("king − man + woman: ")


def test_the_mouse_leaves_the_words_out_and_changes_the_table(of_scores):
    figure, data = of_scores
    figure.get_by_text("leave out the chosen words").click()
    check_scores(figure, data, ["king"], leave=True)
    figure.get_by_role("combobox", name="Scores by").select_option("1")
    check_scores(figure, data, ["king"], table=1, leave=True)
    assert "“king” itself comes at place " in figure.locator(".hw-sentence").text_content()
