"""The figures of chapter 15, operated by mouse and by keyboard."""

import pytest

from tests.browser.figure import figure_of, number

pytestmark = [pytest.mark.book, pytest.mark.browser, pytest.mark.full]

CHAPTER = "book/15-kv-cache.html"


def readings(figure):
    return {
        part.get_attribute("data-reading"): part.text_content()
        for part in figure.locator("dd[data-reading]").all()
    }


# What of a drawing reaches over its frame.
OUTSIDE = """(chart) => {
  const frame = chart.getBoundingClientRect();
  return [...chart.querySelectorAll("text, path, circle")].filter((part) => {
    const box = part.getBoundingClientRect();
    return box.left < frame.left - 1 || box.right > frame.right + 1
      || box.top < frame.top - 1 || box.bottom > frame.bottom + 1;
  }).map((part) => part.outerHTML);
}"""


def spelled(text, unit):
    return number(text.removesuffix(f" {unit}"))


def test_the_slider_walks_along_the_length(chapter):
    figure, data = figure_of(chapter, "step_cost")
    slider = figure.get_by_role("slider", name="Length")
    menu = figure.get_by_role("combobox", name="Cost of one token")
    for which, cost in enumerate(data["costs"]):
        menu.select_option(str(which))
        slider.focus()
        chapter.keyboard.press("Home")
        for place, length in enumerate(data["lengths"][:3]):
            assert slider.get_attribute("aria-valuetext") == f"{length} tokens"
            shown = readings(figure)
            for name, way in zip(("with the cache", "without"), cost["ways"], strict=True):
                value = spelled(shown[name], cost["unit"])
                assert value == pytest.approx(way[place], rel=0.006, abs=0.5 * (value >= 1000))
            ratio = cost["ways"][1][place] / cost["ways"][0][place]
            assert number(shown["ratio"]) == pytest.approx(ratio, rel=0.006)
            assert f"Token {length}, {cost['name']}" in figure.inner_text()
            chapter.keyboard.press("ArrowRight")


def test_the_curves_stay_inside_the_chart(chapter):
    figure, data = figure_of(chapter, "step_cost")
    for which in range(len(data["costs"])):
        figure.get_by_role("combobox", name="Cost of one token").select_option(str(which))
        outside = figure.locator("svg.hw-step-cost").evaluate(OUTSIDE)
        assert outside == []


def test_a_size_is_typed_and_the_model_is_then_one_s_own(chapter):
    figure, data = figure_of(chapter, "cache_memory")
    model = data["models"][data["start"]]
    heads = figure.get_by_role("spinbutton", name="Key/value heads")
    heads.focus()
    heads.fill("8")
    token = 2 * model["layers"] * 8 * model["width"] * data["items"][0]
    assert number(readings(figure)["bytes a token"]) == token
    heads.fill("7")
    menu = figure.get_by_role("combobox", name="Model")
    assert menu.input_value() == str(len(data["models"]))
    figure.get_by_role("spinbutton", name="Sentences").fill("3")
    figure.get_by_role("combobox", name="Bytes a number").select_option("1")
    token = 2 * model["layers"] * 7 * model["width"] * data["items"][1]
    assert number(readings(figure)["bytes in all"]) == 3 * token * model["length"]


def test_an_empty_or_absurd_size_breaks_nothing(chapter):
    figure, _ = figure_of(chapter, "cache_memory")
    for text in ("", "-5", "0"):
        figure.get_by_role("spinbutton", name="Layers").fill(text)
        assert number(readings(figure)["bytes a token"]) > 0
        assert "NaN" not in figure.inner_text()
        assert "Infinity" not in figure.inner_text()
