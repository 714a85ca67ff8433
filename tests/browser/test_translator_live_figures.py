"""The translator that works in the browser, operated by mouse and by keyboard."""

import re
from dataclasses import asdict

import numpy as np
import pytest
import torch
from playwright.sync_api import expect

from headway.figures.core.scripts import es_module
from headway.figures.core.styles import site_style
from headway.figures.gallery.translator.live_translator import Machine, Translated, live_translator
from headway.models.translator import Translator, TranslatorConfig
from tests.browser.figure import figure_of, number, numbers
from tests.full import full_but

pytestmark = [pytest.mark.book, pytest.mark.browser]

CHAPTER = "book/13-translator.html"


@pytest.fixture
def live(chapter):
    return figure_of(chapter, "live_translator")


def typed_into(figure, text):
    """Type a sentence as a reader would."""
    field = figure.get_by_role("combobox", name="Your own English sentence")
    field.click()
    field.fill(text)
    return field


def opened_machine(figure):
    figure.locator("summary", has_text="Open the machine").click()


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


def said(figure):
    """The French words in the picture that is seen, without the mark of the end."""
    return figure.locator("svg:visible .hw-answer:not([data-end])")


def expect_said(figure, french):
    expect(said(figure)).to_have_text(french.split())


def test_the_translator_works_on_what_is_typed(live):
    figure, data = live
    expect_said(figure, " ".join(data["example"]["said"][:-1]))
    typed_into(figure, "My old neighbors do not see the green apples.")
    expect_said(figure, "mes vieux voisins ne voient pas les pommes vertes")
    for text in data["examples"]:
        figure.get_by_role("button", name=text, exact=True).click()
        expect(figure.locator(".hw-live-translator-field input")).to_have_value(text)
        expect(figure.locator("svg:visible .hw-asked")).to_have_text(f"{text.replace(' ', '')}.")


def test_an_answer_to_another_text_does_not_look_current(live):
    figure, data = live
    opened_machine(figure)
    picture, machine = figure.locator(".hw-threads"), figure.locator(".hw-workshop")
    table = figure.locator(".hw-numbers")
    expect(table).to_be_visible()
    field = typed_into(figure, "hello world how are you")
    expect(figure.get_by_role("status")).to_contain_text("not “hello”, “world”, “how”, “are”")
    expect(figure.get_by_role("status")).to_be_visible()
    for part_of_it in (picture, machine):
        assert float(part_of_it.evaluate("(node) => getComputedStyle(node).opacity")) < 0.5
        assert part_of_it.evaluate("(node) => node.inert")
    expect(table).to_be_hidden()
    expect(figure.locator(".hw-threads-play")).to_be_disabled()
    field.fill("she sees a cat")
    expect_said(figure, "elle voit un chat")
    for part_of_it in (picture, machine):
        assert float(part_of_it.evaluate("(node) => getComputedStyle(node).opacity")) == 1
        assert not part_of_it.evaluate("(node) => node.inert")
    expect(figure.get_by_role("status")).to_have_text("")
    expect(table).to_be_hidden()  # its numbers are those of the first sentence
    field.fill(data["example"]["text"])
    expect(table).to_be_visible()


def test_a_model_that_cannot_be_loaded_is_said_and_the_old_answer_is_dimmed(site, visit):
    page = visit(f"{site}/{CHAPTER}").page
    figure, _ = figure_of(page, "live_translator")
    page.evaluate("() => { document.head.append = (script) => script.onerror(); }")
    typed_into(figure, "she sees a cat")
    expect(figure.get_by_role("status")).to_contain_text("could not be loaded")
    assert figure.locator(".hw-threads").evaluate("(node) => node.inert")


def test_a_word_lights_the_threads_to_where_the_decoder_looked(live):
    figure, data = live
    heads = np.array(data["example"]["weights"])
    looks = heads.mean(0).argmax(1)
    for t, word in enumerate(data["example"]["said"][:-1]):
        said(figure).nth(t).hover()
        lit = figure.locator("svg:visible .hw-thread.hw-lit")
        expect(lit).to_have_attribute("data-t", str(t))
        status = figure.get_by_role("status")
        expect(status).to_contain_text(
            f"For “{word}”, it looked at “{data['example']['source'][looks[t]]}”"
        )
    figure.page.mouse.move(0, 0)
    expect(figure.locator("svg:visible .hw-thread.hw-lit")).to_have_count(0)
    first = said(figure).first
    first.focus()
    figure.page.keyboard.press("Enter")
    expect(first).to_have_attribute("aria-pressed", "true")
    opened_machine(figure)
    expect(opened(figure)).to_contain_text(f"says “{data['example']['said'][0]}”")
    first.press(" ")
    expect(first).to_have_attribute("aria-pressed", "false")


