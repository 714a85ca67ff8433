"""The figures of chapter 3, operated by mouse and by keyboard."""

import pytest

from tests.browser.figure import announced, figure_of, numbers

pytestmark = [pytest.mark.book, pytest.mark.browser, pytest.mark.full]

CHAPTER = "book/03-skip-bigrams.html"


@pytest.fixture
def bars(chapter):
    return figure_of(chapter, "vote_bars")


@pytest.fixture
def drawing(chapter):
    return figure_of(chapter, "stepped")


def panel(figure, kind):
    """Numbers, widths in percent, and the verdict of one side of the mask."""
    part = figure.locator(f".hw-poll-{kind}")
    shown = [numbers(text)[0] for text in part.locator(".hw-poll-number").all_text_contents()]
    styles = [bar.get_attribute("style") for bar in part.locator(".hw-poll-bar").all()]
    widths = [numbers(style)[0] for style in styles]
    return shown, widths, part.locator(".hw-poll-verdict").text_content()


def test_the_bars_start_with_both_sides_of_the_mask(bars):
    figure, data = bars
    for kind, expected in (("before", [4, 5]), ("after", [0, 1])):
        shown, widths, said = panel(figure, kind)
        assert shown == data[kind][data["start"]][0] == expected
        widest = max(x for stop in data["before"] for pair in stop for x in pair)
        assert widths == pytest.approx([100 * x / widest for x in expected], abs=0.01)
        assert said.endswith("right.")


def test_the_slider_moves_the_bars_and_only_those_before_the_mask_go_wrong(bars):
    figure, data = bars
    slider = figure.get_by_role("slider", name=data["slider"])
    slider.focus()
    press = figure.page.keyboard.press
    press("ArrowRight")
    assert slider.get_attribute("aria-valuetext") == "9 of 16"
    assert panel(figure, "before")[2].startswith("A tie at 4.5 of 9 votes")
    press("ArrowRight")
    shown, _, said = panel(figure, "before")
    assert shown == data["before"][data["start"] + 2][0]
    assert said == "“down” leads by 1 of 9 votes: wrong."
    for key, stop in (("End", len(data["stops"]) - 1), ("Home", 0)):
        press(key)
        for p in range(2):
            figure.get_by_role("radio").nth(p).check()
            for kind in ("before", "after"):
                assert panel(figure, kind)[0] == pytest.approx(data[kind][stop][p], abs=0.006)
            assert panel(figure, "after")[2] in (
                "“please” leads by 1 of 1 votes: right.",
                "“down” leads by 1 of 1 votes: right.",
            )
        figure.get_by_role("radio").first.check()
        slider.focus()


def test_the_mouse_moves_the_slider(bars):
    figure, data = bars
    box = figure.get_by_role("slider").bounding_box()
    figure.page.mouse.click(box["x"] + box["width"] - 3, box["y"] + box["height"] / 2)
    assert panel(figure, "before")[0] == pytest.approx(data["before"][-1][0], abs=0.006)
    assert "wrong" in panel(figure, "before")[2]
    assert "right" in panel(figure, "after")[2]


def test_a_moved_slider_is_announced_and_the_start_is_not(bars):
    figure, _ = bars
    assert figure.get_by_role("status").text_content() == ""
    figure.get_by_role("slider").focus()
    figure.page.keyboard.press("ArrowRight")
    assert "A tie" in announced(figure)


def test_the_drawing_ends_with_four_against_five_and_behind_the_mask_none_against_one(drawing):
    figure, data = drawing
    said = [figure.locator(f"[data-step='{n}'] text").all_text_contents() for n in (4, 6)]
    assert said[0] == ["4", "5"]
    assert said[1][-2:] == ["0", "1"]
    assert figure.get_by_text(data["steps"][3]).count() == 1
