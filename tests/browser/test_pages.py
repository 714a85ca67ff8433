"""Every page of the site in a browser: complete, readable at every size, and accessible."""

import re
from contextlib import suppress

import pytest
import yaml
from axe_playwright_python.sync_playwright import Axe
from jinja2 import Environment, FileSystemLoader
from playwright.sync_api import TimeoutError, expect

from headway.chapters import CHAPTERS
from tests.browser.conftest import watched
from tests.browser.figure import OPEN_SIDE_ROADS
from tests.full import FULL, full_but

pytestmark = [pytest.mark.book, pytest.mark.browser]

WCAG = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    "preload": False,  # axe would fetch style sheets again, and from wrong addresses
    "resultTypes": ["violations"],  # of what is well, one node a rule is enough
}
BUDGET = 100_000  # bytes that a page sends, compressed, without the files that pages share


# The full run takes both modes at both widths, the short one mode and width for a page.
LOOKS = [("light", 1400), ("dark", 390), ("light", 390), ("dark", 1400)]
# Pages are made of the same pieces: the short run opens one of each kind, and a run for a chapter
# that chapter's. axe takes long, and looks at two.
OPENED = (
    *("book/index", "book/01-one-hot", "book/08-attention", "book/13-translator", "book/tensors"),
    *("book/glossary", "book/for-instructors", "book/part-1-review", "book/whole-chain", "search"),
)
BY_AXE = ("book/index", "book/08-attention")


def every_page(config):
    """Paths of all pages that a reader can reach."""
    toc = yaml.safe_load((config.rootpath / "_toc.yml").read_text(encoding="utf-8"))
    files = [toc["root"]] + [c["file"] for part in toc["parts"] for c in part["chapters"]]
    return [f"{file}.html" for file in files] + ["search.html", "genindex.html"]


def pytest_generate_tests(metafunc):
    if "seen" in metafunc.fixturenames:
        by_axe = metafunc.function is test_a_page_meets_wcag_2_2_aa
        looks = [
            (path, *look)
            for place, path in enumerate(every_page(metafunc.config))
            for look in (LOOKS if FULL else [LOOKS[place % 2]])
        ]
        names = ["-".join(map(str, look)) for look in looks]
        opened = BY_AXE if by_axe else OPENED
        chosen = full_but(lambda look: look[0].startswith(opened), looks)
        metafunc.parametrize("seen", chosen, ids=names, indirect=True, scope="module")


@pytest.fixture(scope="module")
def seen(request, site, browser):
    """A page in a mode and a width, visited once for all tests that look at it."""
    path, mode, width = request.param
    with watched(browser) as open_page:
        yield open_page(f"{site}/{path}", mode=mode, width=width, settled=True)


OPEN_ALL = "document.querySelectorAll('details').forEach((fold) => (fold.open = true))"
# Nothing moves that will come to an end.
AT_REST = """() => document.getAnimations().every((one) =>
  one.playState !== "running" || one.effect.getComputedTiming().endTime === Infinity)"""
# What is wider than its box: code goes on in the next line; anything else scrolls, also from the
# keyboard, and shows by a shadow that there is more.
CUT_OFF = """() => [...document.querySelectorAll("article *")]
  .filter((box) => box.clientWidth && box.scrollWidth > box.clientWidth + 1)
  .filter((box) => !box.matches(".katex *, .hw-voice, span.math, select, input"))
  .filter((box) => {
    const style = getComputedStyle(box);
    if (style.overflowX === "visible") return false;
    const reached = "button, input, select, a, [tabindex='0']";
    const byKeys = box.tabIndex >= 0 || box.querySelector(reached);
    const scrolls = ["auto", "scroll"].includes(style.overflowX) && byKeys;
    const isCode = box.matches("pre") && !box.closest(".cell_output");
    return isCode || !scrolls || !style.backgroundImage.includes("gradient");
  })
  .map((box) => `${box.tagName} ${box.className}: ${box.textContent.trim().slice(0, 60)}`)"""

