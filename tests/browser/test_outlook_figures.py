"""The figures of chapter 16, operated by mouse and by keyboard."""

import pytest
from playwright.sync_api import expect

from headway.figures.gallery.outlook.cost_curves import costs, crossing
from tests.browser.figure import (
    announced,
    drag,
    expect_announced,
    figure_of,
    number,
    numbers,
    reaching_out,
    readings,
)

pytestmark = [pytest.mark.book, pytest.mark.browser, pytest.mark.full]

CHAPTER = "book/16-outlook.html"


def check_graph(figure, data, head, word, least, into=True):
    edges = [
        (s, t, weight)
        for t, row in enumerate(data["weights"][head])
        for s, weight in enumerate(row)
        if weight > 0 and weight >= least
    ]
    mine = [edge for edge in edges if edge[1 if into else 0] == word]
    assert figure.locator("path").count() == len(edges)
    assert figure.locator("path.hw-sentence-graph-lit").count() == len(mine)
    counted = figure.locator(".hw-doubt").text_content()
    assert numbers(counted) == [len(edges), len(data["words"]) ** 2, len(mine)]
    said = figure.locator(".hw-sentence").text_content()
    assert said.startswith(f"“{data['words'][word]}”")
    if mine:
        heaviest = max(mine, key=lambda edge: edge[2])
        assert f"“{data['words'][heaviest[0 if into else 1]]}”" in said


def test_a_click_chooses_a_word_of_the_graph(chapter):
    figure, data = figure_of(chapter, "sentence_graph")
    check_graph(figure, data, data["head"], data["word"], data["least"])
    figure.locator(".hw-sentence-graph-word").nth(2).click()
    check_graph(figure, data, data["head"], 2, data["least"])
    assert announced(figure).startswith(f"“{data['words'][2]}”")
    figure.get_by_role("combobox", name="Edges").select_option("1")
    check_graph(figure, data, data["head"], 2, data["least"], into=False)


def test_the_keyboard_changes_heads_words_and_the_limit(chapter):
    figure, data = figure_of(chapter, "sentence_graph")
    last = len(data["heads"]) - 1
    figure.get_by_role("combobox", name="Head").press("End")
    check_graph(figure, data, last, data["word"], data["least"])
    figure.get_by_role("combobox", name="Word").press("Home")
    for key, least in (("End", 0.5), ("Home", 0)):
        figure.get_by_role("slider", name="Hide below").press(key)
        check_graph(figure, data, last, 0, least)
    for head in range(len(data["heads"])):
        figure.get_by_role("combobox", name="Head").select_option(str(head))
        assert reaching_out(figure.locator("svg.hw-sentence-graph")) == []


def check_curves(figure, data, width, length, whole=True):
    T, C = data["lengths"][length], data["widths"][width]
    linear, pairs = costs(T, C, whole)
    shown = readings(figure)
    digits, power = shown["grows with T²"].removesuffix(" FLOPs").split(" · 10")
    power = int(power.translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")))
    assert float(digits) * 10**power == pytest.approx(pairs, rel=0.06)
    assert number(shown["crossing"].removeprefix("T = ")) == crossing(C, whole)
    share = 100 * pairs / (linear + pairs)
    if 1 <= share <= 99:
        assert f"is {share:.0f} % of" in figure.locator(".hw-sentence").text_content()


def test_the_slider_and_the_menus_walk_along_the_curves_inside_their_frame(chapter):
    figure, data = figure_of(chapter, "cost_curves")
    check_curves(figure, data, data["width"], data["length"])
    last = len(data["lengths"]) - 1
    figure.get_by_role("slider", name="Length").press("End")
    check_curves(figure, data, data["width"], last)
    assert f"{data['lengths'][last]:,} tokens" in announced(figure)
    for width in reversed(range(len(data["widths"]))):
        figure.get_by_role("combobox", name="Width").select_option(str(width))
        assert reaching_out(figure.locator("svg.hw-chart")) == []
    check_curves(figure, data, 0, last)
    figure.get_by_role("combobox", name="Counted").select_option("1")
    drag(figure, figure.get_by_role("slider", name="Length"), -2000)
    check_curves(figure, data, 0, 0, whole=False)
    figure.get_by_role("slider", name="Length").press("End")
    check_curves(figure, data, 0, last, whole=False)


def decided(data, answers):
    """What each decision's first rule that fits says."""
    return {
        decision["name"]: next(
            rule["choose"]
            for rule in decision["rules"]
            if all(answers[question] in allowed for question, allowed in rule["when"])
        )
        for decision in data["decisions"]
    }


def test_every_answer_is_followed_by_a_decision_and_its_reason(chapter):
    figure, data = figure_of(chapter, "family_chooser")
    answers = [0] * len(data["questions"])
    assert readings(figure) == decided(data, answers)
    for place, question in enumerate(data["questions"]):
        menu = figure.get_by_role("combobox", name=question["name"])
        for answers[place] in range(1, len(question["options"])):
            menu.press("ArrowDown")
            assert readings(figure) == decided(data, answers)
    assert all(figure.locator(".hw-family-chooser-why").all_text_contents())
    said = " ".join(f"{name}: {what}." for name, what in decided(data, answers).items())
    expect_announced(figure, said)


def test_a_click_on_a_token_moves_all_of_an_opened_model(chapter):
    figure, _ = figure_of(chapter, "model_explorer")
    stream = figure.get_by_role("region", name="What the stream says on its way", exact=True)
    said = stream.locator(".hw-sentence").first
    said.scroll_into_view_if_needed()
    expect(said).to_contain_text("“␣exist” becomes the likeliest only after block 4, the last.")
    tokens = figure.get_by_role("radiogroup", name="The word that asks")
    tokens.get_by_role("radio", name="␣file", exact=True).click()
    expect(said).to_contain_text("After “␣file”")


def test_the_keyboard_walks_through_an_opened_model(chapter):
    figure, _ = figure_of(chapter, "model_explorer")
    tokens = figure.get_by_role("radiogroup", name="The word that asks")
    tokens.get_by_role("radio", checked=True).press("ArrowLeft")
    expect_announced(figure, "The word that asks is token 5 of 6")
