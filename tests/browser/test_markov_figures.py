"""The figures of chapter 2, operated by mouse and by keyboard."""

import re
from collections import Counter

import numpy as np
import pytest

from headway.figures.gallery.chain_walk import walk
from tests.browser.figure import announced, figure_of

pytestmark = [pytest.mark.book, pytest.mark.browser, pytest.mark.full]

CHAPTER = "book/02-markov.html"


@pytest.fixture
def chain(chapter):
    return figure_of(chapter, "chain_walk")


@pytest.fixture
def matrix(chapter):
    return figure_of(chapter, "heat_map")


@pytest.fixture
def orders(chapter):
    return figure_of(chapter, "compare_orders")


def amount(cell):
    """The number in a cell; what is too small to be shown counts as nothing."""
    text = cell.text_content()
    return 0.0 if text.startswith("<") else float(text)


def here(figure):
    return figure.locator(".hw-row-used caption").text_content().removeprefix("The row in use: ")


def row_in_use(figure):
    cells = figure.locator(".hw-row-used tbody tr").all()
    return {cell.locator("th").text_content(): amount(cell.locator("td").first) for cell in cells}


def tally(figure):
    """Sentence → how often it was written, and its probability as shown."""
    rows = {}
    for line in figure.locator(".hw-tally tbody tr").all():
        times, _, probability = line.locator("td").all_text_contents()
        rows[line.locator("th").text_content()] = int(times), float(probability)
    return rows


def possible(data, name):
    row = data["matrix"][data["states"].index(name)]
    return {data["states"][j]: p for j, p in enumerate(row) if p}


def seeded_path(data, seed=0):
    """The states that the draws lead to, computed by Python."""
    draws = np.array(data["draws"][seed]) / 1e4
    path = walk(np.array(data["matrix"]), data["start"], draws)
    return [data["states"][i] for i in path]


def sentences_of(path, boundary):
    """How often each sentence was finished within the first 20."""
    return Counter(text.strip() for text in " ".join(path).split(boundary)[:20])


def test_the_keyboard_walks_the_path_that_python_walks(chain):
    figure, data = chain
    assert here(figure) == data["states"][data["start"]]
    figure.get_by_role("button", name="Take a step").focus()
    for state in seeded_path(data)[:9]:
        figure.page.keyboard.press("Enter")
        assert here(figure) == state
        assert row_in_use(figure) == pytest.approx(possible(data, state), abs=0.006)
        assert figure.locator("g.hw-here text").text_content() == state


def test_twenty_sentences_are_those_of_the_seed(chain):
    figure, data = chain
    boundary = data["states"][data["start"]]
    seed = figure.get_by_role("combobox", name="Seed")
    for chosen in (1, 0):
        seed.focus()
        seed.select_option(str(chosen))
        figure.get_by_role("button", name="Write 20 sentences").click()
        expected = sentences_of(seeded_path(data, chosen), boundary)
        assert {text: times for text, (times, _) in tally(figure).items()} == expected


def test_a_word_of_the_row_can_be_chosen_and_the_focus_stays_in_the_row(chain):
    figure, data = chain
    page, boundary = figure.page, data["states"][data["start"]]
    figure.locator(".hw-row-used button").first.focus()
    chance = 1.0
    for _ in range(20):
        word = page.evaluate("document.activeElement.textContent")
        chance *= possible(data, here(figure))[word]
        page.keyboard.press("Enter")
        assert here(figure) == word
        if word == boundary:
            break
    said = figure.locator(".hw-sentence").text_content()
    assert said.startswith("Sentence, ended")
    shown = float(re.search(r"Probability ([\d.]+)\.$", said)[1])
    assert shown == pytest.approx(chance, abs=6e-5)
    assert not tally(figure)  # chance did not write it


def test_a_click_on_a_state_walks_there_if_an_arrow_leads_there(chain):
    figure, data = chain
    nodes = figure.locator("g.hw-node")
    first = next(iter(possible(data, here(figure))))
    nodes.nth((data["states"].index(first) + 1) % len(data["states"])).click()
    assert here(figure) == data["states"][data["start"]]  # no arrow
    nodes.nth(data["states"].index(first)).click()
    assert here(figure) == first


def test_a_seed_whose_draws_are_used_up_says_so(chain):
    figure, _ = chain
    many = figure.get_by_role("button", name="Write 20 sentences")
    while many.is_enabled():
        many.click()
    assert "used up" in figure.locator(".hw-drawn").text_content()
    figure.get_by_role("button", name="Start over").click()
    assert many.is_enabled()
    assert not tally(figure)


def readout(figure):
    said = figure.locator(".hw-sentence").text_content()
    after, word, p = re.search(
        r"After “(.+)”, .* is “(.+)” with probability ([\d.]+)\.$", said
    ).groups()
    return after, word, float(p)


