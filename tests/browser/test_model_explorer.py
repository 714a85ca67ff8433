"""The model explorer in Chromium: with what a page brings along, and asking a server."""

import json

import pytest
from playwright.sync_api import expect

from headway.explore.page import page
from tests.browser.alone import assert_it_reads_well
from tests.browser.figure import announced, expect_announced
from tests.figures.explored import FACTS, TEXT, answer, recorded

pytestmark = pytest.mark.browser

HOME = "http://explorer.test/"
DATA = {"model": FACTS, "text": TEXT}
ALONE = page(DATA | {"url": None, "recorded": recorded()}, nonce="n")


@pytest.fixture
def explorer(alone):
    """The figure as on a page of the book, without a network."""
    return alone(ALONE).locator(".hw-figure")


def part(figure, name):
    return figure.get_by_role("region", name=name, exact=True)


def sentence(figure, name):
    return part(figure, name).locator(".hw-sentence").first


def token(figure, name, row="The word that asks"):
    return figure.get_by_role("radiogroup", name=row).get_by_role("radio", name=name, exact=True)


def test_the_mouse_finds_the_head_and_the_layer_that_were_looked_for(explorer):
    attention = part(explorer, "Attention")
    expect(sentence(explorer, "Attention")).to_contain_text(
        "Head 2 of block 2 looks most at the token before: 100 % of its weight"
    )
    stream = sentence(explorer, "What the stream says on its way")
    stream.scroll_into_view_if_needed()
    expect(stream).to_contain_text("“␣on” becomes the likeliest after block 2 of 3, and stays so.")
    token(explorer, "The").click()
    expect(stream).to_contain_text("After “The”: “␣cat” becomes the likeliest after block 2 of 3")
    assert "The word that asks is token 2 of 4" in announced(explorer)
    expect(sentence(explorer, "Embedding")).to_contain_text("The row of “The” points most")
    attention.get_by_role("gridcell", name="Block 1, head 1").click()
    expect(attention.get_by_role("combobox", name="Block")).to_have_value("0")
    expect_announced(explorer, "In head 1 of block 1, “The” gives most to token 1")
    attention.get_by_role("combobox", name="Weight").select_option("on the first token")
    expect(sentence(explorer, "Attention")).to_contain_text("looks most at the first token")
    attention.get_by_role("application").click(position={"x": 5, "y": 340})
    expect(token(explorer, "␣sat")).to_have_attribute("aria-checked", "true")


def test_the_page_says_what_it_reads_and_what_it_takes_a_text_for(alone):
    chat = FACTS | {"chat": True, "template": True}
    data = DATA | {"url": None, "recorded": recorded()}
    for facts, label in ((FACTS, "Text"), (chat, "Question")):
        figure = alone(page(data | {"model": facts}, nonce="n")).locator(".hw-figure")
        expect(figure.get_by_role("link", name="Tokens")).to_contain_text("4 of at most 12")
        expect(figure.get_by_role("textbox")).to_have_accessible_name(label)


def test_what_is_not_recorded_is_said_where_it_was_asked_and_the_rest_stays(explorer):
    knows_one = "This page knows one text. `headway explore` answers for any."
    alerts = explorer.get_by_role("alert").filter(has_text="This page")
    explorer.get_by_role("textbox", name="Text").fill("Another")
    expect(alerts).to_have_text([knows_one])
    expect(explorer.locator(".hw-outdated")).to_have_count(4)
    assert explorer.locator(".hw-explorer-parts").evaluate("(node) => node.inert")
    explorer.get_by_role("button", name="Back to the text that is shown").click()
    expect(explorer.get_by_role("textbox", name="Text")).to_have_value(TEXT)
    expect(explorer.locator(".hw-outdated")).to_have_count(0)
    expect(token(explorer, "␣sat")).to_be_visible()
    switches = part(explorer, "Switch parts off")
    switches.get_by_role("button", name="block 2", exact=True).click()
    expect(switches.get_by_role("alert").first).to_have_text(knows_one)
    expect(switches.get_by_role("button", pressed=True)).to_have_count(0)
    following = part(explorer, "Next word")
    following.get_by_role("slider", name="Temperature").press("ArrowLeft")
    expect(following.get_by_role("alert")).to_have_text(knows_one)
    expect(following.get_by_role("table")).to_be_hidden()
    following.get_by_role("slider", name="Temperature").press("ArrowRight")
    expect(following.get_by_role("alert")).to_have_text("")
    expect(following.get_by_role("row", name="␣on")).to_be_visible()


def test_all_of_it_is_walked_with_the_keyboard(explorer):
    keys = explorer.page.keyboard
    explorer.get_by_role("textbox", name="Text").focus()
    keys.press("Tab")
    expect(token(explorer, "␣sat")).to_be_focused()
    keys.press("ArrowLeft")
    expect(token(explorer, "␣cat")).to_be_focused()
    expect_announced(explorer, "token 3 of 4")
    keys.press("Home")
    keys.press("End")
    grid = explorer.get_by_role("grid", name="Heads")
    grid.locator("[tabindex='0']").focus()
    keys.press("ArrowDown")
    expect(grid.get_by_role("gridcell", name="Block 3, head 2")).to_be_focused()
    expect_announced(explorer, "In head 2 of block 3, “␣sat” gives most to token 1")
    explorer.get_by_role("application").focus()
    keys.press("ArrowRight")
    keys.press("ArrowUp")
    expect_announced(explorer, "“␣cat” gives most to token 1, “<end>”: 33 % of its weight. Token 2")
    lens = explorer.get_by_role("grid", name="What the stream")
    explorer.get_by_role("button", name="Switch everything on").focus()
    keys.press("Tab")  # the box that scrolls
    expect(lens.get_by_role("gridcell", name="After block 3 and “␣cat”")).to_be_visible()
    keys.press("Tab")
    keys.press("ArrowUp")
    keys.press("ArrowUp")
    expect_announced(explorer, "After block 1 “␣sat” has 0.056: place 2.")
    expect(explorer.locator("caption", has_text="The likeliest after block 1")).to_be_visible()
    explorer.get_by_role("combobox", name="Weight").focus()
    keys.press("End")
    expect_announced(explorer, "“␣cat” gives “The” most weight in head 2 of block 2: 100 %.")


