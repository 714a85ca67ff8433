"""The figures of chapter 11, operated by mouse and by keyboard."""

import pytest
from playwright.sync_api import expect

from tests.browser.figure import amounts, announced, figure_of, numbers

pytestmark = [pytest.mark.book, pytest.mark.browser, pytest.mark.full]

CHAPTER = "book/11-language-model.html"


@pytest.fixture
def live(chapter):
    return figure_of(chapter, "live_language_model")


def tokens(figure):
    return figure.locator(".hw-tokens li")


def press(figure, name):
    figure.get_by_role("button", name=name, exact=True).click()


def test_tokens_are_drawn_one_after_the_other_or_the_likeliest_is_taken(live):
    figure, data = live
    drawn = figure.locator(".hw-token-drawn > span")
    prompt = tokens(figure).locator("> span").all_text_contents()
    assert prompt[0] == "<end>"
    assert len(prompt) == len(data["example"]["view"]["ids"])
    press(figure, "Draw a token")
    expect(tokens(figure)).to_have_count(len(prompt) + 1)
    assert drawn.count() == 1
    assert drawn.text_content() in announced(figure)
    press(figure, "Draw 10")
    expect(tokens(figure)).not_to_have_count(len(prompt) + 1)
    press(figure, "Back to the prompt")
    expect(tokens(figure)).to_have_count(len(prompt))
    best = figure.locator("table.hw-bars tbody th").first.text_content()
    assert data["symbols"][str(data["example"]["view"]["next"]["rows"][0]["id"])] == best
    press(figure, "Take the likeliest")
    expect(drawn).to_have_text(best)


def test_the_filters_are_moved_by_the_keyboard(live):
    figure, data = live
    sentence = figure.locator("p.hw-sentence").first
    T, k, p = (figure.get_by_role("slider", name=n) for n in ("Temperature", "Top-k", "Top-p"))
    shares = figure.locator("table.hw-bars tbody td:nth-of-type(2)")
    before = shares.first.text_content()
    T.press("Home")
    expect(T).to_have_attribute("aria-valuetext", "0.1")
    expect(shares.first).not_to_have_text(before)
    assert amounts(shares)[0] > float(before)
    T.press("End")
    k.press("Home")
    expect(sentence).to_contain_text("1 may be drawn")
    assert amounts(shares) == [1, *[0] * 9]
    k.press("End")
    expect(sentence).to_contain_text("all may be drawn")
    p.press("ArrowLeft")
    expect(sentence).to_contain_text("with 0.")
    assert 1 < numbers(sentence.text_content().partition(" may be drawn")[0])[-1] < data["size"]


def test_the_browser_computes_what_torch_computed(live):
    figure, data = live
    field = figure.get_by_role("textbox", name="Prompt")

    def seen():
        looks = figure.locator("p.hw-sentence").nth(1).text_content()
        return numbers(figure.locator("table.hw-bars").inner_text()), looks.partition(" (")[0]

    (shares, looks), length = seen(), len(data["example"]["view"]["ids"])
    field.fill("black heart")
    expect(tokens(figure)).not_to_have_count(length)
    field.fill(data["example"]["text"])
    expect(tokens(figure)).to_have_count(length)
    assert seen() == (pytest.approx(shares, abs=0.0011), looks)


def test_a_place_and_a_head_are_chosen(live):
    figure, data = live
    looked = figure.locator("p.hw-sentence").nth(1)
    said = set()
    for block in range(1, data["layers"] + 1):
        figure.get_by_role("combobox", name="Block").select_option(label=f"block {block}")
        for head in range(1, data["heads"] + 1):
            figure.get_by_role("combobox", name="Head").select_option(label=f"head {head}")
            expect(looked).to_contain_text(f"Head {head} of block {block}")
            drawn = figure.locator("svg rect[style]").last.get_attribute("style")
            said.add(drawn + looked.inner_text())
    assert len(said) == data["layers"] * data["heads"]
    tokens(figure).nth(1).click()
    place = figure.get_by_role("slider", name="Look at token")
    expect(place).to_have_value("1")
    place.press("Home")
    expect(looked).to_contain_text("“<end>” looks most at token 1, “<end>” (1)")


def test_a_text_beyond_the_context_is_refused_in_words(live):
    figure, data = live
    doubt = figure.locator("p.hw-doubt")
    for text, count, said in (
        ("z q " * data["context"], data["context"], f"The model reads {data['context']} tokens"),
        ("", 1, "none yet"),
    ):
        figure.get_by_role("textbox", name="Prompt").fill(text)
        expect(doubt).to_contain_text(said)
        expect(tokens(figure)).to_have_count(count)
        assert doubt.evaluate("(one) => one.classList.contains('hw-fault')") == bool(text)
        expect(figure.locator(".hw-outdated")).to_have_count(0)
        expect(figure.locator(".hw-numbers")).to_be_hidden()  # they are of the first prompt


def test_until_there_is_an_answer_the_last_one_does_not_look_current(site, visit):
    page = visit(f"{site}/{CHAPTER}").page
    figure, _ = figure_of(page, "live_language_model")
    page.evaluate("window.headwayAttached = () => {}")  # the weights never come
    figure.get_by_role("textbox", name="Prompt").fill("cat")
    expect(figure.locator(".hw-outdated")).to_have_count(3)
    assert tokens(figure).first.evaluate("(one) => one.closest('[inert]') !== null")


def test_the_model_is_loaded_once_and_only_when_it_is_used(site, visit):
    seen = visit(f"{site}/{CHAPTER}", settled=True)
    assert not any("/attached/" in url for url in seen.bodies)
    figure, _ = figure_of(seen.page, "live_language_model")
    for text in ("cat", "red heart"):
        figure.get_by_role("textbox", name="Prompt").fill(text)
    expect(tokens(figure).nth(1)).to_contain_text("r")
    press(figure, "Draw a token")
    expect(figure.locator(".hw-token-drawn")).to_have_count(1)
    (size,) = (size for url, size in seen.bodies.items() if "/attached/" in url)
    assert size < 2_000_000


def test_the_training_is_walked_with_the_keyboard(chapter):
    figure, data = figure_of(chapter, "training_dashboard")
    slider = figure.get_by_role("slider", name="Step")
    looks = data["looks"]

    def check(look):
        expect(figure.locator(".hw-sentence")).to_contain_text(f"Step {look['step']}:")
        said = figure.locator(".hw-training-dashboard-said")
        expect(said).to_have_text(data["prompt"] + look["said"])
        held_out = amounts(figure.locator("dl dd"))[1]
        assert held_out == pytest.approx(look["heldOut"], abs=0.0051)

    check(looks[-1])
    slider.press("Home")
    check(looks[0])
    assert "Step 1:" in announced(figure)
    slider.press("ArrowRight")
    check(looks[1])
