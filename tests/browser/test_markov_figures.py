"""The figures of chapter 2, operated by mouse and by keyboard."""

import re
from collections import Counter

import numpy as np
import pytest

from headway.figures.gallery.markov.chain_walk import walk
from tests.browser.figure import amounts, announced, figure_of

pytestmark = [pytest.mark.book, pytest.mark.browser, pytest.mark.full]

CHAPTER = "book/02-markov.html"


@pytest.fixture
def chain(chapter):
    return figure_of(chapter, "chain_walk")


def here(figure):
    return figure.locator(".hw-row-used caption").text_content().removeprefix("The row in use: ")


def possible(data, name):
    row = data["matrix"][data["states"].index(name)]
    return {data["states"][j]: p for j, p in enumerate(row) if p}


def seeded_path(data, seed=0):
    """The states that the draws lead to, computed by Python."""
    draws = np.array(data["draws"][seed]) / 1e4
    return [data["states"][i] for i in walk(np.array(data["matrix"]), data["start"], draws)]


def test_the_keyboard_walks_the_path_that_python_walks(chain):
    figure, data = chain
    assert here(figure) == data["states"][data["start"]]
    for state in seeded_path(data)[:9]:
        figure.get_by_role("button", name="Take a step").press("Enter")
        assert here(figure) == figure.locator("g.hw-here text").text_content() == state
        row = figure.locator(".hw-row-used tbody tr")
        words = row.locator("th").all_text_contents()
        shown = dict(zip(words, amounts(row.locator("td:nth-of-type(1)")), strict=True))
        assert shown == pytest.approx(possible(data, state), abs=0.006)
    assert announced(figure)


def test_twenty_sentences_are_those_of_the_seed_until_its_draws_are_used_up(chain):
    figure, data = chain
    rows = figure.locator(".hw-tally tbody tr")
    many = figure.get_by_role("button", name="Write 20 sentences")
    for seed in (1, 0):
        figure.get_by_role("combobox", name="Seed").select_option(str(seed))
        many.click()
        path = " ".join(seeded_path(data, seed)).split(data["states"][data["start"]])
        texts, times = rows.locator("th").all_text_contents(), rows.locator("td:nth-of-type(1)")
        expected = Counter(text.strip() for text in path[:20])
        assert dict(zip(texts, amounts(times), strict=True)) == expected
    while many.is_enabled():
        many.click()
    assert "used up" in figure.locator(".hw-drawn").text_content()
    figure.get_by_role("button", name="Start over").click()
    assert many.is_enabled()
    assert rows.count() == 0


def test_a_word_of_the_row_can_be_chosen_and_the_focus_stays_in_the_row(chain):
    figure, data = chain
    figure.locator(".hw-row-used button").first.focus()
    chance = 1.0
    for _ in range(20):
        word = figure.page.evaluate("document.activeElement.textContent")
        chance *= possible(data, here(figure))[word]
        figure.page.keyboard.press("Enter")
        assert here(figure) == word
        if word == data["states"][data["start"]]:
            break
    said = figure.locator(".hw-sentence").text_content()
    assert said.startswith("Sentence, ended")
    shown = float(re.search(r"Probability ([\d.]+)\.$", said)[1])
    assert shown == pytest.approx(chance, abs=6e-5)
    assert figure.locator(".hw-tally tbody tr").count() == 0  # chance did not write it


def test_a_click_on_a_state_walks_there_if_an_arrow_leads_there(chain):
    figure, data = chain
    start = here(figure)
    first = next(iter(possible(data, start)))
    place = data["states"].index(first)
    for node, state in (((place + 1) % len(data["states"]), start), (place, first)):
        figure.locator("g.hw-node").nth(node).click()
        assert here(figure) == state


def check_cursor(figure, data, i, j):
    said = figure.locator(".hw-sentence").text_content()
    words = re.search(r"After “(.+)”, .* is “(.+)” with probability ([\d.]+)\.$", said)
    assert words.groups()[:2] == (data["rows"][i], data["columns"][j])
    assert float(words[3]) == pytest.approx(data["matrix"][i][j], abs=6e-4)


