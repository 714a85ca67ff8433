"""The machine and the reading map on pages of the site: links, focus, place at every width."""

import pytest

from headway.chapters import CHAPTERS, explaining
from headway.figures.core.styles import site_style
from headway.figures.machine.parts import PARTS
from headway.figures.machine.zoom import zoom
from headway.figures.machine.zooms import ZOOMS
from tests.browser.figure import reaching_out
from tests.full import full_but

pytestmark = [pytest.mark.book, pytest.mark.browser]

INDEX, ROADS = "book/index.html", "book/where-to-go.html"
MACHINE, LIVE, ROAD = "figure.hw-machine", "[data-headway-figure=live_translator]", ".hw-figure"
WIDTHS = (390, 1300)
# The drawing of each map that is seen on a narrow and on a wide screen, and what has words in it.
MAPS = [
    (INDEX, MACHINE, ("hw-machine-narrow", "hw-machine-wide"), ".hw-part"),
    (INDEX, LIVE, ("hw-machine-compact", "hw-machine-compact"), ".hw-part"),
    (ROADS, ROAD, ("hw-road-narrow", "hw-road-wide"), "a"),
]
# Words that do not fit the box in which they stand.
TOO_LONG = """(svg, boxes) => [...svg.querySelectorAll(boxes)].filter((part) => {
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


def shown(page, where=MACHINE):
    """The one drawing of a map that is visible."""
    drawings = page.locator(f"{where} :is(.hw-machine-drawings, .hw-road-drawings) svg").all()
    (drawing,) = [one for one in drawings if one.is_visible()]
    return drawing


@pytest.mark.full
@pytest.mark.parametrize("width", WIDTHS)
def test_each_map_fits_and_so_do_its_words(site, visit, width):
    for path, where, classes, boxes in MAPS:
        page = visit(f"{site}/{path}", width=width).page
        for fold in page.locator(f"{where} .hw-workshop > summary").all():
            fold.click()
        drawing = shown(page, where)
        assert drawing.get_attribute("class") == classes[WIDTHS.index(width)]
        assert reaching_out(drawing, "text, rect") == []
        assert drawing.evaluate(TOO_LONG, boxes) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_map_leads_to_where_each_part_is_built(site, visit):
    page = visit(f"{site}/{INDEX}", java_script_enabled=False).page
    drawing = shown(page)
    led = set(drawing.locator("a").evaluate_all("(all) => all.map((a) => a.href.baseVal)"))
    assert led == {f"{explaining(part)[0].name}.html" for part in PARTS}


@pytest.mark.parametrize(
    ("path", "where"), [pytest.param(INDEX, MACHINE, marks=pytest.mark.full), (ROADS, ROAD)]
)
def test_a_map_is_walked_with_the_keyboard_and_the_focus_is_seen(site, visit, path, where):
    page = visit(f"{site}/{path}").page
    shown(page, where).locator("a").first.press("Tab")
    stroke = "getComputedStyle(document.activeElement.querySelector('rect')).strokeWidth"
    assert page.evaluate(stroke) == "3px"
    target = page.evaluate("document.activeElement.href.baseVal")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{target}")
    assert not target.startswith("#") or page.locator(target).count() == 1


@pytest.mark.parametrize(
    "chapter",
    full_but(lambda chapter: chapter.name == "08-attention", CHAPTERS),
    ids=lambda chapter: chapter.name,
)
@pytest.mark.parametrize(("width", "mode"), [(390, "dark"), (1300, "light")])
def test_each_chapter_shows_its_place_before_its_first_section(site, visit, chapter, width, mode):
    page = visit(f"{site}/book/{chapter.name}.html", mode=mode, width=width).page
    assert page.locator(".hw-machine-here + section").count() == 1
    strip = page.locator(".hw-strip")
    box = strip.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert box["height"] <= 150
    lit = strip.locator(".hw-lit a")
    assert lit.count() == (len(chapter.parts) or len(PARTS))
    if fold := page.locator(".hw-machine-here summary").all():
        fold[0].click()
        assert page.locator(".hw-machine-here .hw-zoom").is_visible()


@pytest.mark.full
def test_on_paper_the_map_is_drawn_on_white(site, visit):
    page = visit(f"{site}/{INDEX}", mode="dark").page
    page.emulate_media(media="print")
    page.wait_for_function("document.documentElement.dataset.theme === 'light'")
    fill = shown(page).locator("rect").last.evaluate("(one) => getComputedStyle(one).fill")
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