# Families of formulas that the page names and no font of the site has.
MISSING_FONTS = """[...document.fonts].filter((font) => font.family.includes("KaTeX"))
  .filter((font) => font.status === "error").map((font) => font.family)"""

WIDE = """[...document.querySelectorAll("article div.math")]
  .filter((box) => box.scrollWidth > box.clientWidth)"""
# Wide formulas that are scrolled, or that begin in front of their box.
CUT_IN_FRONT = """[...document.querySelectorAll("article div.math")].filter((box) => {
  const formula = box.querySelector(".katex").getBoundingClientRect();
  return box.scrollLeft !== 0 || formula.left - box.getBoundingClientRect().left < -1;
}).map((box) => box.textContent)"""


def test_a_page_is_light(seen):
    own = {url: size for url, size in seen.bodies.items() if "/_static/" not in url}
    # The index of all words is shared by all pages, too.
    own = {url: size for url, size in own.items() if "searchindex" not in url}
    assert own, "nothing was measured"
    assert sum(own.values()) <= BUDGET, own


def test_formulas_are_typeset_in_fonts_of_the_site_and_begin_at_their_beginning(seen):
    page, as_it_was = seen.page, seen.page.viewport_size
    formulas = page.locator("span.math, div.math").count()
    is_chapter = any(f"/{chapter.name}.html" in page.url for chapter in CHAPTERS)
    assert formulas > 10 or not is_chapter, (
        f"{page.url}: {formulas} formulas; a chapter has over ten."
    )
    if not formulas:
        return
    assert page.locator(".math .katex-html").count() == formulas
    assert any("KaTeX_Main-Regular" in url for url in seen.bodies)
    page.evaluate("document.fonts.ready.then(() => 1)")
    assert page.evaluate(MISSING_FONTS) == []
    page.set_viewport_size({"width": 390, "height": 900})
    page.evaluate(OPEN_ALL)
    assert page.evaluate(CUT_IN_FRONT) == []
    page.set_viewport_size(as_it_was)


def test_a_wide_formula_in_a_fold_takes_the_focus_once_the_fold_is_open(site, visit):
    page = visit(f"{site}/book/06-embeddings.html", width=320).page
    page.evaluate(OPEN_ALL)
    page.wait_for_function(f"({WIDE}).length && ({WIDE}).every((box) => box.tabIndex === 0)")


def test_the_search_quotes_a_formula_once(site, visit):
    page = visit(f"{site}/search.html").page
    formula = "<math>x<annotation>\\hat x</annotation></math><span class='katex-html'>x</span>"
    said = f"<div role='main'>It is {formula}, then.</div>"
    assert page.evaluate("(html) => Search.htmlToText(html).trim()", said) == "It is x, then."


def test_a_page_meets_wcag_2_2_aa(seen):
    # Folded text counts too, once it has faded in.
    seen.page.evaluate(OPEN_ALL)
    seen.page.wait_for_function(AT_REST)
    found = Axe().run(seen.page, options=WCAG).response
    assert found["passes"], "axe-core looked at nothing"
    violations = [
        f"{v['id']}: {node['target']} {node['failureSummary']}"
        for v in found["violations"]
        for node in v["nodes"]
    ]
    assert not violations, "\n".join(violations)


def test_a_page_fits_every_screen_and_nothing_is_cut_off(seen):
    page = seen.page
    page.evaluate(OPEN_ALL)
    for width in (390, 1300, 1400):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        with suppress(TimeoutError):  # the theme lets keys reach what scrolls a moment later
            page.wait_for_function(f"({CUT_OFF})().length === 0", timeout=20_000)
        assert page.evaluate(CUT_OFF) == [], f"at {width} pixels"


def test_the_search_finds_a_word_of_a_chapter(site, visit):
    page = visit(f"{site}/book/index.html").page
    page.keyboard.press("Control+k")
    expect(page.get_by_role("searchbox", name="Search")).to_be_focused()
    page.keyboard.type("cosine")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=cosine*")
    page.locator("#search-results li a", has_text="Words as vectors").first.wait_for()