def test_the_arrow_keys_move_the_cursor_and_stop_at_the_edges(chapter):
    figure, data = figure_of(chapter, "heat_map")
    i, j = data["row"], data["column"]
    figure.locator("td.hw-cursor").focus()
    moves = {"ArrowUp": (-1, 0), "ArrowLeft": (0, -1), "ArrowDown": (1, 0), "ArrowRight": (0, 1)}
    for key, (down, right) in moves.items():
        for _ in range(len(data["rows"])):
            chapter.keyboard.press(key)
            i = min(max(i + down, 0), len(data["rows"]) - 1)
            j = min(max(j + right, 0), len(data["columns"]) - 1)
            check_cursor(figure, data, i, j)
    assert figure.locator("td[tabindex='0']").count() == 1
    assert figure.evaluate("(node) => node.contains(document.activeElement)")


def test_a_click_and_the_two_lists_move_the_cursor(chapter):
    figure, data = figure_of(chapter, "heat_map")
    figure.locator("tbody tr").nth(2).locator("td").nth(1).click()
    check_cursor(figure, data, 2, 1)
    last = len(data["columns"]) - 1
    figure.get_by_role("combobox", name="After").select_option("0")
    figure.get_by_role("combobox", name="Next word").select_option(str(last))
    check_cursor(figure, data, 0, last)


def test_the_keyboard_reads_a_sentence_to_its_end(chapter):
    figure, data = figure_of(chapter, "compare_orders")
    s, t = data["start"]
    words, models = data["sentences"][s]["words"], data["sentences"][s]["models"]
    now = figure.locator(".hw-reading [aria-pressed=true]")
    assert now.text_content() == words[t]
    now.press("Home")
    spent = np.zeros(len(models))
    for t, word in enumerate(words):
        assert now.text_content() == word
        for model, panel in zip(models, figure.locator(".hw-panel").all(), strict=True):
            names = panel.locator("th").all_text_contents()
            shown = dict(zip(names, amounts(panel.locator("td:nth-of-type(1)")), strict=True))
            for guess, p in (*model[t]["top"], (word, model[t]["p"])):
                assert shown[guess] == pytest.approx(p, abs=1e-4)
        spent -= np.log([model[t]["p"] for model in models])
        assert amounts(figure.locator(".hw-sums td")) == pytest.approx(spent, abs=0.006)
        now.press("ArrowRight")
    assert now.text_content() == "(end)"


def test_the_buttons_move_and_a_context_that_was_never_seen_is_called_so(chapter):
    figure, data = figure_of(chapter, "compare_orders")
    s, t = next(
        (s, t)
        for s, sentence in enumerate(data["sentences"])
        for t, step in enumerate(sentence["models"][1])
        if step["seen"] == 0
    )
    figure.get_by_role("combobox", name="Sentence").select_option(str(s))
    words, now = data["sentences"][s]["words"], figure.locator(".hw-reading [aria-pressed=true]")
    for button, place in (("Back", 0), ("Next word", 1), ("Back", 0)):
        figure.get_by_role("button", name=button, exact=True).click()
        assert now.text_content() == words[place]
    for _ in range(t):
        figure.get_by_role("button", name="Next word").click()
    notes = figure.locator(".hw-panel .hw-drawn").all_text_contents()
    assert not notes[0].startswith("Context never seen")
    assert notes[1].startswith("Context never seen: all words are equally likely")
    assert announced(figure)


def test_the_cursor_and_the_cells_follow_the_mode(chapter):
    cell = figure_of(chapter, "heat_map")[0].locator("td.hw-cursor").first
    ground, grounds = "(node) => getComputedStyle(node).backgroundColor", set()
    for mode in ("dark", "light"):
        chapter.emulate_media(color_scheme=mode)
        chapter.wait_for_function(f"document.documentElement.dataset.theme === '{mode}'")
        grounds.add(cell.evaluate(ground))
    assert len(grounds) == 2
