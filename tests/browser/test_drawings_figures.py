"""The large drawings: played, walked by keys, still where motion is not wanted, whole on paper."""

import re

import pytest
from playwright.sync_api import expect

from headway.chapters import CHAPTERS
from tests.browser.figure import OPEN_SIDE_ROADS, crowded, figure_of, letters
from tests.full import full_but

pytestmark = [pytest.mark.book, pytest.mark.browser]

CHAPTER = "book/08-attention.html"
DRAWN = ("08-attention", "11-language-model", "13-translator")
ALL_DRAWN = [chapter.name for chapter in CHAPTERS]
each_drawing = pytest.mark.parametrize("chapter", full_but(lambda name: name == DRAWN[0], DRAWN))
WIDTHS = (390, 1300)
LEAST = 10.5  # pixels of a letter on a phone
ON_SCREEN = """(figure) => {
  const [top, bottom] = [64, figure.querySelector(".hw-player").getBoundingClientRect().top];
  const parts = [...figure.querySelectorAll(".hw-drawing .hw-now")].map((part) =>
    part.getBoundingClientRect()).filter((box) => box.height);
  const buttons = figure.querySelector(".hw-controls").getBoundingClientRect();
  return buttons.bottom <= innerHeight && parts.length > 0
    && parts.every((box) => box.top >= top && box.bottom <= bottom);
}"""
FALLEN = """(part) => {
  const frame = part.ownerSVGElement;
  const down = () => part.getBoundingClientRect().top - frame.getBoundingClientRect().top;
  const [motion] = part.getAnimations();
  motion.pause();
  motion.currentTime = 0;
  const before = down();
  motion.finish();
  return down() - before;
}"""
SEEN = """(drawing) => [...drawing.querySelectorAll("[data-step]")]
  .filter((part) => Number(getComputedStyle(part).opacity) > 0.9)
  .map((part) => Number(part.dataset.step))"""


def drawing_of(page):
    figure = page.locator("figure.hw-stepped").first
    figure.scroll_into_view_if_needed()
    return figure, figure.locator(".hw-steps li").count()


def check_seen(figure, *steps):
    assert set(figure.locator(".hw-drawing svg:not(.hw-upright)").evaluate(SEEN)) == set(steps)


@each_drawing
def test_it_is_whole_at_first_and_goes_step_by_step_with_the_keys(site, visit, chapter):
    page = visit(f"{site}/book/{chapter}.html", reduced_motion="reduce").page
    figure, steps = drawing_of(page)
    check_seen(figure, *range(1, steps + 1))
    assert figure.get_by_role("button", name="Play").count() == 0, "motion was not asked for"
    figure.get_by_role("button", name="Back").press("Home")
    check_seen(figure, 1)
    assert figure.get_by_text(f"Step 1 of {steps}").is_visible()
    page.keyboard.press("ArrowRight")
    check_seen(figure, 1, 2)
    expect(figure.get_by_role("status")).to_contain_text("Step 2: ")
    page.emulate_media(media="print")
    check_seen(figure, *range(1, steps + 1))


def test_the_buttons_go_from_step_to_step_and_stop_at_both_ends(chapter):
    figure, data = figure_of(chapter, "stepped")
    steps = len(data["steps"])
    back, following = (figure.get_by_role("button", name=name) for name in ("Back", "Next"))
    assert following.get_attribute("aria-disabled") == "true"
    for _ in range(steps - 1):
        back.click()
    assert back.get_attribute("aria-disabled") == "true"
    assert figure.get_by_text(f"Step 1 of {steps}").is_visible()
    assert [
        one.text_content() for one in figure.locator(".hw-steps li").all() if one.is_visible()
    ] == [data["steps"][0]]


def test_it_plays_to_its_end_and_can_be_paused(site, visit):
    page = visit(f"{site}/book/{DRAWN[0]}.html").page
    page.clock.install(time=0)
    page.clock.pause_at(60)  # so that a busy machine's seconds don't count
    figure, steps = drawing_of(page)
    play, pause = (figure.get_by_role("button", name=name) for name in ("Play", "Pause"))
    play.click()
    page.clock.run_for(4_000)
    expect(figure.get_by_text(f"Step 2 of {steps}")).to_be_visible()
    pause.click()
    play.click()
    page.clock.run_for(60_000)
    expect(figure.get_by_text(f"Step {steps} of {steps}")).to_be_visible()
    expect(play).to_be_visible()
    expect(figure).to_have_class(re.compile("hw-whole"))


def test_without_scripts_it_is_whole(site, visit):
    page = visit(f"{site}/book/{DRAWN[0]}.html", java_script_enabled=False).page
    figure, steps = drawing_of(page)
    check_seen(figure, *range(1, steps + 1))
    assert figure.locator(".hw-steps li").first.is_visible()


@pytest.mark.parametrize("chapter", full_but(lambda name: name == DRAWN[0], ALL_DRAWN))
@pytest.mark.parametrize("width", WIDTHS)
def test_no_words_of_a_drawing_collide_or_leave_it_and_all_can_be_read(site, visit, chapter, width):
    page = visit(f"{site}/book/{chapter}.html", width=width).page
    page.evaluate(OPEN_SIDE_ROADS)
    shown = [one for one in page.locator(".hw-stepped .hw-drawing svg").all() if one.is_visible()]
    assert shown
    for drawing in shown:
        assert crowded(drawing) == []
        if width == WIDTHS[0]:
            assert drawing.get_attribute("class") == "hw-upright"
            assert min(letters(drawing)) >= LEAST


def test_on_a_phone_the_step_that_is_played_stays_on_the_screen(site, visit):
    page = visit(f"{site}/book/{DRAWN[0]}.html", width=390, reduced_motion="reduce").page
    figure, steps = drawing_of(page)
    figure.get_by_role("button", name="Back").press("Home")
    for step in range(1, steps + 1):
        expect(figure.get_by_text(f"Step {step} of {steps}")).to_be_in_viewport()
        assert figure.evaluate(ON_SCREEN), f"step {step} is out of sight"
        page.keyboard.press("ArrowRight")


def test_what_moves_ends_where_it_is_drawn(site, visit):
    page = visit(f"{site}/book/{DRAWN[0]}.html").page
    figure, _ = drawing_of(page)
    figure.get_by_role("button", name="Back").press("Home")
    page.keyboard.press("ArrowRight")
    query = figure.locator("svg:not(.hw-upright) .hw-now .hw-arrives")
    assert query.evaluate(FALLEN) > 20, "the query comes down from its word"
