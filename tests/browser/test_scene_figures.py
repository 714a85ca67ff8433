"""The story in pictures: scrolling plays them, and nobody needs to scroll to see them whole."""

import pytest
from playwright.sync_api import expect

from tests.browser.figure import figure_of
from tests.full import full_but

pytestmark = [pytest.mark.book, pytest.mark.browser]

CHAPTER = PAGE = "book/pictures.html"
# Scrolls until a sentence stands at a share of the window's height.
TO_CARD = """(card, at) => {
  const top = card.getBoundingClientRect().top + scrollY - at * innerHeight;
  scrollTo({ top, behavior: "instant" });
}"""
SEEN = """(drawing) => [...new Set([...drawing.querySelectorAll("[data-step]")]
  .filter((part) => part.getClientRects().length && !part.matches(".hw-later"))
  .map((part) => Number(part.dataset.step)))]"""
DRAWN = """(drawing) => Math.max(...[...drawing.querySelectorAll("[data-step]")]
  .map((part) => Number(part.dataset.step)))"""
SHIFTS = """() => new Promise((done) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries()) if (!shift.hadRecentInput) sum += shift.value;
  }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(sum), 50);
})"""

# Tells what has been crossed only once in a while, as a page does that has much to do.
SELDOM = """globalThis.IntersectionObserver = class extends IntersectionObserver {
  constructor(told, options) {
    let held = [];
    super((entries) => {
      if (!held.length) setTimeout(() => told(held.splice(0)), 200);
      held.push(...entries);
    }, options);
  }
};"""


def scene_of(page, name="08-attention"):
    return page.locator(f".hw-scene[data-page='{name}']")


def cards_of(scene):
    return scene.locator(".hw-scene-cards > li")


def scroll_to(scene, card, at=0.6):
    cards_of(scene).nth(card).evaluate(TO_CARD, at)
    expect(cards_of(scene).nth(card)).to_have_class("hw-now")


@pytest.mark.parametrize("width", full_but((390).__eq__, [390, 1440]))
def test_a_sentence_that_comes_up_brings_its_steps_and_the_drawing_stays(site, visit, width):
    page = visit(f"{site}/{PAGE}", width=width).page
    scene = scene_of(page)
    drawing = scene.locator(".hw-scene-picture")
    scroll_to(scene, 1)
    first = drawing.evaluate(SEEN)
    top = drawing.bounding_box()["y"]
    scroll_to(scene, 3)
    later = drawing.evaluate(SEEN)
    assert set(first) < set(later)
    assert drawing.bounding_box()["y"] == top, "it stays while its sentences go by"
    box = drawing.bounding_box()
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= 900
    scroll_to(scene, 1)
    assert drawing.evaluate(SEEN) == first


@pytest.mark.parametrize("width", full_but((390).__eq__, [390, 1440]))
def test_what_is_new_in_a_drawing_is_on_the_screen(site, visit, width):
    page = visit(f"{site}/{PAGE}", width=width).page
    for scene in page.locator(".hw-scene").all():
        last = cards_of(scene).count() - 1
        scroll_to(scene, last)
        page.wait_for_function(
            "() => !document.getAnimations().some((one) => one.transitionProperty === 'transform')"
        )
        frame = scene.locator(".hw-scene-picture").bounding_box()
        svg = scene.locator("svg:visible").bounding_box()
        assert svg["width"] <= frame["width"] + 1
        bottom = svg["y"] + svg["height"]
        assert bottom <= frame["y"] + frame["height"] + 1 or svg["y"] <= frame["y"] + 9


@pytest.mark.parametrize(
    "options", [{"java_script_enabled": False}, {"reduced_motion": "reduce"}], ids=str
)
def test_drawings_are_whole_where_nothing_may_move(site, visit, options):
    page = visit(f"{site}/{PAGE}", **options).page
    for scene in page.locator(".hw-scene").all():
        place = scene.locator(".hw-scene-picture")
        assert place.evaluate("(place) => getComputedStyle(place).position") == "static"
        if options.get("java_script_enabled", True):
            assert max(place.evaluate(SEEN)) == place.evaluate(DRAWN)
    assert scene.locator(".hw-later").count() == 0
    assert cards_of(scene).first.is_visible()


