"""The figures of chapter 12, operated by mouse and by keyboard."""

import pytest

from headway.figures.gallery.patch_reach import seen
from headway.figures.gallery.sense_layers import told
from tests.browser.figure import announced, figure_of, numbers

pytestmark = [pytest.mark.book, pytest.mark.browser, pytest.mark.full]

CHAPTER = "book/12-masked-model.html"


@pytest.fixture
def filling(chapter):
    return figure_of(chapter, "fill_in")


@pytest.fixture
def layers(chapter):
    return figure_of(chapter, "sense_layers")


@pytest.fixture
def patches(chapter):
    return figure_of(chapter, "patch_reach")


def words_filled(figure):
    """The words offered for each blank, with their probabilities."""
    found = []
    for grid in figure.locator("table.hw-fill-in").all():
        names = grid.locator("tbody th").all_text_contents()
        shares = grid.locator("tbody td:nth-child(2)").all_text_contents()
        found.append(dict(zip(names, (float(share) for share in shares), strict=True)))
    return found


def test_the_blank_is_filled_at_first_and_the_engine_agrees_with_the_page(filling):
    figure, data = filling
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


def test_a_click_hides_a_word_and_the_keyboard_fills_it(filling):
    figure, _ = filling
    figure.get_by_role("group", name="Words to hide").get_by_role("button").first.click()
    announced(figure)
    one, _ = words_filled(figure)
    field = figure.get_by_role("textbox", name="Text")
    assert field.input_value().split()[0] == "_"
    blank = figure.get_by_role("button", name="word 1, hidden")
    blank.focus()
    figure.page.keyboard.press("Enter")
    figure.page.wait_for_function(
        "([node, word]) => node.value.split(' ')[0] === word",
        arg=[field.element_handle(), next(iter(one))],
    )


def test_a_word_that_the_model_does_not_know_is_named(filling):
    figure, _ = filling
    figure.get_by_role("textbox", name="Text").fill("the submarine _")
    assert "not “submarine”" in announced(figure)


def check_layer(figure, data, word, layer, here):
    given = data["words"][word]
    said = figure.locator(".hw-sentence").text_content()
    assert said.startswith(f"“{given['word']}” {told(layer)}: ")
    assert numbers(said)[-1] == pytest.approx(100 * given["shares"][layer], abs=0.51)
    reading = figure.locator(".hw-sense-reading").text_content()
    assert f"{given['senses'][given['of'][here]]}: “{given['texts'][here]}”" in reading
    assert figure.locator(".hw-sense-map .hw-sense").count() == len(given["texts"])


def test_the_keyboard_moves_through_the_layers_and_the_words(layers):
    figure, data = layers
    last = data["start"]
    check_layer(figure, data, 0, last, 0)
    figure.get_by_role("slider", name="Layer").focus()
    figure.page.keyboard.press("ArrowLeft")
    check_layer(figure, data, 0, last - 1, 0)
    figure.get_by_role("combobox", name="Sentence").select_option(index=3)
    check_layer(figure, data, 0, last - 1, 3)
    figure.get_by_role("combobox", name="Word").select_option(index=1)
    check_layer(figure, data, 1, last - 1, 0)


def test_a_click_on_a_point_chooses_its_sentence(layers):
    figure, data = layers
    mark = figure.locator(".hw-sense-map .hw-sense").nth(5)
    box = mark.bounding_box()
    figure.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    announced(figure)
    here = int(figure.get_by_role("combobox", name="Sentence").input_value())
    points = data["words"][0]["points"][data["start"]]
    assert points[here] == pytest.approx(points[5], abs=0.05)
    check_layer(figure, data, 0, data["start"], here)


def check_reach(figure, data, place, layers):
    shape = len(data["image"]), len(data["image"][0])
    said = figure.locator(".hw-reach-count").all_text_contents()
    found = [numbers(text)[0] for text in said]
    expected = [seen(shape, data["patch"], place, layers, k) for k in ("attention", "convolution")]
    assert found == expected


def test_the_keyboard_adds_layers_and_chooses_a_patch(patches):
    figure, data = patches
    check_reach(figure, data, data["start"], 1)
    figure.get_by_role("slider", name="Layers").focus()
    for _ in range(2):
        figure.page.keyboard.press("ArrowRight")
    check_reach(figure, data, data["start"], 3)
    figure.get_by_role("slider", name="Patch").focus()
    figure.page.keyboard.press("ArrowRight")
    check_reach(figure, data, data["start"] + 1, 3)


def test_a_click_chooses_the_patch_under_it(patches):
    figure, data = patches
    image = figure.locator(".hw-reach-image").last
    box = image.bounding_box()
    figure.page.mouse.click(box["x"] + 0.55 * box["width"], box["y"] + 0.55 * box["height"])
    columns = len(data["image"][0]) // data["patch"]
    check_reach(figure, data, 3 * columns + 3, 1)
