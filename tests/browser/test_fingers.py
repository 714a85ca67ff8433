"""Figures under a finger: what is dragged moves, and the rest of the page still scrolls."""

import pytest

pytestmark = [pytest.mark.book, pytest.mark.browser]

TELEPHONE = {"width": 390, "has_touch": True, "is_mobile": True}


def swipe(page, handle, right, down):
    """Put a finger on the middle of a part of a figure, and move it by so many pixels."""
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = page.context.new_cdp_session(page)
    for step in range(9):
        at = {"x": x + right * step / 8, "y": y + down * step / 8}
        kind = "touchMove" if step else "touchStart"
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [at]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_finger_drags_an_arrow_and_the_page_stays(site, visit):
    set_before = "dot_product.angle=45&dot_product.size=2"
    page = visit(f"{site}/book/01-one-hot.html?{set_before}", **TELEPHONE).page
    tip = page.locator("[data-headway-figure=dot_product]").get_by_role("slider")
    tip.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    swipe(page, tip, -40, 40)
    assert tip.get_attribute("aria-valuetext") != "45 degrees, length 2"
    assert page.evaluate("scrollY") == before


def test_a_finger_moves_along_a_chart_and_scrolls_across_it(site, visit):
    page = visit(f"{site}/book/16-outlook.html?cost_curves.length=6", **TELEPHONE).page
    line = page.locator("[data-headway-figure=cost_curves]").get_by_role("slider", name="Length")
    first = line.get_attribute("aria-valuetext")
    before = page.evaluate("scrollY")
    swipe(page, line, 0, -150)
    page.wait_for_function("(before) => scrollY > before + 50", arg=before)
    assert line.get_attribute("aria-valuetext") == first
    swipe(page, line, -60, 0)
    assert line.get_attribute("aria-valuetext") != first
