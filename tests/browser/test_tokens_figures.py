"""The figures of chapter 5, operated by mouse and by keyboard."""

import pytest

from headway.figures.gallery.live_tokens import of_size
from headway.figures.gallery.tokens import shown
from headway.text.byte_pair import BYTES, BytePairTokenizer
from tests.browser.figure import announced, figure_of, number, numbers

pytestmark = [pytest.mark.book, pytest.mark.browser, pytest.mark.full]

CHAPTER = "book/05-tokens.html"


@pytest.fixture
def steps(chapter):
    return figure_of(chapter, "merge_steps")


@pytest.fixture
def live(chapter):
    return figure_of(chapter, "live_tokens")


def cut(figure):
    """The tokens that are shown."""
    return figure.locator(".hw-tokens li").all_text_contents()


def learned(text, merges, ties):
    """The text as the package cuts it when it has learned so many merges from it."""
    known = BytePairTokenizer.train([text], 296, ties=ties)
    return [shown(t) for t in BytePairTokenizer(known.symbols, known.merges[:merges]).tokens(text)]


def test_the_keyboard_merges_to_the_end_and_back(steps):
    figure, data = steps
    text, ties = data["texts"][0], data["ties"]
    last = len(BytePairTokenizer.train([text], 296, ties=ties).merges)
    assert cut(figure) == learned(text, 0, ties)
    figure.get_by_role("button", name="Merge").focus()
    for merges in range(1, last + 2):  # once more than there is to merge
        figure.page.keyboard.press("Enter")
        assert cut(figure) == learned(text, min(merges, last), ties)
    assert "training ends" in figure.locator(".hw-drawn").first.text_content()
    assert figure.get_by_role("button", name="Merge").get_attribute("aria-disabled") == "true"
    figure.get_by_role("button", name="Back").press("Enter")
    assert cut(figure) == learned(text, last - 1, ties)


def test_the_other_rule_merges_another_pair(steps):
    figure, data = steps
    text = data["texts"][0]
    for ties in ("greatest", "smallest"):
        names = [name for name, _ in data["rules"]]
        rules = figure.get_by_role("combobox", name="Of equal pairs, merge")
        rules.select_option(str(names.index(ties)))
        assert cut(figure) == learned(text, 0, ties)
        for _ in range(2):
            figure.get_by_role("button", name="Merge").click()
        assert cut(figure) == learned(text, 2, ties)


def test_the_pairs_are_counted_and_the_one_that_is_merged_next_is_lit(steps):
    figure, _ = steps
    first = figure.locator(".hw-merge-steps-pairs tbody tr").first
    assert "hw-lit" in first.get_attribute("class")
    assert first.locator("td").all_text_contents() == ["4", "is merged next"]
    figure.get_by_role("button", name="Merge").click()
    rows = figure.locator(".hw-merge-steps-pairs tbody tr")
    assert [row.locator("td").last.text_content() for row in rows.all()[:3]] == [
        "is merged next", "as often", "",
    ]  # fmt: skip


def test_a_typed_text_is_learned_from_and_an_example_takes_its_place(steps):
    figure, data = steps
    field = figure.get_by_role("textbox", name="Text")
    field.fill("né né né")
    figure.get_by_role("button", name="Merge").click()
    assert cut(figure) == learned("né né né", 1, data["ties"])
    field.fill("")
    assert cut(figure) == []
    figure.get_by_role("combobox", name="Example").select_option("1")
    assert field.input_value() == data["texts"][1]
    assert cut(figure) == learned(data["texts"][1], 0, data["ties"])
    assert announced(figure)


@pytest.fixture
def tokenizer(live):
    """The tokenizer that the page has been given, as the package's."""
    pairs, symbols, merges = live[1]["pairs"], list(BYTES), []
    for left, right in zip(pairs[::2], pairs[1::2], strict=True):
        merges.append((symbols[left], symbols[right]))
        if b"".join(merges[-1]) not in symbols:
            symbols.append(b"".join(merges[-1]))
    return BytePairTokenizer(symbols, merges)


def check_live(figure, data, tokenizer, text, at):
    now = of_size(tokenizer, data["sizes"][at])
    ids = [token[0] if len(token) == 1 else now.symbols.index(token) for token in now.tokens(text)]
    parts = figure.locator(".hw-tokens li")
    names = parts.locator("span").all_text_contents()
    assert names == [shown(token) for token in now.tokens(text)]
    assert [int(number(id)) for id in parts.locator("small").all_text_contents()] == ids
    said = numbers(figure.locator(".hw-sentence").text_content().replace(",", ""))
    assert said == [len(text), len(text.encode()), len(ids), data["sizes"][at]]
    for size, row in zip(data["sizes"], figure.locator(".hw-live-tokens-sizes tbody tr").all(),
                         strict=True):  # fmt: skip
        count = len(of_size(tokenizer, size).encode(text))
        assert int(row.locator("td").first.text_content()) == count


def test_the_first_sentence_is_cut_as_the_package_cuts_it(live, tokenizer):
    figure, data = live
    check_live(figure, data, tokenizer, data["examples"][0], data["start"])


def test_what_is_typed_is_cut_as_the_package_cuts_it(live, tokenizer):
    figure, data = live
    field = figure.get_by_role("textbox", name="Text")
    for text in ("don't  stop, 3 quokkas 🙂", "x", "漢字 ½ <b>"):
        field.fill(text)
        check_live(figure, data, tokenizer, text, data["start"])
    field.fill("")
    assert figure.locator(".hw-tokens li").count() == 0
    said = figure.locator(".hw-sentence").text_content()
    assert said.startswith("0 characters, 0 bytes: 0 tokens")
    assert announced(figure)


def test_the_keyboard_moves_the_size_of_the_vocabulary(live, tokenizer):
    figure, data = live
    size = figure.get_by_role("slider", name="Size of the vocabulary")
    size.focus()
    figure.page.keyboard.press("Home")
    for at in range(len(data["sizes"])):
        check_live(figure, data, tokenizer, data["examples"][0], at)
        assert size.get_attribute("aria-valuetext") == f"{data['sizes'][at]:,} symbols"
        figure.page.keyboard.press("ArrowRight")


def test_an_example_takes_the_place_of_what_was_typed(live, tokenizer):
    figure, data = live
    figure.get_by_role("textbox", name="Text").fill("something")
    last = len(data["examples"]) - 1
    figure.get_by_role("combobox", name="Example").select_option(str(last))
    check_live(figure, data, tokenizer, data["examples"][last], data["start"])
