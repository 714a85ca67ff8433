"""The figures of chapter 3, operated by mouse and by keyboard."""

import pytest

from tests.browser.figure import amounts, announced, figure_of, numbers

pytestmark = [pytest.mark.book, pytest.mark.browser, pytest.mark.full]

CHAPTER = "book/03-skip-bigrams.html"


def check_panels(figure, data, stop, p=0):
    """Numbers, and bars in proportion to them; gives the verdict on each side of the mask."""
    widest = max(x for votes in data["before"] for pair in votes for x in pair)
    verdicts = []
    for kind in ("before", "after"):
        part, votes = figure.locator(f".hw-poll-{kind}"), data[kind][stop][p]
        assert amounts(part.locator(".hw-poll-number")) == pytest.approx(votes, abs=0.006)
        styles = [bar.get_attribute("style") for bar in part.locator(".hw-poll-bar").all()]
        widths = [numbers(style)[0] for style in styles]
        assert widths == pytest.approx([100 * x / widest for x in votes], abs=0.01)
        verdicts.append(part.locator(".hw-poll-verdict").text_content())
    return verdicts


def test_the_slider_moves_the_bars_and_only_those_before_the_mask_go_wrong(chapter):
    figure, data = figure_of(chapter, "vote_bars")
    start = data["start"]
    assert [data[kind][start][0] for kind in ("before", "after")] == [[4, 5], [0, 1]]
    assert all(said.endswith("right.") for said in check_panels(figure, data, start))
    slider = figure.get_by_role("slider", name=data["slider"])
    slider.press("ArrowRight")
    assert slider.get_attribute("aria-valuetext") == "9 of 16"
    said, _ = check_panels(figure, data, start + 1)
    assert said.startswith("A tie at 4.5 of 9 votes")
    assert "A tie" in announced(figure)
    slider.press("ArrowRight")
    said, _ = check_panels(figure, data, start + 2)
    assert said == "“down” leads by 1 of 9 votes: wrong."
    for key, stop in (("End", -1), ("Home", 0)):
        slider.press(key)
        for p, word in ((1, "down"), (0, "please")):
            figure.get_by_role("radio").nth(p).check()
            _, said = check_panels(figure, data, stop, p)
            assert said == f"“{word}” leads by 1 of 1 votes: right."


def test_the_drawing_ends_with_four_against_five_and_behind_the_mask_none_against_one(chapter):
    figure, data = figure_of(chapter, "stepped")
    drawing = figure.locator("svg:not(.hw-upright)")
    said = [drawing.locator(f"[data-step='{n}'] text").all_text_contents() for n in (4, 6)]
    assert [one[:2] for one in said] == [["4", "5"], ["0", "1"]]
    assert figure.get_by_text(data["steps"][3]).count() == 1
