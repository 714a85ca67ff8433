"""The figures of chapter 15, operated by mouse and by keyboard."""

import pytest

from tests.browser.figure import figure_of, number

pytestmark = [pytest.mark.book, pytest.mark.browser, pytest.mark.full]

CHAPTER = "book/15-kv-cache.html"


def readings(figure):
    return {
        part.get_attribute("data-reading"): part.text_content()
        for part in figure.locator("dd[data-reading]").all()
    }


def statuses(figure):
    """What happens to each slot in the step that is shown."""
    return figure.locator("table.hw-cache-steps tbody td:nth-child(2)").all_text_contents()


def given(figure):
    """The weights that the newest token gives, of the slots that are filled."""
    cells = figure.locator(".hw-cache-steps-weight").all_text_contents()
    return [number(text) for text in cells if text]


def check_step(figure, data, step, layer, head):
    length = data["prompt"] + step
    empty = len(data["tokens"]) - length
    new = data["prompt"] if step == 0 else 1
    expected = ["kept"] * (length - new) + ["computed"] * new + [""] * empty
    assert statuses(figure) == expected
    assert given(figure) == pytest.approx(data["weights"][layer][head][length - 1], abs=0.006)
    shown = figure.locator(".hw-sentence").text_content()
    assert f"write “{data['written'][length - 1][0]}”" in shown
    assert number(readings(figure)["so far, with the cache"]) == length
    again = sum(range(data["prompt"], length + 1))
    assert number(readings(figure)["so far, without"]) == again


def test_each_press_fills_a_slot_and_the_prompt_is_read_at_once(chapter):
    figure, data = figure_of(chapter, "cache_steps")
    check_step(figure, data, data["steps"], data["layer"], data["head"])
    for _ in range(data["steps"]):
        figure.get_by_role("button", name="Step back").click()
    check_step(figure, data, 0, data["layer"], data["head"])
    assert "The prompt: read 5 tokens at once" in figure.inner_text()
    figure.get_by_role("button", name="Step back").press("Enter")  # stays at the beginning
    check_step(figure, data, 0, data["layer"], data["head"])
    last = len(data["tokens"]) - data["prompt"]
    figure.get_by_role("button", name="Next step").press("Enter")
    check_step(figure, data, 1, data["layer"], data["head"])
    for _ in range(last):  # once more than there are tokens
        figure.get_by_role("button", name="Next step").press("Enter")
    check_step(figure, data, last, data["layer"], data["head"])


def test_without_the_cache_every_row_is_computed_again(chapter):
    figure, data = figure_of(chapter, "cache_steps")
    assert readings(figure)["rows computed in this step"] == "1"
    figure.get_by_role("radio", name="with the cache").focus()
    chapter.keyboard.press("ArrowRight")
    length = data["prompt"] + data["steps"]
    assert statuses(figure)[:length] == ["computed again"] * (length - 1) + ["computed"]
    assert readings(figure)["rows computed in this step"] == str(length)
    assert figure.locator("table.hw-cache-steps tr.hw-lit").count() == length


def test_the_keyboard_reads_the_keys_and_values_of_each_head(chapter):
    figure, data = figure_of(chapter, "cache_steps")
    figure.get_by_role("combobox", name="Block").focus()
    chapter.keyboard.press("Home")
    figure.get_by_role("combobox", name="Head").focus()
    chapter.keyboard.press("End")
    last = len(data["keys"][0]) - 1
    check_step(figure, data, data["steps"], 0, last)
    figure.get_by_role("button", name=data["tokens"][0]).focus()
    chapter.keyboard.press("ArrowDown")
    detail = figure.locator(".hw-doubt").text_content()
    assert detail.startswith(f"Key of “{data['tokens'][1]}”")
    key, value = (part.split(": ")[1].split(", ") for part in detail.rstrip(".").split(". "))
    assert [number(x) for x in key] == data["keys"][0][last][1]
    assert [number(x) for x in value] == data["values"][0][last][1]


