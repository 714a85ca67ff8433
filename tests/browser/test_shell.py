"""The frame around the pages in a browser: faces, measure, first paint, keyboard, paper."""

import re
from statistics import median

import pytest
from playwright.sync_api import expect

from tests.browser.figure import OPEN_ANSWERS, OPEN_SIDE_ROADS
from tests.full import full_but

pytestmark = [pytest.mark.book, pytest.mark.browser]

CHAPTER, FRONT = "book/08-attention.html", "book/index.html"
PLOTS = "book/01-one-hot.html"
UNNOTICED = 0.05  # the layout shift that nobody notices
SHIFTS = """window.shifted = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
}).observe({ type: "layout-shift", buffered: true });"""
# How many letters the lines of the road's paragraphs have, less each paragraph's last.
LINES = """() => [...document.querySelectorAll(".bd-article section > p")].flatMap((text) => {
  if (text.querySelector(".katex")) return [];
  const lines = new Map(), walk = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  for (let node; (node = walk.nextNode()); ) {
    for (let at = 0; at < node.length; at++) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const line = Math.round((range.getClientRects()[0]?.bottom ?? NaN) / 12);
      if (line) lines.set(line, (lines.get(line) ?? 0) + 1);
    }
  }
  return [...lines.values()].slice(0, -1).filter((letters) => letters > 20);
})"""


def stops_before_the_text(page) -> int:
    """How many times one presses Tab until the focus is in the article."""
    for pressed in range(1, 100):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('article') !== null"):
            return pressed
    return 100


def shifted(browser, address: str, width: int) -> float:
    """How much moves while a page is loaded for the first time."""
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme="dark", reduced_motion="reduce"
    )
    context.add_init_script(SHIFTS)
    page = context.new_page()
    page.goto(address, wait_until="networkidle")
    page.evaluate("document.fonts.ready.then(() => 1)")
    page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length")
    found = page.evaluate("window.shifted")
    context.close()
    return found


@pytest.mark.parametrize("path", [CHAPTER, FRONT])
@pytest.mark.parametrize("width", full_but((390).__eq__, [1400, 390]))
def test_nothing_moves_while_a_page_loads(site, browser, path, width):
    # On a busy machine a face may come late, and a line break anew; what moves, moves each time.
    assert any(shifted(browser, f"{site}/{path}", width) <= UNNOTICED for _ in range(3))


@pytest.mark.parametrize("scripts", full_but((False).__eq__, [True, False]))
@pytest.mark.parametrize(("width", "size"), [(1400, 18), (390, 17)])
def test_the_size_of_the_text_needs_no_script(site, visit, width, size, scripts):
    page = visit(f"{site}/{CHAPTER}", width=width, java_script_enabled=scripts).page
    text = page.locator(".bd-article section > p").first
    expect(text).to_have_css("font-size", f"{size}px")
    expect(text).to_have_css("font-family", re.compile('^"Source Serif 4"'))


def test_the_faces_are_files_of_the_site(site, visit):
    seen = visit(f"{site}/{CHAPTER}", settled=True)
    seen.page.evaluate("document.fonts.ready.then(() => 1)")
    for face in ("400 18px 'Source Serif 4'", "400 16px 'Source Sans 3'"):
        assert seen.page.evaluate("(face) => document.fonts.check(face)", face)
    fonts = [url for url in seen.bodies if url.endswith((".woff2", ".woff", ".ttf"))]
    assert any("source-serif-4-latin-wght-normal" in url for url in fonts)
    assert all(url.startswith(f"{site}/_static/vendor/") for url in fonts)
    assert not any("fontawesome" in url or "/fa-" in url for url in seen.bodies)


@pytest.mark.parametrize("width", full_but((1300).__eq__, [1300, 1440, 1920]))
def test_a_line_is_as_long_as_one_reads_well(site, visit, width):
    page = visit(f"{site}/{CHAPTER}", width=width).page
    assert 67 <= median(page.evaluate(LINES)) <= 72


def test_a_dark_reader_without_scripts_gets_a_dark_page(site, visit):
    page = visit(f"{site}/{PLOTS}", mode="dark", java_script_enabled=False).page
    expect(page.locator("body")).to_have_css("background-color", "rgb(20, 24, 30)")
    expect(page.locator(".hw-plot img.hw-dark").first).to_be_visible()
    expect(page.locator(".hw-plot img.hw-light").first).to_be_hidden()
    expect(page.get_by_role("button", name="Color mode")).to_be_hidden()


def test_the_first_link_skips_to_the_text_and_few_are_before_it(site, visit):
    page = visit(f"{site}/{CHAPTER}").page
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to the text")
    expect(skip).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")
    page.reload()
    assert stops_before_the_text(page) <= 40


def test_on_a_phone_the_menu_is_opened_by_a_button_and_closed_by_escape(site, visit):
    page = visit(f"{site}/{CHAPTER}", width=390).page
    menu = page.get_by_role("navigation", name="Course")
    expect(menu).to_be_hidden()
    assert stops_before_the_text(page) <= 12
    page.get_by_role("button", name="Menu").focus()
    page.keyboard.press("Enter")
    expect(menu.get_by_role("link", name="Multi-head attention")).to_be_visible()
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()


def test_the_section_in_view_is_marked_in_the_navigation(site, visit):
    page = visit(f"{site}/{CHAPTER}").page
    page.evaluate("document.getElementById('no-peeking').scrollIntoView({ behavior: 'instant' })")
    marked = page.locator(".hw-nav-sections [aria-current='location']")
    expect(marked).to_have_text("No peeking")


def test_paper_has_every_page_although_folds_were_closed(site, visit):
    page = visit(f"{site}/{CHAPTER}").page

    def sheets() -> int:
        return len(re.findall(rb"/Type /Page\b", page.pdf(prefer_css_page_size=True)))

    closed = sheets()
    page.evaluate(OPEN_SIDE_ROADS)
    page.evaluate(OPEN_ANSWERS)
    assert closed == sheets() > 5


def test_paper_has_no_navigation_and_no_shadows_at_wide_blocks(site, visit):
    page = visit(f"{site}/{CHAPTER}").page
    wide = page.locator("div.math").first
    assert "gradient" in wide.evaluate("(box) => getComputedStyle(box).backgroundImage")
    page.emulate_media(media="print")
    expect(wide).to_have_css("background-image", "none")
    expect(page.locator(".hw-rail")).to_be_hidden()
