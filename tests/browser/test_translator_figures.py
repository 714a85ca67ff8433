"""The figures of chapter 13, operated by mouse and by keyboard."""

import re
from dataclasses import asdict

import numpy as np
import pytest
import torch
from playwright.sync_api import expect

from headway.figures.core.scripts import es_module
from headway.figures.core.styles import site_style
from headway.figures.gallery.live_translator import Machine, Translated, live_translator
from headway.models.translator import Translator, TranslatorConfig
from tests.browser.figure import announced, figure_of, number, numbers

pytestmark = [pytest.mark.book, pytest.mark.browser]

CHAPTER = "book/13-translator.html"


def cells_of(figure):
    """The weights as printed, row by row."""
    return [
        [number(text) for text in row.locator("td").all_text_contents()]
        for row in figure.locator("table.hw-heat-map tbody tr").all()
    ]


@pytest.mark.full
def test_the_alignment_shows_the_weights_of_each_head_and_sentence(chapter):
    figure, data = figure_of(chapter, "alignment")
    assert cells_of(figure) == data["cases"][0]["weights"][0]
    figure.get_by_role("combobox", name="Head").select_option(label="head 2")
    assert cells_of(figure) == data["cases"][0]["weights"][3]
    last = len(data["cases"]) - 1
    figure.get_by_role("combobox", name="Sentence").select_option(str(last))
    assert cells_of(figure) == data["cases"][last]["weights"][3]
    heads = figure.locator("th[role=columnheader]").all_text_contents()
    assert heads == data["cases"][last]["source"]


def test_the_adjective_is_seen_to_cross_over(chapter):
    figure, data = figure_of(chapter, "alignment")
    case = data["cases"][0]
    assert case["target"][data["row"]] == "rouge"
    assert "says “rouge”, the decoder gives “red” the weight" in figure.inner_text()
    assert "against the order of the source: “house” before “red”" in figure.inner_text()


def test_the_arrow_keys_move_through_the_alignment(chapter):
    figure, data = figure_of(chapter, "alignment")
    case = data["cases"][0]
    figure.locator(".hw-cursor").focus()
    chapter.keyboard.press("ArrowUp")
    chapter.keyboard.press("ArrowRight")
    for _ in range(30):
        chapter.keyboard.press("ArrowRight")
    word, weight = case["target"][data["row"] - 1], case["weights"][0][data["row"] - 1][-1]
    shown = figure.locator(".hw-sentence").text_content()
    assert f"“{word}”, the decoder gives “{case['source'][-1]}” the weight" in shown
    assert number(re.findall(r"\d+(?:\.\d+)?", shown)[-1]) == weight
    assert figure.locator(".hw-cursor:focus").count() == 1


def test_a_click_reads_a_cell_out(chapter):
    figure, data = figure_of(chapter, "alignment")
    figure.locator("tbody tr").nth(1).locator("td").nth(2).click()
    case = data["cases"][0]
    assert f"“{case['target'][1]}”" in figure.locator(".hw-sentence").text_content()
    assert f"“{case['source'][2]}”" in figure.locator(".hw-sentence").text_content()


def test_the_slider_walks_along_the_schedule(chapter):
    figure, data = figure_of(chapter, "schedule_curves")
    slider = figure.get_by_role("slider", name="Step")
    slider.focus()
    chapter.keyboard.press("Home")
    assert "Step 1: the rate is" in figure.inner_text()
    assert slider.get_attribute("aria-valuetext") == "step 1"
    chapter.keyboard.press("End")
    curve = data["rates"][data["width"]][data["warmup"]]
    shown = figure.locator(".hw-sentence").text_content()
    assert number(re.search(r"rate is (0\.\d+)", shown)[1]) == pytest.approx(curve[-1], abs=6e-6)
    assert "falls" in shown
    figure.get_by_role("combobox", name="Warm-up").select_option(label="8000 steps")
    peak = max(data["rates"][data["width"]][2])
    shown = figure.locator(".hw-doubt").text_content()
    assert number(re.search(r"peak, (0\.\d+)", shown)[1]) == pytest.approx(peak, abs=6e-6)
    assert "at step 8000" in shown


def rows_of(table):
    return [
        [
            cell.text_content().removesuffix(" (not the true word)")
            for cell in row.locator("td").all()
        ]
        for row in table.locator("tbody tr").all()
    ]