def test_the_swatches_tell_sign_and_size(chapter):
    figure, data = figure_of(chapter, "cache_steps")
    row = figure.locator("table.hw-cache-steps tbody tr").first
    strip = row.locator(".hw-cache-steps-strip").first.locator(".hw-cache-steps-number")
    below = strip.evaluate_all(
        "(cells) => cells.map((cell) => cell.classList.contains('hw-cache-steps-below'))"
    )
    key = data["keys"][data["layer"]][data["head"]][0]
    assert below == [x < 0 for x in key]
    sizes = strip.evaluate_all("(cells) => cells.map((c) => +c.style.getPropertyValue('--size'))")
    largest = max(range(len(key)), key=lambda d: abs(key[d]))
    assert max(sizes) == sizes[largest] > 0


# What of a drawing reaches over its frame.
OUTSIDE = """(chart) => {
  const frame = chart.getBoundingClientRect();
  return [...chart.querySelectorAll("text, path, circle")].filter((part) => {
    const box = part.getBoundingClientRect();
    return box.left < frame.left - 1 || box.right > frame.right + 1
      || box.top < frame.top - 1 || box.bottom > frame.bottom + 1;
  }).map((part) => part.outerHTML);
}"""


def spelled(text, unit):
    return number(text.removesuffix(f" {unit}"))


def test_the_slider_walks_along_the_length(chapter):
    figure, data = figure_of(chapter, "step_cost")
    slider = figure.get_by_role("slider", name="Length")
    menu = figure.get_by_role("combobox", name="Cost of one token")
    for which, cost in enumerate(data["costs"]):
        menu.select_option(str(which))
        slider.focus()
        chapter.keyboard.press("Home")
        for place, length in enumerate(data["lengths"][:3]):
            assert slider.get_attribute("aria-valuetext") == f"{length} tokens"
            shown = readings(figure)
            for name, way in zip(("with the cache", "without"), cost["ways"], strict=True):
                value = spelled(shown[name], cost["unit"])
                assert value == pytest.approx(way[place], rel=0.006, abs=0.5 * (value >= 1000))
            ratio = cost["ways"][1][place] / cost["ways"][0][place]
            assert number(shown["ratio"]) == pytest.approx(ratio, rel=0.006)
            assert f"Token {length}, {cost['name']}" in figure.inner_text()
            chapter.keyboard.press("ArrowRight")


def test_the_curves_stay_inside_the_chart(chapter):
    figure, data = figure_of(chapter, "step_cost")
    for which in range(len(data["costs"])):
        figure.get_by_role("combobox", name="Cost of one token").select_option(str(which))
        outside = figure.locator("svg.hw-step-cost").evaluate(OUTSIDE)
        assert outside == []


def test_a_size_is_typed_and_the_model_is_then_one_s_own(chapter):
    figure, data = figure_of(chapter, "cache_memory")
    model = data["models"][data["start"]]
    heads = figure.get_by_role("spinbutton", name="Key/value heads")
    heads.focus()
    heads.fill("8")
    token = 2 * model["layers"] * 8 * model["width"] * data["items"][0]
    assert number(readings(figure)["bytes a token"]) == token
    heads.fill("7")
    menu = figure.get_by_role("combobox", name="Model")
    assert menu.input_value() == str(len(data["models"]))
    figure.get_by_role("spinbutton", name="Sentences").fill("3")
    figure.get_by_role("combobox", name="Bytes a number").select_option("1")
    token = 2 * model["layers"] * 7 * model["width"] * data["items"][1]
    assert number(readings(figure)["bytes in all"]) == 3 * token * model["length"]


def test_an_empty_or_absurd_size_breaks_nothing(chapter):
    figure, _ = figure_of(chapter, "cache_memory")
    for text in ("", "-5", "0"):
        figure.get_by_role("spinbutton", name="Layers").fill(text)
        assert number(readings(figure)["bytes a token"]) > 0
        assert "NaN" not in figure.inner_text()
        assert "Infinity" not in figure.inner_text()
