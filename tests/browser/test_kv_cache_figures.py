"""The figures of chapter 15, operated by mouse and by keyboard."""

import pytest

from tests.browser.figure import figure_of, number, reaching_out, readings

pytestmark = [pytest.mark.book, pytest.mark.browser, pytest.mark.full]

CHAPTER = "book/15-kv-cache.html"


def test_the_slider_walks_along_the_length_and_the_curves_stay_inside_the_chart(chapter):
    figure, data = figure_of(chapter, "step_cost")
    slider = figure.get_by_role("slider", name="Length")
    for which, cost in enumerate(data["costs"]):
        figure.get_by_role("combobox", name="Cost of one token").select_option(str(which))
        assert reaching_out(figure.locator("svg.hw-chart")) == []
        slider.press("Home")
        for place, length in enumerate(data["lengths"][:3]):
            assert slider.get_attribute("aria-valuetext") == f"{length} tokens"
            shown = readings(figure)
            cached, plain = (way[place] for way in cost["ways"])
            for name, value in (("with the cache", cached), ("without", plain)):
                said = number(shown[name].removesuffix(f" {cost['unit']}"))
                assert said == pytest.approx(value, rel=0.006, abs=0.5 * (value >= 1000))
            assert number(shown["ratio"]) == pytest.approx(plain / cached, rel=0.006)
            assert f"Token {length}, {cost['name']}" in figure.inner_text()
            slider.press("ArrowRight")


def test_a_size_is_typed_and_the_model_is_then_one_s_own(chapter):
    figure, data = figure_of(chapter, "cache_memory")
    model = data["models"][data["start"]]
    heads = figure.get_by_role("spinbutton", name="Key/value heads")
    heads.fill("8")
    token = 2 * model["layers"] * 8 * model["width"] * data["items"][0]
    assert number(readings(figure)["bytes a token"]) == token
    heads.fill("7")
    own = str(len(data["models"]))
    assert figure.get_by_role("combobox", name="Model").input_value() == own
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