@pytest.mark.full
def test_the_inputs_stand_side_by_side_and_the_untrue_ones_stand_out(chapter):
    figure, data = figure_of(chapter, "decoder_inputs")
    for one, case in enumerate(data["cases"]):
        figure.get_by_role("combobox", name="Sentence").select_option(str(one))
        truth = ["<start>", *case["target"]]
        for way in case["ways"][data["chosen"]]:
            table = figure.locator(f"table[data-way='{way['name']}']")
            expected = [
                [read or "–", said or "–"]
                for read, said in zip(way["read"], way["said"], strict=True)
            ]
            assert rows_of(table) == expected
            off = sum(
                bool(word) and word != true[t]
                for words, true in ((way["read"], truth), (way["said"], case["target"]))
                for t, word in enumerate(words)
            )
            assert table.locator(".hw-inputs-off").count() == off


def test_teacher_forcing_reads_true_words_only_and_the_keyboard_changes_the_model(chapter):
    figure, data = figure_of(chapter, "decoder_inputs")
    assert "teacher forcing: 0" in figure.locator(".hw-sentence").text_content()
    figure.get_by_role("combobox", name="Model after").focus()
    chapter.keyboard.press("End")
    way = data["cases"][0]["ways"][-1][-1]
    table = figure.locator(f"table[data-way='{way['name']}']")
    assert [row[0] for row in rows_of(table)] == [word or "–" for word in way["read"]]


def readings(figure):
    return {
        part.get_attribute("data-reading"): part.text_content()
        for part in figure.locator("dd").all()
    }


def shape_in(figure):
    return tuple(
        int(n) for n in re.findall(r"\d+", readings(figure)["in numbers"].replace(",", " "))
    )


def test_a_longer_source_changes_the_cross_weights_and_not_the_logits(chapter):
    figure, data = figure_of(chapter, "shape_tracker")
    sizes = data["models"][0]["sizes"]
    assert readings(figure)["shape"] == "(B, H, T, S)"
    assert shape_in(figure) == (2, sizes["H"], 20, 10)
    figure.get_by_role("slider", name="Source tokens S").focus()
    chapter.keyboard.press("End")
    assert shape_in(figure) == (2, sizes["H"], 20, data["most"]["S"])
    figure.get_by_role("button", name="logits").click()
    assert shape_in(figure) == (2, 20, sizes["V"])
    assert figure.locator("button[aria-pressed=true]").count() == 1


def test_the_arrow_keys_walk_through_the_stages(chapter):
    figure, data = figure_of(chapter, "shape_tracker")
    figure.locator("button[aria-pressed=true]").focus()
    for _ in data["stages"]:
        chapter.keyboard.press("ArrowUp")
    assert readings(figure)["shape"] == "(B, S)"
    assert shape_in(figure) == (2, 10)
    figure.get_by_role("combobox", name="Model").select_option(label="paper, big")
    chapter.keyboard.press("Tab")
    figure.get_by_role("button", name="memory").click()
    assert readings(figure)["in numbers"] == "(2, 10, 1,024)"
    assert readings(figure)["numbers in all"] == "20,480"


# The translator at work ---------------------------------------------------------------------------


def french(figure):
    """The translation that is shown."""
    return figure.locator(".hw-sentence").text_content().removeprefix("French: ")


def typed_into(figure, text):
    """Type a sentence as a reader would, and wait until something new is said about it."""
    field = figure.get_by_role("combobox", name="English sentence")
    field.click()
    field.fill(text)
    return field


def test_the_translator_works_on_what_is_typed(chapter):
    figure, data = figure_of(chapter, "live_translator")
    assert french(figure) == "il ne veut pas de petite maison"
    typed_into(figure, "My old neighbors do not see the green apples.")
    expect(figure.locator(".hw-sentence")).to_have_text(
        "French: mes vieux voisins ne voient pas les pommes vertes"
    )
    assert announced(figure) == figure.locator(".hw-sentence").text_content()
    for text in data["examples"]:
        figure.get_by_role("combobox", name="Example").select_option(label=text)
        expect(figure.locator(".hw-live-translator-field input")).to_have_value(text)
    typed_into(figure, "the zebra")
    expect(figure.locator(".hw-doubt")).to_contain_text("not “zebra”")


def part(figure, place):
    """The button of this place in the drawing that is seen."""
    return figure.locator(f"svg:visible [data-place='{place}']")


def press(figure, place):
    """Press a part; a frame by its name, because other parts stand in it."""
    part(figure, place).locator("text").click()
    expect(part(figure, place)).to_have_attribute("aria-pressed", "true")


def opened(figure):
    """The sentence about the numbers that are open."""
    return figure.locator(".hw-live-translator-opened > p").first


