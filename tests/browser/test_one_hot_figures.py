"""The figures of chapter 1, operated by mouse and by keyboard."""

import math

import pytest

from tests.browser.figure import announced, figure_of, numbers, sums

pytestmark = [pytest.mark.book, pytest.mark.browser]

CHAPTER = "book/01-one-hot.html"


@pytest.fixture
def lookup(chapter):
    return figure_of(chapter, "row_lookup")


@pytest.fixture
def arrows(chapter):
    return figure_of(chapter, "dot_product")


def readings(figure):
    """The figure's numbers by name; the last number is the result."""
    return {
        part.get_attribute("data-reading"): part.text_content()
        for part in figure.locator("dd").all()
    }


def test_a_click_on_a_word_brings_its_row(lookup):
    figure, data = lookup
    for i in (2, 0, len(data["words"]) - 1):
        figure.get_by_role("button", name=data["words"][i]).click()
        assert sums(figure) == pytest.approx(data["table"][i], abs=0.006)
        assert figure.locator("tr.hw-lit").count() == 1
        assert figure.get_by_role("combobox", name="Word").first.input_value() == str(i)


def test_the_arrow_keys_choose_a_word(lookup):
    figure, data = lookup
    page, first = figure.page, data["first"]
    figure.get_by_role("button", name=data["words"][first]).focus()
    page.keyboard.press("ArrowDown")
    after = (first + 1) % len(data["words"])
    assert sums(figure) == pytest.approx(data["table"][after], abs=0.006)
    page.keyboard.press("ArrowUp")
    assert sums(figure) == pytest.approx(data["table"][first], abs=0.006)

    select = figure.get_by_role("combobox", name="Word").first
    select.focus()
    page.keyboard.press("End")
    assert sums(figure) == pytest.approx(data["table"][-1], abs=0.006)


def test_two_words_share_the_weight(lookup):
    figure, data = lookup
    page = figure.page
    assert not figure.get_by_role("slider").is_visible()
    figure.get_by_role("radio", name="one word").focus()
    page.keyboard.press("ArrowRight")
    slider = figure.get_by_role("slider", name="Weight of the second word")
    slider.focus()
    page.keyboard.press("Home")
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    one, other = data["table"][data["first"]], data["table"][data["second"]]
    expected = [0.75 * x + 0.25 * y for x, y in zip(one, other, strict=True)]
    assert sums(figure) == pytest.approx(expected, abs=0.006)
    assert figure.locator("tr.hw-lit").count() == 2

    figure.get_by_role("radio", name="one word").check()
    assert sums(figure) == pytest.approx(one, abs=0.006)


def test_a_change_is_announced_and_the_start_is_not(lookup):
    figure, data = lookup
    assert figure.get_by_role("status").text_content() == ""
    figure.get_by_role("button", name=data["words"][2]).click()
    assert announced(figure).startswith(f"{data['words'][2]}: out comes")


def test_the_keyboard_turns_the_arrow(arrows):
    figure, data = arrows
    page = figure.page
    a, b = (math.hypot(*data[name]) for name in "ab")
    angle = figure.get_by_role("slider", name="Angle from a to b")
    angle.focus()
    page.keyboard.press("Home")
    shown = readings(figure)
    assert shown["words"] == "opposite"
    assert numbers(shown["places"])[-1] == pytest.approx(-a * b, abs=0.006)
    assert numbers(shown["cosine"])[-1] == -1
    for _ in range(90):
        page.keyboard.press("ArrowRight")
    shown = readings(figure)
    assert shown["words"] == "perpendicular"
    assert numbers(shown["places"])[-1] == 0
    for _ in range(90):
        page.keyboard.press("ArrowRight")
    shown = readings(figure)
    assert shown["words"] == "same direction"
    assert numbers(shown["angle"])[-1] == pytest.approx(a * b, abs=0.006)


def test_length_doubles_the_product_and_leaves_the_cosine(arrows):
    figure, data = arrows
    before = readings(figure)
    figure.get_by_role("slider", name="Length of b").focus()
    figure.page.keyboard.press("Home")
    assert numbers(readings(figure)["places"])[-1] == 0
    assert readings(figure)["cosine"] == "not defined"
    figure.page.keyboard.press("End")
    after = readings(figure)
    factor = data["longest"] / math.hypot(*data["b"])
    assert factor == pytest.approx(2, abs=0.05)
    expected = numbers(before["places"])[-1] * factor
    assert numbers(after["places"])[-1] == pytest.approx(expected, abs=0.02)
    assert after["cosine"] == before["cosine"]


def test_the_mouse_moves_the_slider_and_drags_the_arrow(arrows):
    figure, data = arrows
    page = figure.page
    a = math.hypot(*data["a"])
    box = figure.get_by_role("slider", name="Angle from a to b").bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.5, box["y"] + box["height"] / 2)
    near_zero = numbers(readings(figure)["angle"])
    assert abs(near_zero[2]) <= 6
    assert near_zero[3] == pytest.approx(
        near_zero[0] * near_zero[1] * math.cos(math.radians(near_zero[2])), abs=0.05
    )

    tip = figure.locator("circle.hw-handle").bounding_box()
    drawing = figure.locator("svg").bounding_box()
    page.mouse.move(tip["x"] + tip["width"] / 2, tip["y"] + tip["height"] / 2)
    page.mouse.down()
    # Straight to the left of the middle: against a's horizontal part.
    page.mouse.move(drawing["x"] + 0.25 * drawing["width"], drawing["y"] + drawing["height"] / 2)
    page.mouse.up()
    shown = readings(figure)
    dragged = numbers(shown["angle"])
    heading = math.degrees(math.atan2(data["a"][1], data["a"][0]))
    assert dragged[2] == pytest.approx(180 - heading, abs=2)
    assert dragged[3] == pytest.approx(a * dragged[1] * math.cos(math.radians(dragged[2])), abs=0.1)
