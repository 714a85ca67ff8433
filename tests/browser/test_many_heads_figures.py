"""The figures of chapter 9, operated by mouse and by keyboard."""

import re

import pytest

from tests.browser.figure import figure_of

pytestmark = [pytest.mark.book, pytest.mark.browser, pytest.mark.full]

CHAPTER = "book/09-many-heads.html"


@pytest.fixture
def viewer(chapter):
    return figure_of(chapter, "head_viewer")


@pytest.fixture
def reshape(chapter):
    return figure_of(chapter, "head_reshape")


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


def test_the_viewer_opens_with_a_word_that_asks(viewer):
    figure, data = viewer
    check_viewer(figure, data, 0, data["sentences"][0]["start"], data["start"])


def test_the_keyboard_lets_another_word_ask_and_chooses_another_head(viewer):
    figure, data = viewer
    at, head = data["sentences"][0]["start"], data["start"]
    figure.get_by_role("combobox", name="The word that asks").focus()
    figure.page.keyboard.press("ArrowUp")
    check_viewer(figure, data, 0, at - 1, head)
    figure.get_by_role("combobox", name="Head").focus()
    step = "ArrowUp" if head else "ArrowDown"
    figure.page.keyboard.press(step)
    check_viewer(figure, data, 0, at - 1, head - 1 if head else 1)


def test_a_click_on_a_word_or_a_row_does_the_same(viewer):
    figure, data = viewer
    figure.locator(".hw-head-grid thead th").nth(4).click()
    check_viewer(figure, data, 0, 4, data["start"])
    figure.locator(".hw-head-grid tbody th").last.click()
    check_viewer(figure, data, 0, 4, len(data["heads"]) - 1)


def test_another_sentence_brings_its_own_weights(viewer):
    figure, data = viewer
    figure.get_by_role("combobox", name="Sentence").select_option(index=1)
    check_viewer(figure, data, 1, data["sentences"][1]["start"], data["start"])


def corners(figure):
    """Where each cell is drawn, by its name."""
    found = figure.locator(".hw-reshape-cell").evaluate_all(
        "(cells) => cells.map((cell) => [cell.textContent, cell.style.transform])"
    )
    return {
        name: tuple(float(n) for n in re.findall(r"-?[\d.]+", transform))
        for name, transform in found
    }


def check_reshape(figure, data, step):
    given = data["steps"][step]
    title = figure.locator(".hw-sentence").text_content()
    assert (
        title == f"Step {step + 1} of {len(data['steps'])}: {given['name']}, shape {given['shape']}"
    )
    at = corners(figure)
    T, D = len(data["words"]), len(data["order"][0][0])
    C = D * data["heads"]
    if given["place"] != "heads":
        rows = {tuple(sorted({at[f"{t},{c}"][1] for c in range(C)})) for t in range(T)}
        assert len(rows) == T
        assert all(len(row) == 1 for row in rows)  # a word is one line
    else:
        for block in data["order"]:
            columns = [[at[f"{i // C},{i % C}"][0] for i in line] for line in block]
            assert all(column == columns[0] for column in columns)  # each head a table of width D
        xs = {x for x, _ in at.values()}
        assert len(xs) == D


def test_buttons_lead_through_the_reshaping_and_back(reshape):
    figure, data = reshape
    check_reshape(figure, data, 0)
    start = corners(figure)
    for step in range(1, len(data["steps"])):
        figure.get_by_role("button", name="Next step").click()
        check_reshape(figure, data, step)
    assert figure.get_by_role("button", name="Next step").is_disabled()
    assert corners(figure) == start  # what was split is merged again


def test_the_keyboard_does_the_same(reshape):
    figure, data = reshape
    figure.get_by_role("button", name="Next step").focus()
    figure.page.keyboard.press("Enter")
    figure.page.keyboard.press("Space")
    check_reshape(figure, data, 2)
    figure.get_by_role("button", name="Back").focus()
    figure.page.keyboard.press("Enter")
    check_reshape(figure, data, 1)
