"""The drawing of chapter 19, played reading by reading."""

import pytest

pytestmark = [pytest.mark.book, pytest.mark.browser, pytest.mark.full]

CHAPTER = "book/19-cheaper.html"


def test_the_steps_end_in_the_whole_text_and_the_table_has_each_guess(site, visit):
    page = visit(f"{site}/{CHAPTER}", reduced_motion="reduce").page
    figure = page.locator("figure.hw-stepped").first
    figure.scroll_into_view_if_needed()
    figure.get_by_role("button", name="Back").press("Home")
    steps = figure.locator(".hw-steps li")
    assert "Reading 1: the draft guesses" in figure.inner_text()
    for _ in range(steps.count() - 1):
        figure.get_by_role("button", name="Next").press("ArrowRight")
    assert "in a box" in figure.inner_text()
    figure.locator("summary").click()
    rows = figure.locator("table tbody tr")
    kept = [row for row in rows.all_inner_texts() if row.endswith("kept")]
    readings = steps.count() - 1
    letters = figure.locator(".hw-drawing svg").first.get_attribute("aria-label")
    assert f"{len(kept) + readings} letters in {readings} readings" in letters
