"""The figures of chapter 11, operated by mouse and by keyboard."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.figure import announced, figure_of, number, numbers

pytestmark = [pytest.mark.book, pytest.mark.browser, pytest.mark.full]

CHAPTER = "book/11-language-model.html"


@pytest.fixture
def live(chapter):
    return figure_of(chapter, "live_language_model")


@pytest.fixture
def dashboard(chapter):
    return figure_of(chapter, "training_dashboard")


def tokens(figure):
    """The tokens that are shown, without their losses."""
    return figure.locator(".hw-tokens li > span").all_text_contents()


def typed_into(figure, text):
    """Type a prompt as a reader would."""
    field = figure.get_by_role("textbox", name="Prompt")
    field.click()
    field.fill(text)
    return field


def drawn_with(figure):
    """The probabilities after the filters, of the tokens in the table."""
    rows = figure.locator("table.hw-bars tbody tr").all()
    return [number(row.locator("td").nth(1).text_content().replace("< ", "")) for row in rows]


def press(figure, name):
    figure.get_by_role("button", name=name, exact=True).click()


def test_tokens_are_drawn_one_after_the_other(live):
    figure, data = live
    prompt = tokens(figure)
    assert prompt[0] == "<end>"
    assert len(prompt) == len(data["example"]["view"]["ids"])
    press(figure, "Draw a token")
    expect(figure.locator(".hw-tokens li")).to_have_count(len(prompt) + 1)
    assert tokens(figure)[:-1] == prompt
    assert figure.locator(".hw-live-language-model-drawn").count() == 1
    assert tokens(figure)[-1] in announced(figure)
    press(figure, "Draw 10")
    expect(figure.locator(".hw-tokens li")).not_to_have_count(len(prompt) + 1)
    press(figure, "Back to the prompt")
    expect(figure.locator(".hw-tokens li")).to_have_count(len(prompt))


def test_the_likeliest_token_is_taken(live):
    figure, data = live
    best = figure.locator("table.hw-bars tbody th").first.text_content()
    press(figure, "Take the likeliest")
    expect(figure.locator(".hw-live-language-model-drawn > span")).to_have_text(best)
    assert data["symbols"][str(data["example"]["view"]["next"]["rows"][0]["id"])] == best


def test_the_filters_are_moved_by_the_keyboard(live):
    figure, data = live
    page = figure.page
    size = data["size"]
    first = drawn_with(figure)[0]
    figure.get_by_role("slider", name="Temperature").focus()
    page.keyboard.press("Home")
    expect(figure.get_by_role("slider", name="Temperature")).to_have_attribute(
        "aria-valuetext", "0.1"
    )
    expect(figure.locator("table.hw-bars tbody td").nth(1)).not_to_have_text(str(first))
    assert drawn_with(figure)[0] > first
    page.keyboard.press("End")
    figure.get_by_role("slider", name="Top-k").focus()
    page.keyboard.press("Home")
    expect(figure.locator("p.hw-sentence").first).to_contain_text("1 may be drawn")
    assert drawn_with(figure) == [1, *[0] * 9]
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    expect(figure.locator("p.hw-sentence").first).to_contain_text("3 may be drawn")
    assert sum(drawn_with(figure)) == pytest.approx(1, abs=0.002)
    page.keyboard.press("End")
    expect(figure.locator("p.hw-sentence").first).to_contain_text("all may be drawn")
    figure.get_by_role("slider", name="Top-p").focus()
    page.keyboard.press("ArrowLeft")
    expect(figure.locator("p.hw-sentence").first).to_contain_text("with 0.")
    kept = int(
        re.search(r"; (\d+) may be drawn", figure.locator("p.hw-sentence").first.text_content())[1]
    )
    assert 1 < kept < size


def test_the_browser_computes_what_torch_computed(live):
    figure, data = live

    def seen():
        looks = figure.locator("p.hw-sentence").nth(1).text_content()
        return numbers(figure.locator("table.hw-bars").inner_text()), looks

    before, looks = seen()
    typed_into(figure, "Raise")
    expect(figure.locator(".hw-tokens li")).not_to_have_count(len(data["example"]["view"]["ids"]))
    typed_into(figure, data["example"]["text"])
    expect(figure.locator(".hw-tokens li")).to_have_count(len(data["example"]["view"]["ids"]))
    after, looks_again = seen()
    assert after == pytest.approx(before, abs=0.0011)
    assert looks_again.partition(" (")[0] == looks.partition(" (")[0]


def test_a_place_and_a_head_are_chosen(live):
    figure, data = live
    looked = figure.locator("p.hw-sentence").nth(1)
    said = set()
    for block in range(data["layers"]):
        figure.get_by_role("combobox", name="Block").select_option(label=f"block {block + 1}")
        for head in range(data["heads"]):
            figure.get_by_role("combobox", name="Head").select_option(label=f"head {head + 1}")
            expect(looked).to_contain_text(f"Head {head + 1} of block {block + 1}")
            said.add(
                figure.locator("svg rect[style]").last.get_attribute("style") + looked.inner_text()
            )
    assert len(said) == data["layers"] * data["heads"]
    figure.locator(".hw-tokens li").nth(1).click()
    expect(figure.get_by_role("slider", name="Look at token")).to_have_value("1")
    figure.get_by_role("slider", name="Look at token").focus()
    figure.page.keyboard.press("Home")
    expect(looked).to_contain_text("“<end>” looks most at token 1, “<end>” (1)")


def test_a_text_beyond_the_context_is_refused_in_words(live):
    figure, data = live
    typed_into(figure, "z q " * data["context"])
    expect(figure.locator("p.hw-doubt")).to_contain_text(
        f"The model reads {data['context']} tokens"
    )
    expect(figure.locator(".hw-tokens li")).to_have_count(data["context"])
    typed_into(figure, "")
    expect(figure.locator(".hw-tokens li")).to_have_count(1)
    expect(figure.locator("p.hw-doubt")).to_contain_text("none yet")


def test_the_model_is_loaded_once_and_only_when_it_is_used(site, visit):
    seen = visit(f"{site}/{CHAPTER}", settled=True)

    def loads():
        return [url for url in seen.bodies if "/attached/" in url]

    assert loads() == []
    figure, _ = figure_of(seen.page, "live_language_model")
    for text in ("Return", "Raise an error"):
        typed_into(figure, text)
    expect(figure.locator(".hw-tokens li").nth(1)).to_contain_text("R")
    press(figure, "Draw a token")
    expect(figure.locator(".hw-live-language-model-drawn")).to_have_count(1)
    assert len(loads()) == 1
    assert seen.bodies[loads()[0]] < 700_000


def test_the_training_is_walked_with_the_keyboard_and_the_mouse(dashboard):
    figure, data = dashboard
    slider = figure.get_by_role("slider", name="Step")
    sentence, said = figure.locator(".hw-sentence"), figure.locator(".hw-training-dashboard-said")
    looks, prompt = data["looks"], data["prompt"]
    expect(sentence).to_contain_text(f"Step {looks[-1]['step']}:")
    expect(said).to_have_text(prompt + looks[-1]["said"])
    slider.focus()
    figure.page.keyboard.press("Home")
    expect(sentence).to_contain_text("Step 1:")
    expect(said).to_have_text(prompt + looks[0]["said"])
    assert "Step 1:" in announced(figure)
    figure.page.keyboard.press("ArrowRight")
    expect(sentence).to_contain_text(f"Step {looks[1]['step']}:")
    box = slider.bounding_box()
    figure.page.mouse.click(box["x"] + box["width"] - 3, box["y"] + box["height"] / 2)
    expect(sentence).to_contain_text(f"Step {looks[-1]['step']}:")
    shown = [numbers(text)[0] for text in figure.locator("dl dd").all_text_contents()]
    assert shown[1] == pytest.approx(looks[-1]["heldOut"], abs=0.0051)
