"""The first screen of the book: the translation, and where to begin, without scrolling."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.alone import LEVELS
from tests.full import full_but

pytestmark = [pytest.mark.book, pytest.mark.browser]

INDEX = "book/index.html"
FIGURE = "[data-headway-figure=live_translator]"
SCREENS = [(1440, 900), (1300, 900), (390, 844)]


def opened(site, visit, width, height, **options):
    page = visit(f"{site}/{INDEX}", width=width, **options).page
    page.set_viewport_size({"width": width, "height": height})
    return page


def bottom(node) -> float:
    box = node.bounding_box()
    return box["y"] + box["height"]


@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_the_translation_and_where_to_begin_are_seen_without_scrolling(site, visit, width, height):
    page = opened(site, visit, width, height, reduced_motion="reduce")
    picture = page.locator(f"{FIGURE} svg:visible").first
    assert bottom(picture) <= height
    assert picture.bounding_box()["width"] >= 0.6 * min(width, 432)
    start = page.get_by_role("link", name="Start with chapter 1")
    assert bottom(start) <= height
    assert start.get_attribute("href") == "01-one-hot.html"
    pictures = page.get_by_role("link", name="See the course in nineteen pictures")
    assert bottom(pictures) <= height
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    letters = picture.locator("text").first.bounding_box()["height"]
    assert letters >= 14


@pytest.mark.parametrize("width", full_but((390).__eq__, [1440, 390]))
def test_without_scripts_it_is_whole_and_where_it_is_with_them(site, visit, width):
    places = []
    for scripts in (True, False):
        page = opened(site, visit, width, 900, java_script_enabled=scripts, reduced_motion="reduce")
        picture = page.locator(f"{FIGURE} svg:visible").first
        expect(picture.locator("text").last).to_be_visible()
        frame = picture.bounding_box()
        boxes = [one.bounding_box() for one in picture.locator("text").all()]
        places.append(
            [
                [(box["x"] - frame["x"]) / frame["width"], (box["y"] - frame["y"]) / frame["width"]]
                for box in boxes
            ]
        )
    assert places[0] == [pytest.approx(still, abs=0.004) for still in places[1]]
    assert len(page.locator(f"{FIGURE} svg[aria-label]:visible").get_attribute("aria-label")) > 40
    assert page.locator(f"{FIGURE} button").count() == 0


@pytest.mark.parametrize("mode", full_but("dark".__eq__, ["light", "dark"]))
def test_axe_finds_no_fault_with_the_machine_open(site, visit, mode):
    page = opened(site, visit, 1300, 900, mode=mode, reduced_motion="reduce")
    figure = page.locator(FIGURE)
    figure.locator("summary", has_text="Open the machine").click()
    found = Axe().run(page, context=FIGURE, options=LEVELS)
    assert found.violations_count == 0, found.generate_report()


def test_nothing_is_fetched_until_the_sentence_changes(site, visit):
    seen = visit(f"{site}/{INDEX}", settled=True)
    assert not any("/attached/" in url for url in seen.bodies)
    figure = seen.page.locator(FIGURE)
    figure.get_by_role("button", name="I love learning languages").click()
    expect(figure.locator("svg:visible .hw-answer").nth(1)).to_have_text("aime")
    assert any("/attached/" in url for url in seen.bodies)