def test_the_reader_can_choose_dark_and_the_choice_stays(site, visit):
    page = visit(f"{site}/book/01-one-hot.html").page
    ground = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(ground) == "rgb(255, 255, 255)"
    button = page.get_by_role("button", name="Color mode")
    for _ in range(3):
        button.click()
        if page.evaluate("document.documentElement.dataset.theme") == "dark":
            break
    red = int(re.match(r"rgb\((\d+)", page.evaluate(ground))[1])
    assert red < 40
    plot = page.locator(".hw-plot").first
    assert plot.locator("img.hw-dark").is_visible()
    assert not plot.locator("img.hw-light").is_visible()
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


TOOLS = '<div class="article-header-buttons">'


def tools_with(root, places: list[dict]) -> str:
    """The end of the rail, as the layout has it on a page that can be opened in these places."""
    layout = Environment(loader=FileSystemLoader(root / "book" / "_templates"), autoescape=True)
    group = {
        "type": "group",
        "tooltip": "Open this page where it can be run",
        "icon": "fas fa-rocket",
        "label": "launch-buttons",
        "buttons": places,
    }
    rail = layout.get_template("rail.html").render(
        header_buttons=[group], navigation=[], docstitle="", pathto=lambda *at: ""
    )
    return rail[rail.index(TOOLS) : rail.rindex("</div>")]


@pytest.mark.parametrize("width", full_but((390).__eq__, [1400, 390]))
def test_where_a_page_can_be_run_is_chosen_from_the_keyboard(site, visit, root, width):
    address = f"{site}/book/01-one-hot.html"
    page = visit(f"{site}/book/index.html", width=width, settled=True).page

    def with_places(route):
        asked = route.fetch()
        before, _, after = asked.text().partition(TOOLS)
        places = [
            {"type": "link", "icon": "fas fa-arrow-up-right-from-square", "text": name, "url": "#"}
            for name in ("JupyterLab on Binder", "Colab")
        ]
        made = before + tools_with(root, places) + after[after.index("</div>") + len("</div>") :]
        route.fulfill(response=asked, body=made)

    page.route(address, with_places)
    page.goto(address)
    run = page.locator(".dropdown-launch-buttons")
    run.locator("summary", has_text="Run").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    page.wait_for_function("document.activeElement.matches('.dropdown-launch-buttons a')")
    menu = run.locator(".dropdown-menu").bounding_box()
    assert menu["x"] >= 0
    assert menu["x"] + menu["width"] <= width
    found = Axe().run(page, context=".article-header-buttons", options=WCAG)
    assert found.response["violations"] == []
    page.keyboard.press("Escape")
    assert not run.get_by_role("link").first.is_visible()


def test_paper_shows_answers_that_the_screen_covers_until_a_key_uncovers_them(site, visit):
    page = visit(f"{site}/book/05-tokens.html", mode="dark").page
    page.evaluate(OPEN_SIDE_ROADS)
    stage = page.locator("[data-headway-figure='merge_steps'] .hw-stage")
    still = page.locator("[data-headway-figure='merge_steps'] img.hw-static")
    answer = page.locator("details.hw-predict .hw-predict-answer").first
    name = page.locator(".hw-output.hw-covered:has(.hw-verdict)").get_attribute("data-answers")
    output = page.locator(f".hw-output[data-answers={name}]")
    verdict = output.locator(".hw-verdict")

    def check(paper):
        theme = "light" if paper else "dark"
        page.wait_for_function(f"document.documentElement.dataset.theme === '{theme}'")
        expect(stage).to_be_visible(visible=not paper)
        expect(still).to_be_visible(visible=paper)
        expect(answer).to_be_visible(visible=paper)
        expect(verdict).to_be_visible(visible=paper)

    check(paper=False)
    page.emulate_media(media="print")
    check(paper=True)
    assert page.locator(".hw-plot img.hw-light").first.is_visible()
    page.emulate_media(media="screen")
    check(paper=False)
    output.get_by_role("button", name="Show it now").press("Enter")
    expect(verdict).to_be_visible()


