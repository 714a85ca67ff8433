"""The figures of chapter 12, operated by mouse and by keyboard."""

import pytest
from playwright.sync_api import expect

from headway.figures.gallery.masked_model.patch_reach import seen
from headway.figures.gallery.masked_model.sense_layers import told
from tests.browser.figure import amounts, announced, drag, figure_of, numbers

pytestmark = [pytest.mark.book, pytest.mark.browser, pytest.mark.full]

CHAPTER = "book/12-masked-model.html"


def words_filled(figure):
    """The words offered for each blank, with their probabilities."""
    grids = figure.locator("table.hw-fill-in tbody").all()
    return [
        dict(zip(grid.locator("th").all_text_contents(), amounts(grid.locator("td:nth-child(2)")),
                 strict=True))
        for grid in grids
    ]  # fmt: skip


def test_the_blank_is_filled_at_first_and_the_engine_agrees_with_the_page(chapter):
    figure, data = figure_of(chapter, "fill_in")
    given = [dict(five) for five in data["filled"]]
    (first,) = words_filled(figure)
    assert first == pytest.approx(given[0], abs=0.0006)
    field = figure.get_by_role("textbox", name="Text")
    field.fill(data["examples"][0] + " ")
    announced(figure)
    (again,) = words_filled(figure)
    best = next(iter(given[0]))
    assert next(iter(again)) == best
    assert again[best] == pytest.approx(given[0][best], abs=0.01)  # weights in half precision
    table = figure.locator(".hw-numbers")
    expect(table).to_be_visible()
    field.fill("the submarine _")
    expect(figure.get_by_role("status")).to_contain_text("not “submarine”")
    expect(figure.locator(".hw-fault")).to_contain_text("not “submarine”")
    answers = figure.locator(".hw-outdated")
    expect(answers).to_have_count(2)  # the words to hide, and what fills them
    assert answers.evaluate_all("(all) => all.every((one) => one.inert)")
    expect(table).to_be_hidden()
    field.fill(data["examples"][0])
    expect(answers).to_have_count(0)
    expect(figure.locator(".hw-fault")).to_have_count(0)
    expect(table).to_be_visible()


def test_a_click_hides_a_word_and_the_keyboard_fills_it(chapter):
    figure, _ = figure_of(chapter, "fill_in")
    figure.get_by_role("group", name="Words to hide").get_by_role("button").first.click()
    announced(figure)
    one, _ = words_filled(figure)
    field = figure.get_by_role("textbox", name="Text")
    hidden, *rest = field.input_value().split(" ")
    assert hidden == "_"
    figure.get_by_role("button", name="word 1, hidden").press("Enter")
    expect(field).to_have_value(" ".join([next(iter(one)), *rest]))


def check_layer(figure, data, word, layer, here):
    given = data["words"][word]
    said = figure.locator(".hw-sentence").text_content()
    assert said.startswith(f"“{given['word']}” {told(layer)}: ")
    assert numbers(said)[-1] == pytest.approx(100 * given["shares"][layer], abs=0.51)
    reading = figure.locator(".hw-sense-reading").text_content()
    assert f"{given['senses'][given['of'][here]]}: “{given['texts'][here]}”" in reading
    assert figure.locator(".hw-sense-map .hw-sense").count() == len(given["texts"])


def test_the_keyboard_moves_through_the_layers_and_the_words(chapter):
    figure, data = figure_of(chapter, "sense_layers")
    last = data["start"]
    check_layer(figure, data, 0, last, 0)
    figure.get_by_role("slider", name="Layer").press("ArrowLeft")
    figure.get_by_role("combobox", name="Sentence").select_option(index=3)
    check_layer(figure, data, 0, last - 1, 3)
    figure.get_by_role("combobox", name="Word").select_option(index=1)
    check_layer(figure, data, 1, last - 1, 0)


def test_a_click_on_a_point_chooses_its_sentence(chapter):
    figure, data = figure_of(chapter, "sense_layers")
    box = figure.locator(".hw-sense-map .hw-sense").nth(5).bounding_box()
    chapter.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    announced(figure)
    here = int(figure.get_by_role("combobox", name="Sentence").input_value())
    points = data["words"][0]["points"][data["start"]]
    assert points[here] == pytest.approx(points[5], abs=0.05)
    check_layer(figure, data, 0, data["start"], here)


def check_reach(figure, data, place, layers):
    shape = len(data["image"]), len(data["image"][0])
    expected = [seen(shape, data["patch"], place, layers, k) for k in ("attention", "convolution")]
    assert amounts(figure.locator(".hw-reach-count")) == expected


def test_layers_are_added_and_a_patch_is_chosen_by_keyboard_and_mouse(chapter):
    figure, data = figure_of(chapter, "patch_reach")
    columns = len(data["image"][0]) // data["patch"]
    check_reach(figure, data, data["start"], 1)
    for slider in ("Layers", "Layers", "Patch"):
        figure.get_by_role("slider", name=slider).press("ArrowRight")
    check_reach(figure, data, data["start"] + 1, 3)
    drag(figure, figure.get_by_role("slider", name="Patch"), -200)
    check_reach(figure, data, (data["start"] + 1) // columns * columns, 3)
    box = figure.locator(".hw-reach-image").last.bounding_box()
    chapter.mouse.click(box["x"] + 0.55 * box["width"], box["y"] + 0.55 * box["height"])
    check_reach(figure, data, 3 * columns + 3, 3)
