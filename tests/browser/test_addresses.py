"""What a reader has set in a figure: kept in the address, and brought back by it."""

import pytest
from playwright.sync_api import expect

from tests.browser.figure import OPEN_SIDE_ROADS, figure_of, readings

pytestmark = [pytest.mark.book, pytest.mark.browser]

IN_VIEW = """(node) => {
  const { top, bottom } = node.getBoundingClientRect();
  return top < innerHeight && bottom > 0;
}"""
ONE_MORE = """(figure) => figure.after(figure.cloneNode(true))"""


def wait_until_kept(page, text):
    page.wait_for_function("(text) => location.search.includes(text)", arg=text)


def test_a_link_brings_back_what_was_set_and_the_figure_into_view(site, visit):
    page = visit(f"{site}/book/01-one-hot.html").page
    page.evaluate(OPEN_SIDE_ROADS)
    lookup = page.locator("[data-headway-figure=row_lookup]")
    figure = page.locator("[data-headway-figure=dot_product]")
    link = figure.get_by_role("button", name="Copy link")
    assert not link.is_visible(), "nothing is set yet"
    figure.get_by_role("slider").press("Home")
    wait_until_kept(page, "?dot_product.angle=-180")
    lookup.get_by_role("combobox", name="Word").first.select_option("2")
    wait_until_kept(page, "&row_lookup.first=2")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    link.click()
    expect(figure.get_by_role("button", name="Link copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert "?dot_product.angle=-180" in copied
    assert "row_lookup" not in copied
    there = visit(copied).page.locator("[data-headway-figure=dot_product]")
    assert readings(there) == readings(figure)
    assert readings(there)["words"] == "opposite"
    assert there.evaluate(IN_VIEW)
    assert there.get_by_role("status").text_content() == ""


def test_of_two_figures_of_a_kind_each_has_an_address_of_its_own(site, visit):
    page = visit(f"{site}/book/01-one-hot.html").page
    page.locator("[data-headway-figure=row_lookup]").evaluate(ONE_MORE)
    for which, key in ((0, "?row_lookup.first=2"), (1, "?row_lookup-2.first=2")):
        figure, data = figure_of(page, "row_lookup", which)
        figure.get_by_role("button", name=data["words"][2]).click()
        wait_until_kept(page, key)


def test_what_an_address_cannot_mean_is_left_out(site, visit):
    bad = "attention_explorer.query=1&attention_explorer.chosen=99&mask_painter.mask=11&x=1"
    page = visit(f"{site}/book/08-attention.html?{bad}").page
    explorer = page.locator("[data-headway-figure=attention_explorer]")
    assert explorer.get_by_role("combobox", name="Sentence").input_value() == "0"
    words = explorer.locator(".hw-attention-words button")
    assert words.nth(1).get_attribute("aria-pressed") == "true"
    painter = page.locator("[data-headway-figure=mask_painter]")
    assert painter.locator(".hw-painter-masks [aria-pressed=true]").count() == 1


def test_a_painted_mask_is_brought_back(site, visit):
    page = visit(f"{site}/book/08-attention.html").page
    figure, data = figure_of(page, "mask_painter")
    figure.locator(".hw-painter-cell").nth(5).click()
    mask = [bit for row in data["masks"][data["start"]][1] for bit in row]
    mask[5] = 1 - mask[5]
    wait_until_kept(page, "mask_painter.mask=" + "".join(str(int(bit)) for bit in mask))
    there = visit(page.url).page
    texts = there.locator(".hw-painter-cell").all_text_contents()
    assert [text != "×" for text in texts] == [bool(bit) for bit in mask]