def test_the_words_come_one_after_the_other_once_and_when_asked_again(site, visit):
    page = visit(f"{site}/{CHAPTER}", reduced_motion="no-preference").page
    figure = page.locator("[data-headway-figure=live_translator]")
    picture, button = figure.locator(".hw-threads"), figure.locator(".hw-threads-play")
    expect(button).to_have_text("Play")
    figure.scroll_into_view_if_needed()
    expect(button).to_have_text("Pause")
    at = """(node) => node.getAnimations({ subtree: true }).length"""
    assert picture.evaluate(at) > 0
    button.click()
    assert picture.evaluate(
        "(node) => node.getAnimations({ subtree: true }).every((one) => one.playState === 'paused')"
    )
    button.click()
    for _ in range(2):
        picture.evaluate(
            "(node) => node.getAnimations({ subtree: true }).forEach((one) => one.finish())"
        )
        expect(button).to_have_text("Play again")
        assert picture.evaluate(at) == 0
        button.click()
        expect(button).to_have_text("Pause")
    typed_into(figure, "she sees a cat")  # while one types, the answer is there at once
    expect_said(figure, "elle voit un chat")
    expect(button).to_have_text("Play again")
    figure.get_by_role("button", name="I love learning languages").click()
    expect(button).to_have_text("Pause")


def test_nothing_plays_for_readers_who_want_less_motion(site, visit):
    page = visit(f"{site}/{CHAPTER}", reduced_motion="reduce").page
    figure = page.locator("[data-headway-figure=live_translator]")
    figure.scroll_into_view_if_needed()
    expect(figure.locator(".hw-threads-play")).to_have_count(0)
    assert figure.evaluate("(node) => node.getAnimations({ subtree: true }).length") == 0
    expect(said(figure).last).to_be_visible()


def test_the_browser_computes_the_numbers_that_torch_computed(live):
    figure, data = live
    opened_machine(figure)
    table = figure.locator("table.hw-heat-map")

    def shown():
        alignment = numbers(table.inner_text())
        press(figure, "next-word")
        bars = numbers(figure.locator("table.hw-bars").inner_text())
        press(figure, "decoder cross-attention heads")
        return alignment, bars

    alignment, bars = shown()
    typed_into(figure, "I see")
    expect(table.locator("thead")).not_to_contain_text("star")
    typed_into(figure, data["example"]["text"])
    expect(table.locator("thead")).to_contain_text("star")
    assert shown() == (pytest.approx(alignment, abs=0.011), pytest.approx(bars, abs=0.0051))


def test_the_alignment_of_one_head_is_chosen(live):
    figure, data = live
    opened_machine(figure)
    table = figure.locator("table.hw-heat-map")
    heads = np.array(data["example"]["weights"])
    choice = figure.get_by_role("combobox", name="Weights")
    for name, weights in (("mean of the heads", heads.mean(0)), ("head 3", heads[2])):
        choice.select_option(label=name)
        expect(opened(figure)).to_contain_text(name)
        cells = numbers(" ".join(table.locator("td").all_inner_texts()))
        assert cells == pytest.approx(weights.ravel(), abs=0.0051)
    assert table.count() == 1


@pytest.mark.parametrize("width", full_but((390).__eq__, [390, 800, 1400]))
def test_what_is_opened_is_in_sight_and_moves_nothing(site, visit, width):
    page = visit(f"{site}/{CHAPTER}", width=width, reduced_motion="reduce").page
    figure, _ = figure_of(page, "live_translator")
    opened_machine(figure)
    tall = figure.bounding_box()["height"]
    for place in ("decoder cross-attention heads", "encoder attention", "choice", "logits"):
        press(figure, place)
        expect(opened(figure)).to_be_visible()
        assert figure.bounding_box()["height"] == pytest.approx(tall, abs=1)
    drawing = figure.locator("svg:visible:has([data-place])").bounding_box()
    panel = figure.locator(".hw-live-translator-opened").bounding_box()
    if width > 390:
        assert panel["x"] >= drawing["x"] + drawing["width"]
    assert panel["y"] + panel["height"] - drawing["y"] < 1000


@pytest.mark.full
def test_words_are_completed_from_the_keyboard(live):
    figure, _ = live
    keyboard, field = figure.page.keyboard, typed_into(figure, "the sma")
    options = figure.get_by_role("listbox").get_by_role("option")
    expect(options).to_have_text(["small"])
    keyboard.press("ArrowDown")
    assert field.get_attribute("aria-activedescendant") == options.first.get_attribute("id")
    keyboard.press("Enter")
    expect(field).to_have_value("the small ")
    expect(options.first).to_be_visible()
    keyboard.press("Escape")
    expect(options).to_have_count(0)
    keyboard.type("cats see the hou")
    keyboard.press("ArrowUp")
    keyboard.press("Tab")
    assert field.input_value().startswith("the small cats see the house")
    expect_said(figure, "les petits chats voient la maison")


def test_a_part_that_is_pressed_while_words_are_offered_opens(live):
    figure, _ = live
    opened_machine(figure)
    typed_into(figure, "the small")
    figure.page.keyboard.type(" ")
    expect(figure.locator("li").first).to_be_visible()
    press(figure, "encoder tokens")
    expect(figure.locator("li")).to_have_count(0)


