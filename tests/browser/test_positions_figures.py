"""The figures of chapter 7, operated by mouse and by keyboard."""

import math

import pytest

from tests.browser.figure import announced, figure_of, numbers

pytestmark = [pytest.mark.book, pytest.mark.browser, pytest.mark.full]

CHAPTER = "book/07-positions.html"


@pytest.fixture
def wiggle(chapter):
    return figure_of(chapter, "position_wiggle")


@pytest.fixture
def schemes(chapter):
    return figure_of(chapter, "position_schemes")


def check_hands(figure, data, position, distance):
    for selector, p in ((".hw-hand", position), (".hw-hand-after", position + distance)):
        ends = figure.locator(selector).evaluate_all(
            "(lines) => lines.map((line) => [line.x2.baseVal.value, -line.y2.baseVal.value])"
        )
        for (x, y), speed in zip(ends, data["speeds"], strict=True):
            assert (x / 46, y / 46) == pytest.approx(
                (math.sin(p * speed), math.cos(p * speed)), abs=1e-3
            )
    shown = figure.locator(".hw-doubt").last.text_content()
    product = sum(math.cos(distance * speed) for speed in data["speeds"])
    assert numbers(shown)[-1] == pytest.approx(product, abs=0.001)
    assert figure.locator(".hw-sentence").text_content().startswith(f"PE({position}) = ")


def test_the_keyboard_turns_the_hands_and_keeps_their_distance(wiggle):
    figure, data = wiggle
    position, distance = data["position"], data["distance"]
    check_hands(figure, data, position, distance)
    figure.get_by_role("slider", name="Position p").focus()
    for _ in range(4):
        figure.page.keyboard.press("ArrowRight")
    check_hands(figure, data, position + 4, distance)
    figure.get_by_role("slider", name="Distance k").focus()
    figure.page.keyboard.press("End")
    check_hands(figure, data, position + 4, data["farthest"])
    assert f"PE({position + 4})" in announced(figure)


def test_a_dragged_hand_moves_the_position(wiggle):
    figure, data = wiggle
    mouse, dial = figure.page.mouse, figure.locator(".hw-dial svg").first
    box = dial.bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    angle, reach = data["position"] * data["speeds"][0], box["width"] / 3

    def point(turn):
        return (
            middle[0] + reach * math.sin(angle + turn),
            middle[1] - reach * math.cos(angle + turn),
        )

    mouse.move(*point(0))
    mouse.down()
    for step in range(1, 11):
        mouse.move(*point(2 * step / 10))
    mouse.up()
    mouse.move(*point(5))  # it was let go, and stays
    check_hands(figure, data, data["position"] + round(2 / data["speeds"][0]), data["distance"])


def check_scheme(figure, data, scheme, position):
    given = data["schemes"][scheme]
    assert figure.locator(".hw-scheme-map g rect").count() == len(given["values"]) * len(
        given["values"][0]
    )
    said = figure.locator(".hw-sentence").text_content()
    assert said.startswith(f"Position {position}: ")
    scores = given["scores"][position]
    near = [s for s in (position - 1, position, position + 1) if 0 <= s < len(scores)]
    assert numbers(said)[1::2] == pytest.approx([scores[s] for s in near], abs=0.006)
    assert figure.locator(".hw-scheme-other").count() == len(scores)


def test_the_keyboard_chooses_a_scheme_and_a_position(schemes):
    figure, data = schemes
    check_scheme(figure, data, data["scheme"], data["position"])
    figure.get_by_role("combobox", name="Scheme").focus()
    figure.page.keyboard.press("ArrowDown")
    check_scheme(figure, data, data["scheme"] + 1, data["position"])
    figure.get_by_role("slider", name="Position p").focus()
    figure.page.keyboard.press("End")
    check_scheme(figure, data, data["scheme"] + 1, len(data["schemes"][0]["values"]) - 1)
    figure.page.keyboard.press("Home")
    check_scheme(figure, data, data["scheme"] + 1, 0)
    assert data["schemes"][data["scheme"] + 1]["name"] in announced(figure)


def test_each_scheme_says_whether_only_the_distance_counts(schemes):
    figure, data = schemes
    says = {"sinusoidal": "only the distance", "learned, trained": "the place counts",
            "relative bias, trained": "only the distance", "none": "no order"}  # fmt: skip
    names = [scheme["name"] for scheme in data["schemes"]]
    for name, words in says.items():
        figure.get_by_role("combobox", name="Scheme").select_option(label=name)
        check_scheme(figure, data, names.index(name), data["position"])
        assert words in figure.locator(".hw-doubt").text_content()


def test_a_click_on_a_row_moves_the_position(schemes):
    figure, data = schemes
    size = len(data["schemes"][0]["values"])
    for position in (0, size - 1, 3):
        box = figure.locator(".hw-scheme-map").bounding_box()
        y = (8 + 220 * (position + 0.5) / size) / 264 * box["height"]
        figure.locator(".hw-scheme-map").click(position={"x": box["width"] / 2, "y": y})
        check_scheme(figure, data, data["scheme"], position)
