"""The figures of chapter 7, operated by mouse and by keyboard."""

import math

import pytest

from tests.browser.figure import announced, drag, figure_of, numbers

pytestmark = [pytest.mark.book, pytest.mark.browser, pytest.mark.full]

CHAPTER = "book/07-positions.html"


def check_hands(figure, data, position, distance):
    for selector, p in ((".hw-hand", position), (".hw-hand-after", position + distance)):
        ends = figure.locator(selector).evaluate_all(
            "(all) => all.map((one) => [one.x2.baseVal.value / 46, -one.y2.baseVal.value / 46])"
        )
        for end, speed in zip(ends, data["speeds"], strict=True):
            assert end == pytest.approx([math.sin(p * speed), math.cos(p * speed)], abs=1e-3)
    shown = figure.locator(".hw-doubt").last.text_content()
    product = sum(math.cos(distance * speed) for speed in data["speeds"])
    assert numbers(shown)[-1] == pytest.approx(product, abs=0.001)
    assert figure.locator(".hw-sentence").text_content().startswith(f"PE({position}) = ")


def test_the_keyboard_turns_the_hands_and_keeps_their_distance(chapter):
    figure, data = figure_of(chapter, "position_wiggle")
    position = data["position"]
    check_hands(figure, data, position, data["distance"])
    for _ in range(4):
        figure.get_by_role("slider", name="Position p").press("ArrowRight")
    check_hands(figure, data, position + 4, data["distance"])
    figure.get_by_role("slider", name="Distance k").press("End")
    check_hands(figure, data, position + 4, data["farthest"])
    assert f"PE({position + 4})" in announced(figure)


def test_both_places_are_dragged_along_the_text(chapter):
    figure, data = figure_of(chapter, "position_wiggle")
    wide = figure.locator(".hw-wiggle-text").bounding_box()["width"]
    one = wide / (data["last"] + data["farthest"] + 1)
    drag(figure, figure.get_by_role("slider", name="Distance k"), 5 * one)
    check_hands(figure, data, data["position"], data["distance"] + 5)
    drag(figure, figure.get_by_role("slider", name="Position p"), 20 * one)
    check_hands(figure, data, data["position"] + 20, data["distance"] + 5)
    drag(figure, figure.get_by_role("slider", name="Position p"), wide)
    check_hands(figure, data, data["last"], data["distance"] + 5)


def test_a_dragged_hand_moves_the_position(chapter):
    figure, data = figure_of(chapter, "position_wiggle")
    box = figure.locator(".hw-dial svg").first.bounding_box()
    angle, reach = data["position"] * data["speeds"][0], box["width"] / 3

    def move(turn):
        chapter.mouse.move(
            box["x"] + box["width"] / 2 + reach * math.sin(angle + turn),
            box["y"] + box["height"] / 2 - reach * math.cos(angle + turn),
        )

    move(0)
    chapter.mouse.down()
    for step in range(1, 11):
        move(2 * step / 10)
    chapter.mouse.up()
    move(5)  # it was let go, and stays
    check_hands(figure, data, data["position"] + round(2 / data["speeds"][0]), data["distance"])
