"""The figures of chapter 10, operated by mouse and by keyboard."""

import pytest

from tests.browser.figure import announced, figure_of

pytestmark = [pytest.mark.book, pytest.mark.browser, pytest.mark.full]

CHAPTER = "book/10-block.html"


def parts(figure):
    """The names in the drawing, from left to right."""
    return figure.locator(".hw-block-drawing .hw-block-name").all_text_contents()


def test_the_block_of_today_and_its_curve_are_rebuilt_by_mouse(chapter):
    figure, data = figure_of(chapter, "block_switches")
    assert parts(figure) == ["norm", "attention", "+", "norm", "feed-forward", "+"]
    curve = data["measures"][0]["values"][0][0][0]
    path = figure.locator(".hw-chart-line").get_attribute("d")
    drawn = [float(point.split(" ")[1]) for point in path[1:].split("L")]  # upwards is less
    order = sorted(range(len(drawn)), key=lambda depth: -curve[depth])
    assert len(drawn) == len(curve)
    assert [drawn[depth] for depth in order] == sorted(drawn)
    figure.get_by_role("combobox", name="Skip connections").select_option("without")
    figure.get_by_role("combobox", name="Norm").select_option("none")
    assert parts(figure) == ["attention", "feed-forward"]
    assert figure.locator(".hw-chart-line").get_attribute("d") != path
    assert announced(figure) == figure.locator(".hw-sentence").text_content()


def test_the_keyboard_chooses_another_norm_curve_and_activation(chapter):
    figure, data = figure_of(chapter, "block_switches")
    figure.get_by_role("combobox", name="Norm").press("ArrowDown")
    assert parts(figure)[:3] == ["attention", "+", "norm"]
    figure.get_by_role("combobox", name="Curve").press("ArrowDown")
    assert figure.locator(".hw-sentence").text_content().startswith(data["measures"][1]["name"])
    activation = figure.locator(".hw-block-drawing .hw-block-inside")
    for key, name in (("End", data["activations"][-1]), ("Home", data["activations"][0])):
        figure.get_by_role("combobox", name="Activation").press(key)
        assert activation.text_content() == name
