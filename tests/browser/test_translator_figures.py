"""The figures of chapter 13 but the translator itself, operated by mouse and by keyboard."""

import re

import pytest

from tests.browser.figure import amounts, figure_of, number, readings

pytestmark = [pytest.mark.book, pytest.mark.browser]

CHAPTER = "book/13-translator.html"


@pytest.mark.full
def test_the_alignment_shows_the_weights_of_each_head_and_sentence(chapter):
    figure, data = figure_of(chapter, "alignment")

    def check(case, head):
        rows = figure.locator("table.hw-heat-map tbody tr").all()
        assert [amounts(row.locator("td")) for row in rows] == case["weights"][head]
        assert figure.locator("th[role=columnheader]").all_text_contents() == case["source"]

    first, last = data["cases"][0], data["cases"][-1]
    check(first, 0)
    figure.get_by_role("combobox", name="Head").select_option(label="head 2")
    check(first, 3)
    figure.get_by_role("combobox", name="Sentence").select_option(str(len(data["cases"]) - 1))
    check(last, 3)


def test_the_alignment_is_read_out_cell_by_cell(chapter):
    figure, data = figure_of(chapter, "alignment")
    case, row, said = data["cases"][0], data["row"], figure.locator(".hw-sentence")
    assert case["target"][row] == "rouge"
    assert "says “rouge”, the decoder gives “red” the weight" in said.text_content()
    assert "against the order of the source: “house” before “red”" in figure.inner_text()
    figure.locator(".hw-cursor").focus()
    chapter.keyboard.press("ArrowUp")
    for _ in range(30):  # more than there are words
        chapter.keyboard.press("ArrowRight")
    word, of = case["target"][row - 1], case["source"][-1]
    assert f"“{word}”, the decoder gives “{of}” the weight" in said.text_content()
    weight = number(re.findall(r"\d+(?:\.\d+)?", said.text_content())[-1])
    assert weight == case["weights"][0][row - 1][-1]
    assert figure.locator(".hw-cursor:focus").count() == 1
    figure.locator("tbody tr").nth(1).locator("td").nth(2).click()
    assert f"“{case['target'][1]}”" in said.text_content()
    assert f"“{case['source'][2]}”" in said.text_content()


def test_the_slider_walks_along_the_schedule(chapter):
    figure, data = figure_of(chapter, "schedule_curves")
    slider = figure.get_by_role("slider", name="Step")
    slider.press("Home")
    assert "Step 1: the rate is" in figure.inner_text()
    assert slider.get_attribute("aria-valuetext") == "step 1"
    slider.press("End")
    rates = data["rates"][data["width"]]
    shown = figure.locator(".hw-sentence").text_content()
    rate = number(re.search(r"rate is (0\.\d+)", shown)[1])
    assert rate == pytest.approx(rates[data["warmup"]][-1], abs=6e-6)
    assert "falls" in shown
    figure.get_by_role("combobox", name="Warm-up").select_option(label="8000 steps")
    shown = figure.locator(".hw-doubt").text_content()
    peak = number(re.search(r"peak, (0\.\d+).*at step 8000", shown)[1])
    assert peak == pytest.approx(max(rates[2]), abs=6e-6)


def check_inputs(figure, data, case, model):
    """What the decoder read and said in each way, with what is not true standing out."""
    truth = ["<start>", *case["target"]]
    for way in case["ways"][model]:
        table = figure.locator(f"table[data-way='{way['name']}']")
        for column, words, true in ((1, way["read"], truth), (2, way["said"], case["target"])):
            cells = table.locator(f"tbody td:nth-of-type({column})")
            for place, (cell, word) in enumerate(zip(cells.all(), words, strict=True)):
                off = bool(word) and word != true[place]
                says = f"{word or '–'}{' (not the true word)' * off}"
                assert cell.text_content() == says
                assert cell.evaluate("(one) => one.matches('.hw-inputs-off')") == off


def test_inputs_stand_side_by_side_for_each_sentence_and_model(chapter):
    figure, data = figure_of(chapter, "decoder_inputs")
    assert "teacher forcing: 0" in figure.locator(".hw-sentence").text_content()
    last = len(data["cases"]) - 1
    figure.get_by_role("combobox", name="Sentence").select_option(str(last))
    check_inputs(figure, data, data["cases"][last], data["chosen"])
    figure.get_by_role("combobox", name="Model after").press("End")
    check_inputs(figure, data, data["cases"][last], -1)


def test_a_longer_source_changes_the_cross_weights_and_not_the_logits(chapter):
    figure, data = figure_of(chapter, "shape_tracker")
    sizes, most = data["models"][0]["sizes"], data["most"]["S"]

    def check(shape, *numbers):
        shown = readings(figure)
        assert shown["shape"] == shape
        assert shown["in numbers"] == f"({', '.join(f'{n:,}' for n in numbers)})"

    check("(B, H, T, S)", 2, sizes["H"], 20, 10)
    figure.get_by_role("slider", name="Source tokens S").press("End")
    check("(B, H, T, S)", 2, sizes["H"], 20, most)
    figure.get_by_role("button", name="logits").click()
    check("(B, T, V)", 2, 20, sizes["V"])
    pressed = figure.locator("button[aria-pressed=true]")
    pressed.focus()
    for _ in data["stages"]:
        chapter.keyboard.press("ArrowUp")
    check("(B, S)", 2, most)
    assert pressed.count() == 1
    figure.get_by_role("combobox", name="Model").select_option(label="paper, big")
    figure.get_by_role("button", name="memory").click()
    check("(B, S, C)", 2, most, 1024)
    assert readings(figure)["numbers in all"] == f"{2 * most * 1024:,}"
