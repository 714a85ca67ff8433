"""The figures of chapter 3, operated by mouse and by keyboard."""

import re

import pytest

from tests.browser.figure import announced, figure_of, numbers, sums

pytestmark = [pytest.mark.book, pytest.mark.browser, pytest.mark.full]

CHAPTER = "book/03-skip-bigrams.html"


@pytest.fixture
def table(chapter):
    return figure_of(chapter, "vote_table")


@pytest.fixture
def bars(chapter):
    return figure_of(chapter, "vote_bars")


def votes_of(data, prefix, on):
    """What the features that are present and switched on give together."""
    voting = [
        row
        for row, here, may in zip(data["votes"], data["present"][prefix], on, strict=True)
        if here and may
    ]
    return [sum(row[w] for row in voting) for w in range(len(data["words"]))]


def switch(figure, name):
    return figure.get_by_role("checkbox", name=f"{name} may vote")


def verdict(figure):
    return figure.locator(".hw-verdict-line").text_content()


def panel(figure, kind):
    """Numbers, widths in percent, and the verdict of one side of the mask."""
    part = figure.locator(f".hw-poll-{kind}")
    shown = [numbers(text)[0] for text in part.locator(".hw-poll-number").all_text_contents()]
    styles = [bar.get_attribute("style") for bar in part.locator(".hw-poll-bar").all()]
    widths = [numbers(style)[0] for style in styles]
    return shown, widths, part.locator(".hw-poll-verdict").text_content()


def test_it_starts_with_four_against_five(table):
    figure, _ = table
    assert sums(figure) == [4, 5]
    assert figure.locator("tr.hw-lit").count() == 9
    assert verdict(figure) == "“please” leads by 1 of 9 votes: right."


def test_a_switched_off_feature_votes_no_more_and_the_sums_follow(table):
    figure, data = table
    on = [True] * len(data["features"])
    for name in ("the … ran", "program … ran", "battery … ran"):
        on[data["features"].index(name)] = False
        switch(figure, name).uncheck()
        assert sums(figure) == pytest.approx(votes_of(data, 0, on))
    assert verdict(figure).startswith("A tie at 3.5 of 7 votes")
    figure.locator("label", has_text="program … ran").click()  # the label switches, too
    assert sums(figure) == [3.5, 4.5]


def test_only_what_informs_leaves_one_vote_for_both_sentences(table):
    figure, data = table
    figure.get_by_role("button", name="Only those that inform").click()
    assert sums(figure) == votes_of(data, 0, data["mask"]) == [0, 1]
    assert figure.locator("input:checked[type=checkbox]").count() == 2
    figure.get_by_role("radio", name=re.compile("battery log")).check()
    assert sums(figure) == votes_of(data, 1, data["mask"]) == [1, 0]
    assert verdict(figure) == "“down” leads by 1 of 1 votes: right."
    figure.get_by_role("button", name="Switch all off").click()
    assert sums(figure) == [0, 0]
    assert verdict(figure).startswith("Nothing votes")
    figure.get_by_role("button", name="Switch all on").click()
    assert sums(figure) == [5, 4]


def test_the_keyboard_switches_features_and_chooses_the_sentence(table):
    figure, _ = table
    press = figure.page.keyboard.press
    switch(figure, "check … ran").focus()
    press("Space")
    press("Tab")
    press("Space")
    assert sums(figure) == [3, 4]
    press("Space")
    assert sums(figure) == [3.5, 4.5]
    figure.get_by_role("radio").first.focus()
    press("ArrowDown")
    assert sums(figure) == [4.5, 3.5]
    press("Tab")
    press("Enter")  # the button that switches all on
    assert sums(figure) == [5, 4]


def test_a_switch_is_announced_and_the_start_is_not(table):
    figure, _ = table
    assert figure.get_by_role("status").text_content() == ""
    switch(figure, "program … ran").uncheck()
    assert announced(figure).startswith("down 4, please 4. A tie")


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
