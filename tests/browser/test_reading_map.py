"""The reading map on its page: it fits, says all its words, and is walked with the keyboard."""

import pytest

pytestmark = [pytest.mark.book, pytest.mark.browser]

PAGE = "book/where-to-go.html"
WIDTHS = {390: "narrow", 1300: "wide"}
# Words that do not fit the box in which they stand.
TOO_LONG = """(svg) => [...svg.querySelectorAll("a")].filter((link) => {
  const [box, text] = ["rect", "text"].map((kind) => link.querySelector(kind).getBBox());
  return text.x < box.x || text.x + text.width > box.x + box.width;
}).map((link) => link.textContent)"""


def shown(page):
    """The one drawing that is visible."""
    (drawing,) = [one for one in page.locator(".hw-road-drawings svg").all() if one.is_visible()]
    return drawing


@pytest.mark.full
@pytest.mark.parametrize("width", WIDTHS)
def test_the_map_fits_and_so_do_its_words(site, visit, width):
    page = visit(f"{site}/{PAGE}", width=width).page
    drawing = shown(page)
    assert drawing.get_attribute("class") == f"hw-road-{WIDTHS[width]}"
    assert drawing.evaluate(TOO_LONG) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_topic_is_reached_and_opened_with_the_keyboard(site, visit):
    page = visit(f"{site}/{PAGE}").page
    shown(page).locator("a").first.focus()
    page.keyboard.press("Tab")
    stroke = "getComputedStyle(document.activeElement.querySelector('rect')).strokeWidth"
    assert page.evaluate(stroke) == "3px"
    where = page.evaluate("document.activeElement.href.baseVal")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/{PAGE}{where}")
    assert page.locator(where).count() == 1
