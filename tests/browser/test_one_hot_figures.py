"""The figures of chapter 1, operated by mouse and by keyboard."""

import math

import pytest

from tests.browser.figure import amounts, drag, expect_announced, figure_of, numbers, readings

pytestmark = [pytest.mark.book, pytest.mark.browser]

CHAPTER = "book/01-one-hot.html"


def check_sums(figure, expected):
    assert amounts(figure.locator("tfoot td")) == pytest.approx(expected, abs=0.006)


def test_a_click_on_a_word_brings_its_row(chapter):
    figure, data = figure_of(chapter, "row_lookup")
    for i in (2, 0, len(data["words"]) - 1):
        figure.get_by_role("button", name=data["words"][i]).click()
        check_sums(figure, data["table"][i])
        assert figure.locator("tr.hw-lit").count() == 1
        assert figure.get_by_role("combobox", name="Word").first.input_value() == str(i)
    expect_announced(figure, f"{data['words'][-1]}: out comes")


def test_the_keyboard_chooses_a_word_and_lets_two_share_the_weight(chapter):
    figure, data = figure_of(chapter, "row_lookup")
    table, first = data["table"], data["first"]
    figure.get_by_role("button", name=data["words"][first]).focus()
    for key, row in (("ArrowDown", (first + 1) % len(table)), ("ArrowUp", first)):
        chapter.keyboard.press(key)
        check_sums(figure, table[row])
    slider = figure.get_by_role("slider", name="Weight of the second word")
    assert not slider.is_visible()
    figure.get_by_role("radio", name="one word").press("ArrowRight")
    slider.press("Home")
    for _ in range(5):
        slider.press("ArrowRight")
    pairs = zip(table[first], table[data["second"]], strict=True)
    check_sums(figure, [0.75 * x + 0.25 * y for x, y in pairs])
    assert figure.locator("tr.hw-lit").count() == 2
    figure.get_by_role("radio", name="one word").check()
    figure.get_by_role("combobox", name="Word").first.press("End")
    check_sums(figure, table[-1])


def test_the_keyboard_turns_the_arrow_and_changes_its_length(chapter):
    figure, data = figure_of(chapter, "dot_product")
    before, length = readings(figure), math.hypot(*data["b"])
    product, a = numbers(before["places"])[-1], math.hypot(*data["a"])
    tip = figure.get_by_role("slider", name="Angle from a to b, and length of b")
    for _ in range(40):
        tip.press("ArrowDown")
    assert numbers(readings(figure)["places"])[-1] == 0
    assert readings(figure)["cosine"] == "not defined"
    for _ in range(40):
        tip.press("ArrowUp")
    longer = numbers(readings(figure)["places"])[-1]
    assert longer == pytest.approx(product * data["longest"] / length, abs=0.02)
    assert readings(figure)["cosine"] == before["cosine"]
    tip.press("Home")
    for cosine, words in ((-1, "opposite"), (0, "perpendicular"), (1, "same direction")):
        shown = readings(figure)
        assert shown["words"] == words
        expected = pytest.approx(cosine * a * data["longest"], abs=0.006)
        assert numbers(shown["places"])[-1] == numbers(shown["angle"])[-1] == expected
        for _ in range(6):
            tip.press("PageUp")


def test_the_mouse_drags_the_arrow(chapter):
    figure, data = figure_of(chapter, "dot_product")
    tip, drawing = (
        part.bounding_box() for part in (figure.get_by_role("slider"), figure.locator("svg"))
    )
    # Straight to the left of the middle: against a's horizontal part.
    right = drawing["x"] + drawing["width"] / 4 - tip["x"] - tip["width"] / 2
    down = drawing["y"] + drawing["height"] / 2 - tip["y"] - tip["height"] / 2
    drag(figure, figure.get_by_role("slider"), right, down)
    a, b, angle, product = numbers(readings(figure)["angle"])
    heading = math.degrees(math.atan2(data["a"][1], data["a"][0]))
    assert angle == pytest.approx(180 - heading, abs=2)
    assert product == pytest.approx(a * b * math.cos(math.radians(angle)), abs=0.1)