def test_on_paper_drawings_are_whole(site, visit):
    page = visit(f"{site}/{PAGE}").page
    scene = scene_of(page)
    scroll_to(scene, 1)
    page.emulate_media(media="print")
    faint = "(all) => all.filter((part) => Number(getComputedStyle(part).opacity) < 0.1).length"
    assert scene.locator("svg:visible g[data-step]").evaluate_all(faint) == 0
    assert not page.locator(".hw-ticks").is_visible()


@pytest.mark.parametrize("width", [390, 1400])
def test_marks_lead_to_pictures_and_show_where_one_is(site, visit, width):
    page = visit(f"{site}/{PAGE}", width=width).page
    marks = page.locator(".hw-ticks a")
    assert marks.count() == page.locator(".hw-scene").count() == 19
    marks.nth(7).click()
    heading = page.locator("section[id='08'] > h3")
    expect(heading).to_be_in_viewport()
    expect(page.locator(".hw-ticks [aria-current]")).to_have_text(["8"])
    bar = page.locator(".hw-ticks").bounding_box()
    assert heading.bounding_box()["y"] >= bar["y"] + bar["height"]
    scroll_to(scene_of(page), 2)
    expect(page.locator(".hw-ticks [aria-current]")).to_have_text(["8"])


@pytest.mark.parametrize("width", [320, 390, 460, 480])
def test_a_finger_hits_a_mark(site, visit, width):
    page = visit(f"{site}/{PAGE}", width=width).page
    boxes = [mark.bounding_box() for mark in page.locator(".hw-ticks a").all()]
    assert all(box["width"] >= 24 and box["height"] >= 24 for box in boxes), boxes
    bar = page.locator(".hw-ticks").bounding_box()
    assert max(box["y"] + box["height"] for box in boxes) <= bar["y"] + bar["height"]


def test_only_one_picture_is_marked_when_a_busy_page_flies_past_others(site, visit):
    page = visit(f"{site}/{PAGE}", first=SELDOM).page
    cards_of(scene_of(page, "05-tokens")).nth(2).evaluate(TO_CARD, 0.6)
    page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))")
    scroll_to(scene_of(page), 2)
    expect(page.locator(".hw-ticks [aria-current]")).to_have_text(["8"])
    page.wait_for_timeout(500)
    expect(page.locator(".hw-ticks [aria-current]")).to_have_text(["8"])


def test_keys_lead_to_a_picture_and_through_it(chapter):
    scene, data = figure_of(chapter, "scene", 7)
    chapter.locator(".hw-ticks a").nth(7).press("Enter")
    expect(chapter.locator("section[id='08'] > h3")).to_be_in_viewport()
    last = cards_of(scene).count() - 1
    for _ in range(last):
        chapter.keyboard.press("PageDown")
    chapter.wait_for_function(
        "(scene) => !scene.querySelector('li').matches('.hw-now')", arg=scene.element_handle()
    )
    assert max(scene.locator(".hw-scene-picture").evaluate(SEEN)) > data["until"][0]


def test_a_link_to_a_picture_is_copied(site, visit):
    page = visit(
        f"{site}/{PAGE}", width=390, permissions=["clipboard-read", "clipboard-write"]
    ).page
    scene_of(page).get_by_role("link", name="Copy link").click()
    expect(scene_of(page).get_by_text("Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == f"{site}/{PAGE}#08"


def test_nothing_jumps_while_one_scrolls(site, visit):
    page = visit(f"{site}/{PAGE}", width=390).page
    for card in range(3):
        scroll_to(scene_of(page), card)
    assert page.evaluate(SHIFTS) < 0.05
