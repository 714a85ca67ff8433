"""The figures of chapter 4, operated by mouse and by keyboard."""

import pytest

from tests.browser.figure import amounts, drag, figure_of, numbers

pytestmark = [pytest.mark.book, pytest.mark.browser, pytest.mark.full]

CHAPTER = "book/04-soft-lookup.html"


def shares(figure, selector, style):
    """How far parts reach along their tracks."""
    return figure.locator(selector).evaluate_all(
        f"(all) => all.map((one) => parseFloat(one.style.{style}) / 100)"
    )


def check_bars(figure, case, stop):
    """The values that are printed and drawn; gives those of the first group of bars."""
    tables = figure.locator("table.hw-meters").all()
    shown = [amounts(table.locator(".hw-meter-value")) for table in tables]
    expected = [group["values"][stop] for group in case["groups"]]
    assert shown == [pytest.approx(values, abs=0.0006) for values in expected]
    flat = [value for values in expected for value in values]
    assert shares(figure, ".hw-meter", "width") == pytest.approx(flat, abs=1e-6)
    names = tables[0].locator("th[scope=row]").all_text_contents()
    assert names == case["groups"][0]["labels"]
    return shown[0]


def test_the_keyboard_cools_the_softmax_down_to_a_choice_or_a_tie(chapter):
    figure, data = figure_of(chapter, "bars")
    case, last = data["cases"][0], len(data["stops"]) - 1
    check_bars(figure, case, data["at"])
    slider = figure.get_by_role("slider", name="Temperature")
    slider.press("End")
    assert max(check_bars(figure, case, last)) < 0.25
    assert slider.get_attribute("aria-valuetext") == data["stops"][last]
    slider.press("ArrowLeft")
    check_bars(figure, case, last - 1)
    slider.press("Home")
    assert check_bars(figure, case, 0)[0] == 1
    figure.get_by_role("combobox", name="Scores").select_option(label="a tie at the top")
    assert check_bars(figure, data["cases"][2], 0)[:2] == [0.5, 0.5]
    spread = figure.locator("[data-reading='as if shared evenly by']").text_content()
    assert spread == "2.00 words"


def check_walk(figure, data, surface, method, rate, step):
    x, y = data["walks"][surface][method][rate][step]
    point = figure.locator("[data-reading=point]").text_content()
    assert numbers(point)[:2] == pytest.approx([x, y], abs=0.0006)
    assert figure.locator("[data-reading=loss]").text_content()
    here = figure.locator("circle.hw-here")
    drawn = [float(here.get_attribute(name)) for name in ("cx", "cy")]
    assert drawn == pytest.approx([x, -y], abs=1e-9)
    assert figure.locator("circle.hw-dot").count() == step + 1


def test_the_keyboard_takes_the_steps(chapter):
    figure, data = figure_of(chapter, "descent")
    state = dict(data["start"])
    check_walk(figure, data, **state)
    for state["step"], key in enumerate(("Home", "ArrowRight", "ArrowRight", "ArrowRight")):
        figure.get_by_role("slider", name="Steps taken").press(key)
        check_walk(figure, data, **state)
    for menu, key in (("Surface", "surface"), ("Method", "method")):
        state[key] = len(data[f"{key}s"]) - 1
        figure.get_by_role("combobox", name=menu).select_option(str(state[key]))
        check_walk(figure, data, **state)
    assert figure.locator("path.hw-level").count() == len(data["surfaces"][0]["sizes"])


def test_the_walk_is_dragged_back_to_its_start(chapter):
    figure, data = figure_of(chapter, "descent")
    walk = figure.get_by_role("slider", name="Steps taken")
    x, y = data["walks"][data["start"]["surface"]][data["start"]["method"]][data["start"]["rate"]][
        0
    ]
    unit = figure.locator("svg").bounding_box()["width"] / (2 * data["half"])
    here = figure.locator("circle.hw-here")
    at = [float(here.get_attribute(name)) for name in ("cx", "cy")]
    drag(figure, walk, (x - at[0]) * unit, (-y - at[1]) * unit)
    check_walk(figure, data, **data["start"] | {"step": 0})


def test_a_pulled_bar_turns_the_temperature(chapter):
    figure, data = figure_of(chapter, "bars")
    values = [values[0] for values in data["cases"][0]["groups"][0]["values"]]
    bar = figure.locator(".hw-meter-track").first
    wanted = data["at"] - 3
    right = (values[wanted] - values[data["at"]]) * bar.bounding_box()["width"]
    drag(figure, figure.locator(".hw-grip").first, right)
    slider = figure.get_by_role("slider", name="Temperature")
    assert slider.get_attribute("aria-valuetext") == data["stops"][wanted]


def test_one_rate_more_and_the_walk_runs_away(chapter):
    figure, _ = figure_of(chapter, "descent")
    words = figure.locator("[data-reading=words]")
    assert "close" in words.text_content() or "arrived" in words.text_content()
    figure.get_by_role("slider", name="Learning rate").press("ArrowRight")
    assert words.text_content() == "Each step overshoots, and the walk runs away."
    assert "outside the picture" in figure.locator("[data-reading=point]").text_content()
    figure.get_by_role("combobox", name="Method").select_option(label="Adam")
    assert "runs away" not in words.text_content()