def test_a_printed_line_that_answers_is_covered_as_well(site, visit):
    page = visit(f"{site}/book/10-block.html").page
    printed = page.locator(".hw-covered pre")
    assert printed.count() >= 2
    for one in printed.all():
        expect(one).not_to_be_visible()
    page.emulate_media(media="print")
    expect(printed.first).to_be_visible()


def test_a_guess_opens_the_answer_and_uncovers_the_verdict_of_a_claim(site, visit):
    page = visit(f"{site}/book/05-tokens.html").page
    page.evaluate(OPEN_SIDE_ROADS)
    covered = page.locator(".hw-output.hw-covered:has(.hw-verdict)")
    name = covered.get_attribute("data-answers")
    output = page.locator(f".hw-output[data-answers={name}]")
    verdict = output.locator(".hw-verdict")
    panel = output.locator(".hw-veil")
    asked = page.locator(f".hw-ask:has(#{name}) .hw-asked").text_content()
    assert panel.locator("p").first.text_content() in asked
    expect(verdict).not_to_be_visible()
    guess = page.locator(f"form.hw-guess[data-fold={name}]")
    guess.get_by_role("button").first.click()
    assert page.locator(f"#{name} .hw-predict-answer").is_visible()
    expect(verdict).to_be_visible()
    expect(panel).not_to_be_visible()


def test_a_guess_is_compared_with_the_right_answer(site, visit):
    page = visit(f"{site}/book/01-one-hot.html").page
    page.evaluate(OPEN_SIDE_ROADS)
    guess = page.locator("form.hw-guess[data-number='2']")
    name, said = guess.get_attribute("data-fold"), guess.get_by_role("status")
    answer = page.locator(f"#{name} .hw-predict-answer")
    assert not guess.evaluate("(form) => form.hidden")
    for text, says in (
        ("two", "Give a number"),
        ("3", "Your 3 is 1 too high, 50 % off: it is 2 kinds."),
        ("4/2", "Right: 2 kinds."),
    ):
        assert answer.is_visible() == (text == "4/2")
        guess.get_by_role("textbox").fill(text)
        page.keyboard.press("Enter")
        assert said.text_content().startswith(says)
    choice = page.locator("form.hw-guess[data-right='search']")
    for name, says in (("erase", "You chose erase: it is search."), ("search", "Right: search.")):
        choice.get_by_role("button", name=name).click()
        assert choice.get_by_role("status").text_content() == says


def test_without_scripts_nothing_is_covered_and_no_guess_is_asked_for(site, visit):
    page = visit(f"{site}/book/01-one-hot.html", java_script_enabled=False).page
    assert page.locator(".hw-output").first.is_visible()
    assert not page.locator(".hw-veil").first.is_visible()
    assert not page.locator("form.hw-guess").first.is_visible()
    code = page.locator(".cell details.hide").first
    assert code.locator("summary").is_visible()


def test_one_switch_shows_all_folded_code_and_is_remembered_on_the_next_page(site, visit):
    page = visit(f"{site}/book/01-one-hot.html").page
    page.evaluate(OPEN_SIDE_ROADS)
    folds = page.locator(".cell details.hide")
    assert not any(fold.is_visible() for fold in folds.all())
    mark = page.locator("h2").nth(3)
    mark.evaluate("(heading) => heading.scrollIntoView({ block: 'start', behavior: 'instant' })")
    before = mark.bounding_box()["y"]
    # Not `click`, which scrolls by itself to a button in a bar that sticks.
    page.get_by_role("button", name="Show code").dispatch_event("click")
    assert all(fold.locator(".cell_input").is_visible() for fold in folds.all())
    assert abs(mark.bounding_box()["y"] - before) < 40
    page.goto(f"{site}/book/02-markov.html")
    switch = page.get_by_role("button", name="Hide code")
    assert page.locator(".cell details.hide").first.is_visible()
    switch.click()
    assert not page.locator(".cell details.hide").first.is_visible()
