"""The figures of chapter 14, operated by mouse and by keyboard."""

import pytest
import torch
from playwright.sync_api import expect

from headway.inference.decoding import Sampling
from tests.browser.figure import amounts, announced, drag, figure_of

pytestmark = [pytest.mark.book, pytest.mark.browser, pytest.mark.full]

CHAPTER = "book/14-decoding.html"


def words_of(figure, fate):
    """The last words of the beginnings that have met a fate, from top to bottom."""
    return figure.locator(f"td.hw-beam-tree-{fate} > span:first-child").all_text_contents()


def test_two_beams_keep_two_children_of_one_and_end_below_the_likeliest(chapter):
    figure, data = figure_of(chapter, "beam_tree")
    total = sum(row["count"] for row in data["rows"])
    ends = figure.locator(".hw-beam-tree tbody tr td:last-child small")
    assert amounts(ends) == [row["count"] / total for row in data["rows"]]
    assert sorted(words_of(figure, "kept")) == ["J'aime", "Je", "apprendre", "étudier"]
    assert "kept: “J'aime apprendre” 0.2, “J'aime étudier” 0.12" in figure.inner_text()
    assert "apprendre" in words_of(figure, "unseen")
    forward = figure.get_by_role("button", name="Next step")
    for _ in range(3):
        forward.click()
    forward.press("Enter")  # once more than there are steps
    assert forward.get_attribute("aria-disabled") == "true"
    assert words_of(figure, "found") == ["J'aime", "étudier", "les", "langues", "(end)"]
    found = "found “J'aime étudier les langues”, 0.12. The likeliest sentence has 0.17."
    assert found in figure.locator(".hw-doubt").text_content()
    assert "found “J'aime étudier les langues”" in announced(figure)


def test_more_beams_and_the_other_rule_find_other_sentences_with_the_keyboard(chapter):
    figure, _ = figure_of(chapter, "beam_tree")
    for beams, rule, found in (
        ("1", 0, "“J'aime apprendre les langues”, 0.08"),
        ("3", 0, "“J'adore apprendre les langues”, 0.17"),
        ("2", 1, "“Je raffole des langues”, 0.11"),
    ):
        figure.get_by_role("combobox", name="Keep").select_option(index=rule)
        figure.get_by_role("combobox", name="Beams K").press(beams)
        for _ in range(5):
            figure.get_by_role("button", name="Next step").press("Enter")
        assert found in figure.locator(".hw-doubt").text_content()
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
    table = figure.locator(".hw-meter-table tbody")
    assert table.locator("th").all_text_contents() == [data["words"][i] for i in order]
    shown = amounts(table.locator("td:last-child"))
    assert shown == pytest.approx(after[order].tolist(), abs=6e-4)
    said = figure.locator(".hw-sentence").text_content()
    assert f"”, {int((after > 0).sum())} of {len(data['words'])} words may be drawn" in said


def test_the_nucleus_is_the_packages_at_first_and_as_the_mouse_changes_it(chapter):
    figure, data = figure_of(chapter, "nucleus")
    check_cut(figure, data, 0, p=data["ps"][data["start"]["p"]])
    figure.get_by_role("combobox", name="After").select_option("1")
    check_cut(figure, data, 1, p=data["ps"][data["start"]["p"]])
    rows = figure.locator(".hw-meter-table tbody tr")
    below = rows.first.bounding_box()["height"]
    cut = figure.get_by_role("slider", name="Top-p")
    place = cut.bounding_box()["y"] + cut.bounding_box()["height"] / 2
    drag(figure, cut, 0, rows.first.bounding_box()["y"] + below - place)
    check_cut(figure, data, 1, p=data["ps"][0])


def test_line_and_sliders_filter_in_order_with_the_keyboard(chapter):
    figure, data = figure_of(chapter, "nucleus")
    T, k, p = (figure.get_by_role("slider", name=n) for n in ("Temperature", "Top-k", "Top-p"))
    p.press("End")
    check_cut(figure, data, 0)
    p.press("ArrowLeft")
    for key in ("Home", "ArrowRight", "ArrowRight", "ArrowRight"):
        k.press(key)
    check_cut(figure, data, 0, k=data["ks"][3], p=data["ps"][-2])
    assert k.get_attribute("aria-valuetext") == str(data["ks"][3])
    T.press("Home")
    check_cut(figure, data, 0, T=data["temperatures"][0], k=data["ks"][3], p=data["ps"][-2])
    assert "words may be drawn" in announced(figure)


def test_what_the_drawn_search_drops_fades_one_step_later(chapter):
    figure, data = figure_of(chapter, "stepped")
    dropped = figure.locator("svg:not(.hw-upright) [data-until='4']")
    expect(dropped).to_have_css("opacity", "0.3")
    for _ in range(len(data["steps"]) - 3):
        figure.get_by_role("button", name="Back").click()
    expect(dropped).to_have_css("opacity", "1")
    figure.get_by_role("button", name="Next").click()
    expect(dropped).to_have_css("opacity", "0.3")
