"""The figures of chapter 5, operated by mouse and by keyboard."""

import pytest

from headway.figures.gallery.shared.tokens import shown
from headway.figures.gallery.tokens.live_tokens import of_size
from headway.text.byte_pair import BYTES, BytePairTokenizer
from tests.browser.figure import amounts, announced, figure_of, number, numbers

pytestmark = [pytest.mark.book, pytest.mark.browser, pytest.mark.full]

CHAPTER = "book/05-tokens.html"


def check_cut(figure, data, text, merges, ties=None):
    """The text is cut as the package cuts it when it has learned so many merges from it."""
    known = BytePairTokenizer.train([text], 296, ties=ties or data["ties"])
    made = BytePairTokenizer(known.symbols, known.merges[:merges]).tokens(text)
    assert figure.locator(".hw-tokens li").all_text_contents() == [shown(token) for token in made]
    return len(known.merges)


def test_the_keyboard_merges_to_the_end_and_back(chapter):
    figure, data = figure_of(chapter, "merge_steps")
    text, merge = data["texts"][0], figure.get_by_role("button", name="Merge")
    last = check_cut(figure, data, text, 0)
    for merges in range(1, last + 2):  # once more than there is to merge
        merge.press("Enter")
        check_cut(figure, data, text, merges)
    assert "training ends" in figure.locator(".hw-drawn").first.text_content()
    assert merge.get_attribute("aria-disabled") == "true"
    figure.get_by_role("button", name="Back").press("Enter")
    check_cut(figure, data, text, last - 1)
    assert announced(figure)


def test_pairs_are_counted_and_merged_by_either_rule_in_a_typed_text_too(chapter):
    figure, data = figure_of(chapter, "merge_steps")
    merge, rows = figure.get_by_role("button", name="Merge"), ".hw-merge-steps-pairs tbody tr"
    first = figure.locator(rows).first
    assert "hw-lit" in first.get_attribute("class")
    assert first.locator("td").all_text_contents() == ["4", "is merged next"]
    merge.click()
    says = figure.locator(f"{rows} td:last-child").all_text_contents()
    assert says[:3] == ["is merged next", "as often", ""]
    names = [name for name, _ in data["rules"]]
    for ties in ("greatest", "smallest"):
        rules = figure.get_by_role("combobox", name="Of equal pairs, merge")
        rules.select_option(str(names.index(ties)))
        merge.click()
        merge.click()
        check_cut(figure, data, data["texts"][0], 2, ties)
    field = figure.get_by_role("textbox", name="Text")
    field.fill("né né né")
    merge.click()
    check_cut(figure, data, "né né né", 1, "smallest")
    field.fill("")
    assert figure.locator(".hw-tokens li").count() == 0
    figure.get_by_role("combobox", name="Example").select_option("1")
    assert field.input_value() == data["texts"][1]
    check_cut(figure, data, data["texts"][1], 0)


@pytest.fixture
def live(chapter):
    """The figure, its data, and the tokenizer that the page has been given, as the package's."""
    figure, data = figure_of(chapter, "live_tokens")
    pairs, symbols, merges = data["pairs"], list(BYTES), []
    for left, right in zip(pairs[::2], pairs[1::2], strict=True):
        merges.append((symbols[left], symbols[right]))
        if b"".join(merges[-1]) not in symbols:
            symbols.append(b"".join(merges[-1]))
    return figure, data, BytePairTokenizer(symbols, merges)


def check_live(figure, data, tokenizer, text, at):
    """The text is cut as the package cuts it, and counted for each size of the vocabulary."""
    now = of_size(tokenizer, data["sizes"][at])
    ids = [token[0] if len(token) == 1 else now.symbols.index(token) for token in now.tokens(text)]
    parts = figure.locator(".hw-tokens li")
    names = parts.locator("span").all_text_contents()
    assert names == [shown(token) for token in now.tokens(text)]
    assert [int(number(id)) for id in parts.locator("small").all_text_contents()] == ids
    said = numbers(figure.locator(".hw-sentence").text_content().replace(",", ""))
    assert said == [len(text), len(text.encode()), len(ids), data["sizes"][at]]
    counts = amounts(figure.locator(".hw-live-tokens-sizes tbody td:nth-of-type(1)"))
    assert counts == [len(of_size(tokenizer, size).encode(text)) for size in data["sizes"]]


def test_what_is_typed_is_cut_as_the_package_cuts_it(live):
    figure, data, tokenizer = live
    field = figure.get_by_role("textbox", name="Text")
    for text in ("don't  stop, 3 quokkas 🙂", "x", "漢字 ½ <b>"):
        field.fill(text)
        check_live(figure, data, tokenizer, text, data["start"])
    field.fill("")
    assert figure.locator(".hw-tokens li").count() == 0
    said = figure.locator(".hw-sentence").text_content()
    assert said.startswith("0 characters, 0 bytes: 0 tokens")
    assert announced(figure)
    last = len(data["examples"]) - 1
    figure.get_by_role("combobox", name="Example").select_option(str(last))
    check_live(figure, data, tokenizer, data["examples"][last], data["start"])


def test_the_keyboard_moves_the_size_of_the_vocabulary(live):
    figure, data, tokenizer = live
    check_live(figure, data, tokenizer, data["examples"][0], data["start"])
    size = figure.get_by_role("slider", name="Size of the vocabulary")
    size.press("Home")
    for at in range(len(data["sizes"])):
        check_live(figure, data, tokenizer, data["examples"][0], at)
        assert size.get_attribute("aria-valuetext") == f"{data['sizes'][at]:,} symbols"
        size.press("ArrowRight")
