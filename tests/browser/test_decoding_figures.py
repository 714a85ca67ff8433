"""The figures of chapter 14, operated by mouse and by keyboard."""

import pytest
import torch
from playwright.sync_api import expect

from headway.inference.decoding import Sampling
from tests.browser.figure import announced, figure_of, numbers

pytestmark = [pytest.mark.book, pytest.mark.browser, pytest.mark.full]

CHAPTER = "book/14-decoding.html"


@pytest.fixture
def tree(chapter):
    return figure_of(chapter, "beam_tree")


@pytest.fixture
def cut(chapter):
    return figure_of(chapter, "nucleus")


def words_of(figure, fate):
    """The last words of the beginnings that have met a fate, from top to bottom."""
    return figure.locator(f"td.hw-beam-tree-{fate} > span:first-child").all_text_contents()


def found(figure):
    return figure.locator(".hw-doubt").text_content()


def test_the_tree_shows_every_sentence_and_the_probability_of_its_end(tree):
    figure, data = tree
    total = sum(row["count"] for row in data["rows"])
    rows = figure.locator(".hw-beam-tree tbody tr")
    assert rows.count() == len(data["rows"])
    for row, given in zip(rows.all(), data["rows"], strict=True):
        end = row.locator("td").last
        assert end.locator("span").first.text_content() == data["end"]
        assert numbers(end.locator("small").text_content()) == [given["count"] / total]


def test_two_beams_keep_two_children_of_one_and_end_below_the_likeliest(tree):
    figure, _ = tree
    assert sorted(words_of(figure, "kept")) == ["J'aime", "Je", "apprendre", "étudier"]
    assert "kept: “J'aime apprendre” 0.2, “J'aime étudier” 0.12" in figure.inner_text()
    assert "apprendre" in words_of(figure, "unseen")
    forward = figure.get_by_role("button", name="Next step")
    for _ in range(3):
        forward.click()
    forward.press("Enter")  # once more than there are steps
    assert words_of(figure, "found") == ["J'aime", "étudier", "les", "langues", "(end)"]
    assert found(figure) == (
        "The search has found “J'aime étudier les langues”, 0.12. The likeliest sentence has 0.17."
    )
    assert "found “J'aime étudier les langues”" in announced(figure)
    assert forward.get_attribute("aria-disabled") == "true"


def test_more_beams_and_the_other_rule_find_other_sentences_with_the_keyboard(tree):
    figure, _ = tree
    page = figure.page
    forward = figure.get_by_role("button", name="Next step")
    for _ in range(3):
        forward.press("Enter")
    beams = figure.get_by_role("combobox", name="Beams K")
    expected = {1: "J'aime apprendre les langues”, 0.08", 3: "J'adore apprendre les langues”, 0.17"}
    for K, sentence in expected.items():
        beams.focus()
        page.keyboard.press(str(K))
        for _ in range(5):
            forward.press("Enter")
        assert sentence in found(figure)
    beams.select_option(label="2")
    figure.get_by_role("combobox", name="Keep").select_option(index=1)
    for _ in range(5):
        forward.press("Enter")
    assert "“Je raffole des langues”, 0.11" in found(figure)
    back = figure.get_by_role("button", name="Back")
    for _ in range(6):
        back.press("Enter")
    assert "Nothing is written yet." in figure.inner_text()
    assert back.get_attribute("aria-disabled") == "true"
    assert words_of(figure, "kept") == []


def check_cut(figure, data, one, T=1.0, k=None, p=1.0):
    """The numbers that are shown, against the package's."""
    logits = torch.tensor([data["beginnings"][one]["logits"]], dtype=torch.float64)
    sampling = Sampling(generator=torch.Generator(), temperature=T, top_k=k, top_p=p)
    after = sampling.filtered(logits, torch.zeros(1, 1, dtype=torch.int64)).softmax(-1)[0]
    order = logits[0].sort(descending=True, stable=True).indices[: data["shown"]]
    rows = figure.locator(".hw-nucleus tbody tr").all()
    assert [row.locator("th").text_content() for row in rows] == [data["words"][i] for i in order]
    shown = [row.locator("td").last.text_content() for row in rows]
    values = [0.0 if "<" in text else numbers(text)[0] for text in shown]
    assert values == pytest.approx(after[order].tolist(), abs=6e-4)
    kept = int((after > 0).sum())
    said = figure.locator(".hw-sentence").text_content()
    assert f"”, {kept} of {len(data['words'])} words may be drawn" in said


def test_the_nucleus_is_the_packages_at_first_and_after_another_beginning(cut):
    figure, data = cut
    check_cut(figure, data, 0, p=data["ps"][data["start"]["p"]])
    figure.get_by_role("combobox", name="After").select_option("1")
    check_cut(figure, data, 1, p=data["ps"][data["start"]["p"]])


def test_the_three_sliders_filter_in_order_with_the_keyboard(cut):
    figure, data = cut
    p = figure.get_by_role("slider", name="Top-p")
    p.focus()
    p.press("End")
    check_cut(figure, data, 0)
    p.press("ArrowLeft")
    check_cut(figure, data, 0, p=data["ps"][-2])
    k = figure.get_by_role("slider", name="Top-k")
    k.press("Home")
    for _ in range(3):
        k.press("ArrowRight")
    check_cut(figure, data, 0, k=data["ks"][3], p=data["ps"][-2])
    assert k.get_attribute("aria-valuetext") == str(data["ks"][3])
    T = figure.get_by_role("slider", name="Temperature")
    T.press("Home")
    check_cut(figure, data, 0, T=data["temperatures"][0], k=data["ks"][3], p=data["ps"][-2])
    assert "words may be drawn" in announced(figure)


def test_the_mouse_moves_a_slider(cut):
    figure, data = cut
    slider = figure.get_by_role("slider", name="Top-p")
    box = slider.bounding_box()
    figure.page.mouse.click(box["x"] + 1, box["y"] + box["height"] / 2)
    check_cut(figure, data, 0, p=data["ps"][0])


def test_what_the_drawn_search_drops_fades_one_step_later(chapter):
    figure, data = figure_of(chapter, "stepped")
    dropped = figure.locator(".hw-drawing [data-until='4']")
    expect(dropped).to_have_css("opacity", "0.3")
    back = figure.get_by_role("button", name="Back")
    for _ in range(len(data["steps"]) - 3):
        back.click()
    expect(dropped).to_have_css("opacity", "1")
    figure.get_by_role("button", name="Next").click()
    expect(dropped).to_have_css("opacity", "0.3")
