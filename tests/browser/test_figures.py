"""What every figure keeps, on every page: paper, telephones, modes, and readers without scripts."""

import pytest

from headway.chapters import CHAPTERS
from headway.figures.core.scripts import GALLERY, figure_names
from headway.figures.core.styles import FIGURES, IMPORT, base_style, site_style
from tests.browser.figure import OPEN_ANSWERS, amounts, figure_of
from tests.full import full_but

pytestmark = [pytest.mark.book, pytest.mark.browser]

PAGES = [f"book/{chapter.name}.html" for chapter in CHAPTERS]
# All figures are made of the same parts; the short run looks at those of one page.
LOOKED_AT = full_but(lambda page: "08-attention" in page, PAGES)
FIGURE = "[data-headway-figure]"
PICTURE = "img.hw-static, .hw-drawing svg"
MOVING = """(figures) => figures.flatMap((figure) => [...figure.querySelectorAll("*")])
  .filter((node) => getComputedStyle(node).transitionDuration.split(", ").some((s) => s !== "0s"))
  .map((node) => node.outerHTML.slice(0, 80))"""
# Every property of every kind of element, but for sizes, once with each of the style sheets.
LOOKS = """(sheets) => {
  const MEASURED = /^(--|width|height|block-size|inline-size|top|bottom|inset|\\S+-origin)/;
  const link = document.querySelector("link[href*='headway/figure.css']");
  const sheet = document.createElement("style");
  link.after(sheet);
  link.disabled = true;
  const said = ({ name, value }) => (/^(class|aria-)/.test(name) ? value : name);
  const own = (node) => [...node.attributes].map(said);
  const kind = (node) => [node, node.parentElement].map((n) => [n.tagName, ...own(n)]).join();
  const all = document.querySelectorAll(".hw-stage, .hw-stage *, .hw-claim, .hw-claim *");
  const nodes = [...new Map([...all].map((node) => [kind(node), node])).values()];
  const look = (node) => {
    const style = getComputedStyle(node);
    const lines = [...style].map((name) => `${name}: ${style.getPropertyValue(name)}`);
    return lines.filter((line) => !MEASURED.test(line));
  };
  const looks = sheets.map((text) => { sheet.textContent = text; return nodes.map(look); });
  return nodes.flatMap((node, i) => {
    const other = looks[1][i].filter((line, k) => line !== looks[0][i][k]);
    return other.length ? [`${node.tagName} ${node.className}: ${other}`] : [];
  });
}"""


def unfold(page):
    """Open the side roads, as a reader does."""
    for road in page.locator("details.hw-side-road > summary").all():
        road.click()


def test_each_figure_is_on_one_page_at_least(built_book):
    pages = [(built_book / page).read_text("utf-8") for page in (*PAGES, "book/pictures.html")]
    for name in figure_names():
        assert any(f'data-headway-figure="{name}"' in page for page in pages), (
            f"The figure {name} is on no page."
        )


def test_each_figure_is_operated_on_a_chapter_s_page(root):
    tests = [path.read_text("utf-8") for path in (root / "tests/browser").glob("test_*_figures.py")]
    for name in figure_names():
        assert any(f'(chapter, "{name}"' in text for text in tests), (
            f"No tests/browser/test_*_figures.py operates the figure {name}. Write a pass with the "
            "mouse and one with the keyboard."
        )


@pytest.mark.parametrize("path", LOOKED_AT)
def test_without_scripts_each_figure_has_its_picture_and_its_numbers(site, visit, path):
    page = visit(f"{site}/{path}", java_script_enabled=False).page
    unfold(page)
    figures = page.locator(FIGURE).all()
    assert figures, f"{path} has no interactive figure; a page has one at least."
    for figure in figures:
        picture = figure.locator(PICTURE).filter(visible=True)
        assert picture.count() == 1
        assert len(picture.get_attribute("alt") or picture.get_attribute("aria-label")) > 40
        assert figure.locator("figcaption").text_content()
        figure.locator("summary").click()
        assert figure.locator("table.hw-table").is_visible()


@pytest.mark.parametrize("path", LOOKED_AT)
def test_each_figure_lives_dark_and_still_on_a_telephone_and_is_a_picture_on_paper(
    site, visit, path
):
    page = visit(f"{site}/{path}", mode="dark", width=390, reduced_motion="reduce").page
    unfold(page)
    page.evaluate(OPEN_ANSWERS)
    figures = page.locator(FIGURE)
    for figure in figures.all():
        assert figure.get_attribute("data-mounted") == ""
        title = figure.get_attribute("aria-labelledby")
        assert page.locator(f"#{title}").text_content()
        assert figure.get_by_role("status").text_content() == "", "nothing is said at the start"
        ground = figure.evaluate("(node) => getComputedStyle(node).backgroundColor")
        assert ground == "rgb(20, 24, 30)"
        box = figure.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        stage = figure.locator(".hw-stage")
        assert stage.evaluate("(node) => node.scrollWidth <= node.clientWidth + 1")
    assert figures.evaluate_all(MOVING) == []
    page.emulate_media(media="print")
    for figure in figures.all():
        assert figure.locator(PICTURE).filter(visible=True).count() == 1
        assert not figure.locator(".hw-stage").is_visible()


@pytest.mark.parametrize("path", LOOKED_AT)
def test_a_figure_looks_the_same_if_the_shared_style_comes_once_more_behind_its_own(
    site, visit, path
):
    # So it is in a notebook, where each output brings the base and what it adds.
    shared = [*FIGURES.glob("parts/*.css"), *FIGURES.glob("machine/*.css")]
    own = [*GALLERY.glob("shared/*.css"), *GALLERY.glob("*/*/*.css"), *shared]
    texts = [IMPORT.sub("", sheet.read_text(encoding="utf-8")) for sheet in own]
    page = visit(f"{site}/{path}", reduced_motion="reduce").page
    assert page.evaluate(LOOKS, [site_style(), "\n".join([*texts, base_style()])]) == []


def test_what_may_move_moves_for_readers_who_do_not_mind(site, visit):
    page = visit(f"{site}/book/09-many-heads.html", reduced_motion="no-preference").page
    assert page.locator(FIGURE).evaluate_all(MOVING)


def test_a_page_opened_from_disk_works_too(built_book, visit):
    page = visit((built_book / "book" / "01-one-hot.html").as_uri()).page
    figure, data = figure_of(page, "row_lookup")
    figure.get_by_role("button", name=data["words"][2]).click()
    assert amounts(figure.locator("tfoot td")) == pytest.approx(data["table"][2], abs=0.006)
    assert page.evaluate("document.fonts.load('1em KaTeX_Main').then((fonts) => fonts.length)") == 1