def test_every_part_of_the_machine_opens_on_its_numbers(live):
    figure, data = live
    opened_machine(figure)
    S, T = len(data["example"]["source"]), len(data["example"]["said"])
    rows = figure.locator(".hw-live-translator-opened tbody tr")
    places = figure.locator("svg:visible [data-place]").evaluate_all(
        "(all) => all.map((one) => one.dataset.place)"
    )
    said = [""]
    for place in places:
        press(figure, place)
        expect(opened(figure)).not_to_have_text(said[-1])
        said.append(opened(figure).inner_text())
        name = part(figure, place).get_attribute("aria-label")
        assert said[-1].lower().startswith(name.lower())
        assert figure.locator("svg:visible [data-place][aria-pressed=true]").count() == 1
        assert rows.count() >= 1
    assert len(set(said[1:])) == len(places) > 20
    press(figure, "encoder attention")
    expect(rows).to_have_count(3 * S)
    figure.get_by_role("combobox", name="Head").select_option(label="head 3")
    expect(opened(figure)).to_contain_text("head 3")
    press(figure, "decoder attention cache")
    words = figure.get_by_role("group", name="Words said")
    words.get_by_role("button", name=data["example"]["said"][3], exact=True).press("Enter")
    expect(opened(figure)).to_contain_text(f"Step 4: 4 of {T} slots filled")
    assert figure.locator("tbody th", has_text="empty").count() == T - 4
    slots = figure.locator(".hw-live-translator-opened tbody").nth(1).locator("tr")
    weights = [numbers(text)[-1] for text in slots.all_inner_texts()[:4]]
    assert sum(weights) == pytest.approx(1, abs=0.021)


def test_the_machine_is_walked_with_the_keyboard_and_says_what_is_open(live):
    figure, _ = live
    opened_machine(figure)
    keyboard = figure.page.keyboard
    focused = figure.locator("svg:visible [data-place]:focus")
    figure.locator("summary", has_text="Open the machine").press("Tab")
    assert focused.get_attribute("data-place") == "decoder cross-attention heads"
    stroke = "(one) => getComputedStyle(one.querySelector('rect')).strokeWidth"
    assert focused.evaluate(stroke) == "3px"
    described = figure.locator("svg:visible:has([data-place])").get_attribute("aria-describedby")
    assert opened(figure).get_attribute("aria-live") == "polite"
    for key, place, says in (
        ("ArrowLeft", "decoder cross-attention", "Cross-attention, decoder"),
        ("End", "choice", "Choice. Step "),
        ("ArrowRight", "choice", "Choice. Step "),  # there is nothing behind it
        ("Home", "encoder", "what comes out is the memory"),
    ):
        keyboard.press(key)
        expect(opened(figure)).to_contain_text(says)
        assert focused.get_attribute("data-place") == place
        assert focused.get_attribute("aria-pressed") == "true"
        assert figure.locator(f"#{described}").text_content() == opened(figure).text_content()
    keyboard.press("Tab")
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
    machine = Machine(asdict(config), large, english, french, 1, 0, ["a"])
    example = Translated(["a", "<end>"], ["k"], [[("k", 1.0)]], np.full((2, 1, 2), 0.5))
    made = live_translator(machine, example, ["a"], "T", "C")
    page = browser.new_page()
    page.set_content(f"<style>{site_style()}</style><article>{made.frame()}</article>")
    page.evaluate(AS_IN_A_NOTEBOOK, [es_module(made.script), vars(made) | {"draw": None}])
    figure = page.locator("[data-headway-figure]")
    opened_machine(figure)
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


def test_beams_show_what_else_was_considered(live):
    figure, data = live
    opened_machine(figure)
    figure.get_by_role("combobox", name="Decode").select_option(label="beam search, 4 beams")
    press(figure, "choice")
    beams = figure.locator(".hw-live-translator-opened table").nth(1)
    expect(beams).to_contain_text("The beams that ended")
    scores = [number(text) for text in beams.locator("td").all_inner_texts()]
    assert len(scores) == data["beams"]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.full
def test_the_model_is_loaded_once_and_only_when_it_is_used(site, visit):
    seen = visit(f"{site}/{CHAPTER}", settled=True)
    assert not any("/attached/" in url for url in seen.bodies)
    figure, _ = figure_of(seen.page, "live_translator")
    for text in ("I see", "she sees a cat"):
        typed_into(figure, text)
    expect_said(figure, "elle voit un chat")
    (size,) = (size for url, size in seen.bodies.items() if "/attached/" in url)
    assert size < 400_000


def test_the_front_page_runs_the_same_model_from_disk(built_book, visit):
    front, own = ((built_book / path).read_text("utf-8") for path in ("book/index.html", CHAPTER))
    name = re.search(r'data-name="(live_translator-\w+)"', own)[1]
    assert f'data-name="{name}"' in front
    page = visit((built_book / "book" / "index.html").as_uri()).page
    figure = page.locator("[data-headway-figure=live_translator]")
    typed_into(figure, "she sees a cat")
    expect_said(figure, "elle voit un chat")