def test_the_arrow_keys_move_the_cursor_and_stop_at_the_edges(matrix):
    figure, data = matrix
    page, (i, j) = figure.page, (data["row"], data["column"])
    figure.locator("td.hw-cursor").focus()
    moves = {"ArrowUp": (-1, 0), "ArrowLeft": (0, -1), "ArrowDown": (1, 0), "ArrowRight": (0, 1)}
    for key, (down, right) in moves.items():
        for _ in range(len(data["rows"])):
            page.keyboard.press(key)
            i = min(max(i + down, 0), len(data["rows"]) - 1)
            j = min(max(j + right, 0), len(data["columns"]) - 1)
            after, word, p = readout(figure)
            assert (after, word) == (data["rows"][i], data["columns"][j])
            assert p == pytest.approx(data["matrix"][i][j], abs=6e-4)
    assert figure.locator("td[tabindex='0']").count() == 1
    assert figure.evaluate("(node) => node.contains(document.activeElement)")


def test_a_click_and_the_two_lists_move_the_cursor(matrix):
    figure, data = matrix
    figure.locator("tbody tr").nth(2).locator("td").nth(1).click()
    assert readout(figure)[:2] == (data["rows"][2], data["columns"][1])
    figure.get_by_role("combobox", name="After").select_option("0")
    figure.get_by_role("combobox", name="Next word").select_option(str(len(data["columns"]) - 1))
    assert readout(figure)[:2] == (data["rows"][0], data["columns"][-1])


def shown_at(figure):
    """What the panels say at the place that is shown: word → probability, for each order."""
    panels = []
    for panel in figure.locator(".hw-panel").all():
        words = panel.locator("th").all_text_contents()
        values = [amount(cell.locator("td").first) for cell in panel.locator("tr").all()]
        panels.append(dict(zip(words, values, strict=True)))
    return panels


def test_the_keyboard_reads_a_sentence_to_its_end(orders):
    figure, data = orders
    page = figure.page
    s, t = data["start"]
    words, models = data["sentences"][s]["words"], data["sentences"][s]["models"]
    assert figure.locator(".hw-now").text_content() == words[t]
    place = figure.get_by_role("slider", name="Place")
    place.focus()
    page.keyboard.press("Home")
    spent = np.zeros(len(models))
    for t, word in enumerate(words):
        assert figure.locator(".hw-now").text_content() == word
        for model, shown in zip(models, shown_at(figure), strict=True):
            assert shown[word] == pytest.approx(model[t]["p"], abs=1e-4)
            for guess, p in model[t]["top"]:
                assert shown[guess] == pytest.approx(p, abs=1e-4)
        spent -= np.log([model[t]["p"] for model in models])
        sums = figure.locator(".hw-sums td").all_text_contents()
        assert [float(x) for x in sums] == pytest.approx(spent, abs=0.006)
        page.keyboard.press("ArrowRight")
    assert figure.locator(".hw-now").text_content() == "(end)"


def test_the_buttons_move_and_another_sentence_starts_at_its_first_word(orders):
    figure, data = orders
    for s in (1, 0):
        figure.get_by_role("combobox", name="Sentence").select_option(str(s))
        words = data["sentences"][s]["words"]
        assert figure.locator(".hw-now").text_content() == words[0]
        figure.get_by_role("button", name="Next word").click()
        assert figure.locator(".hw-now").text_content() == words[1]
        figure.get_by_role("button", name="Back").click()
        figure.get_by_role("button", name="Back").click()
        assert figure.locator(".hw-now").text_content() == words[0]


def test_a_context_that_was_never_seen_is_called_so(orders):
    figure, data = orders
    s, t = next(
        (s, t)
        for s, sentence in enumerate(data["sentences"])
        for t, step in enumerate(sentence["models"][1])
        if step["seen"] == 0
    )
    figure.get_by_role("combobox", name="Sentence").select_option(str(s))
    for _ in range(t):
        figure.get_by_role("button", name="Next word").click()
    notes = figure.locator(".hw-panel .hw-drawn").all_text_contents()
    assert not notes[0].startswith("Context never seen")
    assert notes[1].startswith("Context never seen: all words are equally likely")


def test_each_change_is_announced_and_the_start_is_not(chapter):
    for name, button in (("chain_walk", "Take a step"), ("compare_orders", "Next word")):
        figure, _ = figure_of(chapter, name)
        assert figure.get_by_role("status").text_content() == ""
        figure.get_by_role("button", name=button).click()
        assert announced(figure)


def test_the_cursor_and_the_cells_follow_the_mode(site, visit):
    grounds = set()
    for mode in ("light", "dark"):
        page = visit(f"{site}/{CHAPTER}", mode=mode).page
        cell = figure_of(page, "heat_map")[0].locator("td.hw-cursor").first
        grounds.add(cell.evaluate("(node) => getComputedStyle(node).backgroundColor"))
    assert len(grounds) == 2
