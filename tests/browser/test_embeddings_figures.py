"""The figures of chapter 6, operated by mouse and by keyboard."""

import numpy as np
import pytest

from headway.figures.gallery.embeddings.word_scores import scores_of, softmax
from headway.text.counts import nearest
from tests.browser.figure import amounts, announced, drag, expect_announced, figure_of

pytestmark = [pytest.mark.book, pytest.mark.browser, pytest.mark.full]

CHAPTER = "book/06-embeddings.html"


def names(figure):
    return figure.locator("table.hw-grid tbody th").all_text_contents()


def check_map(figure, data, word):
    here = data["words"].index(word)
    ids, cosines = nearest(np.array(data["vectors"]), here, data["count"])
    assert names(figure) == [data["words"][i] for i in ids]
    assert amounts(figure.locator("td[data-value]")) == pytest.approx(cosines, abs=0.0006)
    assert figure.get_by_role("combobox", name="Word").input_value() == str(here)
    assert figure.locator("text.hw-main").text_content() == word
    assert figure.locator("circle.hw-near").count() == data["count"]


def test_the_keyboard_chooses_a_word_and_goes_on_to_its_neighbor(chapter):
    figure, data = figure_of(chapter, "word_map")
    check_map(figure, data, data["words"][data["start"]])
    figure.get_by_role("combobox", name="Word").select_option(label="queen")
    check_map(figure, data, "queen")
    next_word = names(figure)[0]
    figure.get_by_role("button", name=next_word, exact=True).press("Enter")
    check_map(figure, data, next_word)
    focused = chapter.evaluate("document.activeElement.tagName")
    assert focused == "SELECT", "the button has gone, and the focus has a place"


def test_the_chosen_word_is_dragged_and_the_arrow_keys_lead_on_from_it(chapter):
    figure, data = figure_of(chapter, "word_map")
    thumb = figure.get_by_role("slider", name="Word on the map")
    start = data["points"][data["start"]]
    drag(figure, thumb, 120)
    dragged = thumb.get_attribute("aria-valuetext")
    check_map(figure, data, dragged)
    assert data["points"][data["words"].index(dragged)][0] > start[0]
    thumb.press("ArrowLeft")
    left = thumb.get_attribute("aria-valuetext")
    check_map(figure, data, left)
    points = {word: data["points"][data["words"].index(word)] for word in (left, dragged)}
    assert points[left][0] < points[dragged][0]


def test_a_click_on_the_map_chooses_the_word_there_and_its_neighbors_there(chapter):
    figure, data = figure_of(chapter, "word_map")
    water = data["words"].index("water")
    box = figure.locator("circle.hw-word-dot").nth(water).bounding_box()
    chapter.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    check_map(figure, data, figure.locator("text.hw-main").text_content())
    chosen = int(figure.get_by_role("combobox", name="Word").input_value())
    far = np.subtract(data["points"][chosen], data["points"][water])
    assert np.linalg.norm(far) < 0.05
    by_cosine = names(figure)
    figure.get_by_role("combobox", name="Nearest by").select_option(label="distance on the map")
    assert names(figure) != by_cosine
    shown = amounts(figure.locator("td[data-value]"))
    assert shown == sorted(shown)
    expect_announced(figure, "nearest by distance on the map")


def check_scores(figure, data, chosen, table=0, leave=False):
    vectors = np.array(data["vectors"])
    rows = np.array(data["tables"][table]["rows"] or data["vectors"])
    places = [data["words"].index(word) for word in chosen]
    scores = scores_of(vectors, rows, places)
    order = [i for i in np.argsort(-scores, kind="stable") if not (leave and i in places)]
    best = order[: data["count"]]
    body = figure.locator("tbody").first
    assert body.locator("th").all_text_contents() == [data["words"][i] for i in best]
    shown = amounts(body.locator("tr td:nth-of-type(2)"))
    assert shown == pytest.approx(softmax(scores)[best], abs=0.0006)


def test_the_keyboard_subtracts_and_adds_words(chapter):
    figure, data = figure_of(chapter, "word_scores")
    check_scores(figure, data, ["three"])
    figure.get_by_role("checkbox", name="subtract and add words").press("Space")
    for menu, word in (("Word", "rightwards"), ("minus", "right"), ("plus", "left")):
        figure.get_by_role("combobox", name=menu).select_option(label=word)
    check_scores(figure, data, ["rightwards", "right", "left"])
    assert announced(figure).startswith("rightwards − right + left: ")


def test_the_mouse_leaves_the_words_out_and_changes_the_table(chapter):
    figure, data = figure_of(chapter, "word_scores")
    figure.get_by_text("leave out the chosen words").click()
    check_scores(figure, data, ["three"], leave=True)
    figure.get_by_role("combobox", name="Scores by").select_option("1")
    check_scores(figure, data, ["three"], table=1, leave=True)
    assert "“three” itself comes at place " in figure.locator(".hw-sentence").text_content()
