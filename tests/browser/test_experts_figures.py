"""The drawing of chapter 18, walked step by step."""

import pytest

from tests.browser.figure import figure_of

pytestmark = [pytest.mark.book, pytest.mark.browser, pytest.mark.full]

CHAPTER = "book/18-experts.html"
LINES = ".hw-drawing svg:not(.hw-upright) [data-step='{}']:not(.hw-later) .hw-line"


def test_one_token_goes_to_its_experts_first_and_then_all_the_others(chapter):
    figure, data = figure_of(chapter, "stepped")
    tokens = len(figure.locator(".hw-numbers tbody tr").all())
    figure.get_by_role("button", name="Back").press("Home")
    counts = []
    for _ in data["steps"]:
        counts.append([figure.locator(LINES.format(step)).count() for step in (3, 4)])
        figure.page.keyboard.press("ArrowRight")
    all_others = 2 * (tokens - 1)
    assert counts == [[0, 0], [0, 0], [2, 0], [2, all_others], [2, all_others]]


def test_the_shares_of_each_token_add_up_to_one(chapter):
    figure, _ = figure_of(chapter, "stepped")
    for row in figure.locator(".hw-numbers tbody tr").all():
        shares = [float(text) for text in row.locator("td").all_text_contents() if len(text) == 4]
        assert sum(shares) == pytest.approx(1, abs=0.041)
