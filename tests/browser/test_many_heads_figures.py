"""The figures of chapter 9, operated by mouse and by keyboard."""

import re

import pytest

from tests.browser.figure import figure_of

pytestmark = [pytest.mark.book, pytest.mark.browser, pytest.mark.full]

CHAPTER = "book/09-many-heads.html"


def check_viewer(figure, data, sentence, query, head):
    given = data["sentences"][sentence]
    rows = figure.locator(".hw-head-grid tbody tr").all()
    for shown, weights in zip(rows, given["weights"], strict=True):
        texts = shown.locator("td").all_text_contents()
        assert [float(text or 0) for text in texts] == pytest.approx(weights[query], abs=0.005)
    line = given["weights"][head][query]
    most = line.index(max(line))
    said = figure.locator(".hw-sentence").text_content()
    assert said.startswith(f"{data['heads'][head]}: “{given['words'][query]}”")
    assert f"“{given['words'][most]}” most (word {most + 1}, weight {line[most]:g})" in said
    drawn = figure.locator(".hw-head-dot").evaluate_all(
        "(dots) => dots.map((dot) => Number(dot.style.getPropertyValue('--p')))"
    )
    assert drawn == pytest.approx([w for row in given["weights"][head] for w in row])
    assert figure.locator(".hw-head-asks").text_content() == given["words"][query]


def test_the_keyboard_lets_another_word_ask_and_chooses_another_head(chapter):
    figure, data = figure_of(chapter, "head_viewer")
    at, head = data["sentences"][0]["start"], data["start"]
    check_viewer(figure, data, 0, at, head)
    figure.get_by_role("combobox", name="The word that asks").press("ArrowUp")
    check_viewer(figure, data, 0, at - 1, head)
    figure.get_by_role("combobox", name="Head").press("ArrowUp" if head else "ArrowDown")
    check_viewer(figure, data, 0, at - 1, head - 1 if head else 1)


def test_a_click_on_a_word_or_a_row_does_the_same_in_every_sentence(chapter):
    figure, data = figure_of(chapter, "head_viewer")
    figure.locator(".hw-head-grid thead th").nth(4).click()
    check_viewer(figure, data, 0, 4, data["start"])
    figure.locator(".hw-head-grid tbody th").last.click()
    last = len(data["heads"]) - 1
    check_viewer(figure, data, 0, 4, last)
    figure.get_by_role("combobox", name="Sentence").select_option(index=1)
    check_viewer(figure, data, 1, data["sentences"][1]["start"], last)


def corners(figure):
    """Where each cell is drawn, by its name."""
    found = figure.locator(".hw-reshape-cell").evaluate_all(
        "(cells) => cells.map((cell) => [cell.textContent, cell.style.transform])"
    )
    return {name: tuple(map(float, re.findall(r"-?[\d.]+", at))) for name, at in found}


def check_reshape(figure, data, step):
    """What step is said, and that it is drawn: Node proves the places of the cells."""
    given, at = data["steps"][step], corners(figure)
    where = f"Step {step + 1} of {len(data['steps'])}: {given['name']}, shape {given['shape']}"
    assert figure.locator(".hw-sentence").text_content() == where
    columns = len(data["order"][0][0])
    if given["place"] != "heads":
        columns *= data["heads"]
        for t in range(len(data["words"])):  # a word is one line
            assert len({at[f"{t},{c}"][1] for c in range(columns)}) == 1
    assert len({x for x, _ in at.values()}) >= columns


def test_buttons_lead_through_the_reshaping_and_back(chapter):
    figure, data = figure_of(chapter, "head_reshape")
    check_reshape(figure, data, 0)
    start, forward = corners(figure), figure.get_by_role("button", name="Next step")
    for step in range(1, len(data["steps"])):
        forward.click()
        check_reshape(figure, data, step)
    assert forward.is_disabled()
    assert corners(figure) == start  # what was split is merged again


def test_the_keyboard_does_the_same(chapter):
    figure, data = figure_of(chapter, "head_reshape")
    for button, key, step in (("Next step", "Enter", 1), ("Next step", "Space", 2),
                              ("Back", "Enter", 1)):  # fmt: skip
        figure.get_by_role("button", name=button).press(key)
        check_reshape(figure, data, step)
