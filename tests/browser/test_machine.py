"""The machine on pages of the site: its links, its focus, and its place at every width."""

import pytest

from headway.chapters import CHAPTERS
from headway.figures.core.styles import site_style
from headway.figures.machine.zoom import zoom
from headway.figures.machine.zooms import ZOOMS
from tests.full import full_but

pytestmark = [pytest.mark.book, pytest.mark.browser]

INDEX = "book/index.html"
WIDTHS = {390: "narrow", 1300: "wide"}
LIVE = {390: "compact", 1300: "wide"}
OUTSIDE = """(svg) => {
  const area = svg.getBoundingClientRect();
  return [...svg.querySelectorAll("text, rect")].filter((node) => {
    const box = node.getBoundingClientRect();
    return box.left < area.left - 1 || box.right > area.right + 1;
  }).map((node) => node.textContent);
}"""
# Words that do not fit the box in which they stand.
TOO_LONG = """(svg) => [...svg.querySelectorAll(".hw-part")].filter((part) => {
  const [box, text] = ["rect", "text"].map((kind) => part.querySelector(kind).getBBox());
  return text.x < box.x || text.x + text.width > box.x + box.width;
}).map((part) => part.textContent)"""

STEPS_TOO_LONG = """(svg) => {
  const boxes = [...svg.querySelectorAll("rect")].map((rect) => rect.getBBox());
  return [...svg.querySelectorAll("text")].filter((text, i) => {
    const [box, said] = [boxes[Math.floor(i / 2)], text.getBBox()];
    return said.x < box.x || said.x + said.width > box.x + box.width;
  }).map((text) => text.textContent);
}"""


def shown(page, where="figure.hw-machine"):
    """The one drawing of the map, or of the live figure, that is visible."""
    drawings = page.locator(f"{where} .hw-machine-drawings svg").all()
    (drawing,) = [one for one in drawings if one.is_visible()]
    return drawing


@pytest.mark.full
@pytest.mark.parametrize("width", WIDTHS)
def test_the_map_fits_and_so_do_its_words(site, visit, width):
    page = visit(f"{site}/{INDEX}", width=width).page
    drawing = shown(page)
    assert drawing.get_attribute("class") == f"hw-machine-{WIDTHS[width]}"
    assert drawing.evaluate(OUTSIDE) == []
    assert drawing.evaluate(TOO_LONG) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    live = shown(page, "[data-headway-figure=live_translator]")
    assert live.get_attribute("class") == f"hw-machine-{LIVE[width]}"
    assert live.evaluate(OUTSIDE) == []
    assert live.evaluate(TOO_LONG) == []


def test_the_map_leads_to_every_chapter(site, visit):
    page = visit(f"{site}/{INDEX}", java_script_enabled=False).page
    drawing = shown(page)
    led = set(drawing.locator("a").evaluate_all("(all) => all.map((a) => a.href.baseVal)"))
    assert led == {f"{chapter.name}.html" for chapter in CHAPTERS if chapter.parts}


@pytest.mark.full
def test_the_map_is_walked_with_the_keyboard_and_the_focus_is_seen(site, visit):
    page = visit(f"{site}/{INDEX}").page
    first = shown(page).locator("a").first
    first.focus()
    page.keyboard.press("Tab")
    stroke = "document.activeElement.querySelector('rect').getBoundingClientRect() && "
    stroke += "getComputedStyle(document.activeElement.querySelector('rect')).strokeWidth"
    assert page.evaluate(stroke) == "3px"
    where = page.evaluate("document.activeElement.href.baseVal")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/book/{where}")


@pytest.mark.parametrize(
    "chapter",
    full_but(lambda chapter: chapter.name == "08-attention", CHAPTERS),
    ids=lambda chapter: chapter.name,
)
@pytest.mark.parametrize(("width", "mode"), [(390, "dark"), (1300, "light")])
def test_each_chapter_shows_its_place_before_its_first_section(site, visit, chapter, width, mode):
    page = visit(f"{site}/book/{chapter.name}.html", mode=mode, width=width).page
    assert page.locator(".hw-machine-here + section").count() == 1
    drawing = shown(page, ".hw-machine-here")
    box = drawing.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    letters = drawing.evaluate("(svg) => svg.querySelector('text').getBoundingClientRect().height")
    assert letters >= 11
    assert drawing.locator(".hw-here").count() >= len(chapter.parts)
    colors = "(all) => [...new Set(all.map((one) => getComputedStyle(one).fill))].length"
    plain = ".hw-part:not(.hw-frame) rect"
    assert drawing.locator(plain).evaluate_all(colors) == (2 if chapter.parts else 1)


@pytest.mark.full
def test_on_paper_the_map_is_drawn_on_white(site, visit):
    page = visit(f"{site}/{INDEX}", mode="dark").page
    page.emulate_media(media="print")
    page.wait_for_function("document.documentElement.dataset.theme === 'light'")
    drawing = shown(page)
    fill = drawing.locator("rect").last.evaluate("(one) => getComputedStyle(one).fill")
    assert fill == "rgb(255, 255, 255)"


@pytest.mark.full
@pytest.mark.parametrize("width", WIDTHS)
def test_the_inside_of_each_part_fits_a_page_and_its_words_fit_their_boxes(browser, width):
    page = browser.new_page(viewport={"width": width, "height": 900})
    zooms = "".join(zoom(part, "What to look for.") for part in ZOOMS)
    page.set_content(f"<style>{site_style()}</style><article>{zooms}</article>")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for drawing in page.locator(".hw-zoom-steps").all():
        assert drawing.evaluate(STEPS_TOO_LONG) == []
    page.close()
