"""The figures of chapter 13 but the translator itself, operated by mouse and by keyboard."""

import re

import pytest

from tests.browser.figure import figure_of, number, readings

pytestmark = [pytest.mark.book, pytest.mark.browser]

CHAPTER = "book/13-translator.html"


def test_the_slider_walks_along_the_schedule(chapter):
    figure, data = figure_of(chapter, "schedule_curves")
    slider = figure.get_by_role("slider", name="Step")
    slider.press("Home")
    assert "Step 1: the rate is" in figure.inner_text()
    assert slider.get_attribute("aria-valuetext") == "step 1"
    slider.press("End")
    rates = data["rates"][data["width"]]
    shown = figure.locator(".hw-sentence").text_content()
    rate = number(re.search(r"rate is (0\.\d+)", shown)[1])
    assert rate == pytest.approx(rates[data["warmup"]][-1], abs=6e-6)
    assert "falls" in shown
    figure.get_by_role("combobox", name="Warm-up").select_option(label="8000 steps")
    shown = figure.locator(".hw-doubt").text_content()
    peak = number(re.search(r"peak, (0\.\d+).*at step 8000", shown)[1])
    assert peak == pytest.approx(max(rates[2]), abs=6e-6)


def test_a_longer_source_changes_the_cross_weights_and_not_the_logits(chapter):
    figure, data = figure_of(chapter, "shape_tracker")
    sizes, most = data["models"][0]["sizes"], data["most"]["S"]

    def check(shape, *numbers):
        shown = readings(figure)
        assert shown["shape"] == shape
        assert shown["in numbers"] == f"({', '.join(f'{n:,}' for n in numbers)})"

    check("(B, H, T, S)", 2, sizes["H"], 20, 10)
    figure.get_by_role("slider", name="Source tokens S").press("End")
    check("(B, H, T, S)", 2, sizes["H"], 20, most)
    figure.get_by_role("button", name="logits").click()
    check("(B, T, V)", 2, 20, sizes["V"])
    pressed = figure.locator("button[aria-pressed=true]")
    pressed.focus()
    for _ in data["stages"]:
        chapter.keyboard.press("ArrowUp")
    check("(B, S)", 2, most)
    assert pressed.count() == 1
    figure.get_by_role("combobox", name="Model").select_option(label="paper, big")
    figure.get_by_role("button", name="memory").click()
    check("(B, S, C)", 2, most, 1024)
    assert readings(figure)["numbers in all"] == f"{2 * most * 1024:,}"