@pytest.mark.parametrize(
    ("mode", "width"), [pytest.param("light", 1300, marks=pytest.mark.full), ("dark", 390)]
)
def test_it_reads_well_wide_and_light_and_narrow_and_dark(alone, mode, width):
    opened = alone(ALONE, mode, width)
    assert_it_reads_well(opened)  # before anything below has been asked for
    for name in ("Attention", "Next word"):
        part(opened, name).scroll_into_view_if_needed()
    expect(sentence(opened, "Next word")).to_contain_text("After “␣sat”")
    assert_it_reads_well(opened)


@pytest.fixture
def served(browser):
    """A function that opens the figure asking a server, of `reply(request)` → status and answer."""
    contexts = []

    def open_page(reply):
        contexts.append(browser.new_context(viewport={"width": 1300, "height": 900}))
        opened = contexts[-1].new_page()
        html = page(DATA | {"url": "ask", "recorded": {}}, nonce="n")
        opened.route(HOME, lambda route: route.fulfill(body=html, content_type="text/html"))

        def ask(route):
            status, found = reply(json.loads(route.request.post_data))
            route.fulfill(status=status, json=found)

        opened.route(f"{HOME}ask", ask)
        opened.goto(HOME)
        return opened.locator(".hw-figure")

    yield open_page
    for context in contexts:
        context.close()


def test_a_part_is_switched_off_and_on_and_tokens_are_taken_and_drawn(served):
    asked = []
    figure = served(lambda request: (asked.append(request), (200, answer(request)))[1])
    switches, following = part(figure, "Switch parts off"), part(figure, "Next word")
    switches.get_by_role("combobox", name="Block").select_option("3")
    switches.get_by_role("button", name="feed-forward of block 3").click()
    said = "off the likeliest next token is “␣it” (0.75); with everything on it is “␣on” (0.75)."
    expect_announced(figure, f"of block 3. With feed-forward of block 3 {said}")
    expect(figure.get_by_role("img", name="Switched off: feed-forward of block 3")).to_be_visible()
    following.scroll_into_view_if_needed()
    expect(sentence(figure, "Next word")).to_contain_text("tokens is “␣it” (0.75).")
    expect(following.get_by_role("columnheader", name="all on")).to_be_visible()
    assert {tuple(r["off"]) for r in asked[-3:]} == {("2.feed-forward",)}
    switches.get_by_role("button", name="Switch everything on").click()
    expect(sentence(figure, "Next word")).to_contain_text("tokens is “␣on”")
    following.get_by_role("button", name="␣on", exact=True).click()
    expect(token(figure, "␣on")).to_have_attribute("aria-checked", "true")
    following.get_by_role("button", name="Draw 10").click()
    expect(figure.locator(".hw-token-drawn")).to_have_text(["␣on", "␣on", "␣it", "<end>"])
    expect(figure.get_by_text("The model has ended its text.")).to_be_visible()
    expect(following.get_by_text("Drawn: “ on on it<end>”")).to_be_visible()
    part(figure, "Cache").get_by_role("button").click()
    expect_announced(figure, "12 tokens took 24 ms with the cache and 126 ms without.")
    following.get_by_role("button", name="Back to the text").click()
    expect(figure.locator(".hw-token-drawn")).to_have_count(0)
    expect(part(figure, "Cache").get_by_role("row")).to_have_count(0)  # what was of another text
    part(figure, "Cache").get_by_role("button").click()
    expect(part(figure, "Cache").get_by_role("row")).to_have_count(13)
    expect(part(figure, "Cache").get_by_text("12 tokens took 24 ms")).to_be_visible()


def test_what_the_server_refuses_is_said_and_a_part_is_asked_for_when_it_is_seen(served):
    asked = []

    def reply(request):
        asked.append(request["ask"])
        if request.get("text") == "too long":
            return 400, {"error": "The text has 99 tokens."}
        return 200, answer(request)

    figure = served(reply)
    expect(token(figure, "␣sat")).to_be_visible()
    assert "next" not in asked
    part(figure, "Next word").scroll_into_view_if_needed()
    expect(sentence(figure, "Next word")).to_contain_text("After “␣sat”")
    assert asked.count("next") == 1
    field = figure.get_by_role("textbox", name="Text")
    field.fill("too long")
    field.press("Control+Enter")
    expect(figure.get_by_role("alert").first).to_have_text("The text has 99 tokens.")
    expect(figure.locator(".hw-outdated")).to_have_count(4)
    field.fill(TEXT)
    field.press("Control+Enter")
    expect(figure.get_by_role("alert").first).to_have_text("")
    expect(figure.locator(".hw-outdated")).to_have_count(0)
    expect(token(figure, "␣sat")).to_be_visible()
    part(figure, "Switch parts off").get_by_role("button", name="block 2", exact=True).click()
    expect_announced(figure, "Switched off: block 2.")
