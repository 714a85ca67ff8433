"""The figures of chapter 10, operated by mouse and by keyboard."""

import pytest

from tests.browser.figure import announced, figure_of

pytestmark = [pytest.mark.book, pytest.mark.browser, pytest.mark.full]

CHAPTER = "book/10-block.html"


def parts(figure):
    """The names in the drawing, from left to right."""
    return figure.locator(".hw-block-drawing .hw-block-name").all_text_contents()


def activation(figure):
    return figure.locator(".hw-block-drawing .hw-block-inside").text_content()


def path(figure):
    return figure.locator(".hw-block-line").get_attribute("d")


def heights(figure):
    """How high the points of the curve are drawn; upwards is less."""
    return [float(point.split(" ")[1]) for point in path(figure)[1:].split("L")]


def test_it_opens_with_the_block_of_today_and_its_curve(chapter):
    figure, data = figure_of(chapter, "block_switches")
    assert parts(figure) == ["norm", "attention", "+", "norm", "feed-forward", "+"]
    assert activation(figure) == data["activations"][0]
    curve = data["measures"][0]["values"][0][0][0]
    drawn = heights(figure)
    assert len(drawn) == len(curve)
    order = sorted(range(len(curve)), key=lambda depth: -curve[depth])
    assert [drawn[depth] for depth in order] == sorted(drawn)


def test_a_choice_by_mouse_rebuilds_the_block(chapter):
    figure, _ = figure_of(chapter, "block_switches")
    before = path(figure)
    figure.get_by_role("combobox", name="Skip connections").select_option("without")
    figure.get_by_role("combobox", name="Norm").select_option("none")
    assert parts(figure) == ["attention", "feed-forward"]
    assert path(figure) != before
    assert announced(figure) == figure.locator(".hw-sentence").text_content()


def test_the_keyboard_chooses_another_norm_and_another_curve(chapter):
    figure, data = figure_of(chapter, "block_switches")
    figure.get_by_role("combobox", name="Norm").focus()
    chapter.keyboard.press("ArrowDown")
    assert parts(figure)[:3] == ["attention", "+", "norm"]
    figure.get_by_role("combobox", name="Curve").focus()
    chapter.keyboard.press("ArrowDown")
    assert figure.locator(".hw-sentence").text_content().startswith(data["measures"][1]["name"])


def test_without_an_activation_the_drawing_says_so(chapter):
    figure, data = figure_of(chapter, "block_switches")
    figure.get_by_role("combobox", name="Activation").focus()
    chapter.keyboard.press("End")
    assert activation(figure) == data["activations"][-1]