def test_the_browser_computes_the_numbers_that_torch_computed(chapter):
    figure, data = figure_of(chapter, "live_translator")

    def shown():
        texts = [figure.locator("table.hw-heat-map").first.inner_text()]
        press(figure, "next-word")
        texts.append(figure.locator("table.hw-bars").inner_text())
        press(figure, "decoder cross-attention heads")
        return texts

    alignment, bars = shown()
    typed_into(figure, "I see")
    expect(figure.locator("table.hw-heat-map thead").first).not_to_contain_text("house")
    typed_into(figure, data["example"]["text"])
    expect(figure.locator("table.hw-heat-map thead").first).to_contain_text("house")
    again, bars_again = shown()
    assert numbers(again) == pytest.approx(numbers(alignment), abs=0.011)
    assert numbers(bars_again) == pytest.approx(numbers(bars), abs=0.0051)


@pytest.mark.full
def test_words_are_completed_from_the_keyboard(chapter):
    figure, _ = figure_of(chapter, "live_translator")
    field = typed_into(figure, "the sma")
    options = figure.get_by_role("listbox").get_by_role("option")
    expect(options).to_have_text(["small"])
    chapter.keyboard.press("ArrowDown")
    assert field.get_attribute("aria-activedescendant") == options.first.get_attribute("id")
    chapter.keyboard.press("Enter")
    expect(field).to_have_value("the small ")
    expect(options.first).to_be_visible()
    chapter.keyboard.press("Escape")
    expect(options).to_have_count(0)
    chapter.keyboard.type("cats see the hou")
    chapter.keyboard.press("ArrowUp")
    chapter.keyboard.press("Tab")
    assert field.input_value().startswith("the small cats see the house")
    expect(figure.locator(".hw-sentence")).to_contain_text("les petits chats voient")


def test_a_part_that_is_pressed_while_words_are_offered_opens(chapter):
    figure, _ = figure_of(chapter, "live_translator")
    typed_into(figure, "the small")
    chapter.keyboard.type(" ")
    expect(figure.locator("li").first).to_be_visible()
    press(figure, "encoder tokens")
    expect(figure.locator("li")).to_have_count(0)


def test_every_part_of_the_machine_opens_on_its_numbers(chapter):
    figure, data = figure_of(chapter, "live_translator")
    S, T = len(data["example"]["source"]), len(data["example"]["said"])
    places = figure.locator("svg:visible [role=button]").evaluate_all(
        "(all) => all.map((one) => one.dataset.place)"
    )
    said = []
    for place in places:
        press(figure, place)
        expect(opened(figure)).not_to_have_text(said[-1] if said else "")
        said.append(opened(figure).inner_text())
        name = part(figure, place).get_attribute("aria-label")
        assert said[-1].lower().startswith(name.lower())
        assert figure.locator("svg:visible [aria-pressed=true]").count() == 1
        assert figure.locator(".hw-live-translator-opened tbody tr").count() >= 1
    assert len(set(said)) == len(places) > 20
    press(figure, "encoder attention")
    expect(figure.locator(".hw-live-translator-opened tbody tr")).to_have_count(3 * S)
    figure.get_by_role("combobox", name="Head").select_option(label="head 3")
    expect(opened(figure)).to_contain_text("head 3")
    press(figure, "decoder attention cache")
    word = figure.get_by_role("button", name=data["example"]["said"][3], exact=True)
    word.focus()
    chapter.keyboard.press("Enter")
    expect(opened(figure)).to_contain_text(f"Step 4: 4 of {T} slots filled")
    assert figure.locator("tbody th", has_text="empty").count() == T - 4
    slots = figure.locator(".hw-live-translator-opened tbody").nth(1).locator("tr")
    weights = [numbers(text)[-1] for text in slots.all_inner_texts()[:4]]
    assert sum(weights) == pytest.approx(1, abs=0.021)
    expect(figure.get_by_role("status")).to_have_text(opened(figure).text_content())


