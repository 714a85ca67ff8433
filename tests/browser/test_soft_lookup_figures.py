"""The figures of chapter 4, operated by mouse and by keyboard."""

import pytest

from tests.browser.figure import announced, figure_of, numbers

pytestmark = [pytest.mark.book, pytest.mark.browser, pytest.mark.full]

CHAPTER = "book/04-soft-lookup.html"


def values_shown(figure):
    """The printed values of each group of bars."""
    return [
        [
            0.0 if text == "< 0.001" else numbers(text)[0]
            for text in table.locator(".hw-meter-value").all_text_contents()
        ]
        for table in figure.locator("table.hw-meters").all()
    ]


def widths(figure):
    """How long each bar is drawn, as a share of its track."""
    return figure.locator(".hw-meter").evaluate_all(
        "(bars) => bars.map((bar) => parseFloat(bar.style.width) / 100)"
    )


def check_bars(figure, case, stop):
    expected = [group["values"][stop] for group in case["groups"]]
    shown = values_shown(figure)
    assert len(shown) == len(expected)
    for ours, theirs in zip(shown, expected, strict=True):
        assert ours == pytest.approx(theirs, abs=0.0006)
    flat = [value for values in expected for value in values]
    assert widths(figure) == pytest.approx(flat, abs=1e-6)
    assert (
        figure.locator("table.hw-meters").first.locator("th[scope=row]").all_text_contents()
        == (case["groups"][0]["labels"])
    )


@pytest.fixture
def temperature(chapter):
    return figure_of(chapter, "bars", 0)


@pytest.fixture
def mask(chapter):
    return figure_of(chapter, "bars", 1)


@pytest.fixture
def descent(chapter):
    return figure_of(chapter, "descent")


def test_the_keyboard_cools_the_softmax_down_to_a_choice(temperature):
    figure, data = temperature
    check_bars(figure, data["cases"][0], data["at"])
    slider = figure.get_by_role("slider", name="Temperature")
    slider.focus()
    figure.page.keyboard.press("Home")
    check_bars(figure, data["cases"][0], 0)
    assert values_shown(figure)[0][0] == 1
    figure.page.keyboard.press("End")
    check_bars(figure, data["cases"][0], len(data["stops"]) - 1)
    assert max(values_shown(figure)[0]) < 0.25
    assert slider.get_attribute("aria-valuetext") == data["stops"][-1]
    figure.page.keyboard.press("ArrowLeft")
    check_bars(figure, data["cases"][0], len(data["stops"]) - 2)


def test_a_tie_stays_a_tie_at_every_temperature(temperature):
    figure, data = temperature
    figure.get_by_role("combobox", name="Scores").select_option(label="a tie at the top")
    figure.get_by_role("slider", name="Temperature").focus()
    figure.page.keyboard.press("Home")
    check_bars(figure, data["cases"][2], 0)
    assert values_shown(figure)[0][:2] == [0.5, 0.5]
    spread = figure.locator("[data-reading='as if shared evenly by']").text_content()
    assert spread == "2.00 words"


def test_a_click_on_the_slider_moves_the_bars(temperature):
    figure, data = temperature
    box = figure.get_by_role("slider", name="Temperature").bounding_box()
    figure.page.mouse.click(box["x"] + box["width"] - 3, box["y"] + box["height"] / 2)
    last = len(data["stops"]) - 1
    stop = int(figure.get_by_role("slider").input_value())
    assert stop >= last - 2
    check_bars(figure, data["cases"][0], stop)


def test_the_mask_opens_after_training_with_marks_from_before(mask):
    figure, data = mask
    last = len(data["stops"]) - 1
    assert data["at"] == last
    check_bars(figure, data["cases"][0], last)
    ticks = figure.locator(".hw-tick").evaluate_all(
        "(ticks) => ticks.map((tick) => parseFloat(tick.style.left) / 100)"
    )
    before = [v for group in data["cases"][0]["groups"] for v in group["values"][0]]
    assert ticks == pytest.approx(before, abs=1e-6)
    uniform = data["cases"][0]["groups"][0]["values"][0]
    assert max(uniform) - min(uniform) < 1e-4


def test_training_goes_step_by_step_for_another_sentence(mask):
    figure, data = mask
    slider = figure.get_by_role("slider", name="Training step")
    last = len(data["cases"]) - 1
    figure.get_by_role("combobox", name="Sentence").select_option(str(last))
    slider.focus()
    figure.page.keyboard.press("Home")
    check_bars(figure, data["cases"][last], 0)
    for _ in range(3):
        figure.page.keyboard.press("ArrowRight")
    check_bars(figure, data["cases"][last], 3)


def test_a_change_is_announced_and_the_start_is_not(mask):
    figure, data = mask
    assert figure.get_by_role("status").text_content() == ""
    figure.get_by_role("slider", name="Training step").focus()
    figure.page.keyboard.press("Home")
    assert announced(figure).startswith(f"{data['stops'][0]}: most for ")


def check_walk(figure, data, state):
    x, y = data["walks"][state["surface"]][state["method"]][state["rate"]][state["step"]]
    point = figure.locator("[data-reading=point]").text_content()
    assert numbers(point)[:2] == pytest.approx([x, y], abs=0.0006)
    assert figure.locator("[data-reading=loss]").text_content()
    here = figure.locator("circle.hw-here")
    drawn = [float(here.get_attribute(name)) for name in ("cx", "cy")]
    assert drawn == pytest.approx([x, -y], abs=1e-9)
    assert figure.locator("circle.hw-dot").count() == state["step"] + 1


def test_the_keyboard_takes_the_steps(descent):
    figure, data = descent
    state = dict(data["start"])
    check_walk(figure, data, state)
    figure.get_by_role("slider", name="Steps taken").focus()
    figure.page.keyboard.press("Home")
    check_walk(figure, data, state | {"step": 0})
    for step in (1, 2, 3):
        figure.page.keyboard.press("ArrowRight")
        check_walk(figure, data, state | {"step": step})
    for menu, key in (("Surface", "surface"), ("Method", "method")):
        state |= {"step": 3, key: len(data[f"{key}s"]) - 1}
        figure.get_by_role("combobox", name=menu).select_option(str(state[key]))
        check_walk(figure, data, state)
    assert figure.locator("path.hw-level").count() == len(data["surfaces"][0]["sizes"])


def test_one_rate_more_and_the_walk_runs_away(descent):
    figure, _ = descent
    words = figure.locator("[data-reading=words]")
    assert "close" in words.text_content() or "arrived" in words.text_content()
    figure.get_by_role("slider", name="Learning rate").focus()
    figure.page.keyboard.press("ArrowRight")
    assert words.text_content() == "Each step overshoots, and the walk runs away."
    assert "outside the picture" in figure.locator("[data-reading=point]").text_content()
    figure.get_by_role("combobox", name="Method").select_option(label="Adam")
    assert "runs away" not in words.text_content()