def test_the_machine_is_walked_with_the_keyboard_and_says_what_is_open(chapter):
    figure, _ = figure_of(chapter, "live_translator")
    figure.get_by_role("button", name="<end>", exact=True).focus()
    chapter.keyboard.press("Tab")
    pressed = figure.locator("svg:visible [aria-pressed=true]")
    focused = figure.locator("svg:visible [role=button]:focus")
    assert focused.get_attribute("data-place") == "decoder cross-attention heads"
    stroke = "(one) => getComputedStyle(one.querySelector('rect')).strokeWidth"
    assert focused.evaluate(stroke) == "3px"
    chapter.keyboard.press("ArrowLeft")
    expect(pressed).to_have_attribute("data-place", "decoder cross-attention")
    expect(figure.get_by_role("status")).to_contain_text("Cross-attention, decoder")
    assert figure.get_by_role("status").text_content() == opened(figure).text_content()
    described = figure.locator("svg:visible").get_attribute("aria-describedby")
    assert figure.locator(f"#{described}").text_content() == opened(figure).text_content()
    chapter.keyboard.press("End")
    expect(opened(figure)).to_contain_text("Choice. Step ")
    assert focused.get_attribute("data-place") == "choice"
    chapter.keyboard.press("ArrowRight")  # there is nothing behind it
    assert focused.get_attribute("data-place") == "choice"
    chapter.keyboard.press("Home")
    expect(opened(figure)).to_contain_text("what comes out is the memory")
    chapter.keyboard.press("Tab")
    assert focused.count() == 0, "one stop for all parts"


AS_IN_A_NOTEBOOK = """async ([module, given]) => {
  const { default: figure } = await import("data:text/javascript," + encodeURIComponent(module));
  figure.render({ model: { get: (name) => given[name] }, el: document.querySelector(".hw-stage") });
}"""


@pytest.mark.full
def test_of_several_blocks_the_reader_chooses_one(browser):
    english, french = ["<end>", *"abc"], ["<end>", "<start>", *"klm"]
    config = TranslatorConfig(
        vocabulary=5, source_vocabulary=4, context=8, width=8, heads=2, layers=1, decoder_layers=3
    )
    model = Translator(config, torch.Generator().manual_seed(0))
    large = {name: 10 * weight.numpy() for name, weight in model.state_dict().items()}
    example = Translated(["a", "<end>"], ["k"], [[("k", 1.0)]], np.full((2, 1, 2), 0.5))
    made = live_translator(
        Machine(asdict(config), large, english, french, 1, 0, ["a"]), example, ["a"], "T", "C"
    )
    page = browser.new_page()
    page.set_content(f"<style>{site_style()}</style><article>{made.frame()}</article>")
    page.evaluate(AS_IN_A_NOTEBOOK, [es_module(made.script), vars(made) | {"draw": None}])
    figure = page.locator("[data-headway-figure]")
    block = figure.get_by_role("combobox", name="Block")
    expect(opened(figure)).to_contain_text("block 3 of 3")
    said = set()
    for name in ("block 1", "block 2", "block 3"):
        block.select_option(label=name)
        expect(opened(figure)).to_contain_text(f"{name} of 3")
        said.add(figure.locator("table.hw-heat-map").first.inner_text())
    assert len(said) == 3
    press(figure, "encoder attention heads")
    expect(opened(figure)).to_contain_text("block 1 of 1")
    expect(block).to_be_hidden()
    page.close()


def test_beams_show_what_else_was_considered(chapter):
    figure, data = figure_of(chapter, "live_translator")
    figure.get_by_role("combobox", name="Decode").select_option(label="beam search, 4 beams")
    expect(figure.locator(".hw-doubt")).to_contain_text("ln P / length")
    scores = [
        number(text)
        for text in re.findall(r"\((−?[\d.]+)\)", figure.locator(".hw-doubt").text_content())
    ]
    assert len(scores) == data["beams"]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.full
def test_the_model_is_loaded_once_and_only_when_it_is_used(site, visit):
    seen = visit(f"{site}/{CHAPTER}", settled=True)

    def loads():
        return [url for url in seen.bodies if "/attached/" in url]

    assert loads() == []
    figure, _ = figure_of(seen.page, "live_translator")
    for text in ("I see", "she sees a cat"):
        typed_into(figure, text)
    expect(figure.locator(".hw-sentence")).to_contain_text("elle voit un chat")
    assert len(loads()) == 1
    assert seen.bodies[loads()[0]] < 400_000


def test_the_front_page_runs_the_same_model_from_disk(built_book, visit):
    front, own = ((built_book / path).read_text("utf-8") for path in ("book/index.html", CHAPTER))
    name = re.search(r'data-name="(live_translator-\w+)"', own)[1]
    assert f'data-name="{name}"' in front
    page = visit((built_book / "book" / "index.html").as_uri()).page
    figure = page.locator("[data-headway-figure=live_translator]")
    typed_into(figure, "she sees a cat")
    expect(figure.locator(".hw-sentence")).to_contain_text("elle voit un chat")
