"""The figures of chapter 8, operated by mouse and by keyboard."""

import pytest

from tests.browser.figure import amounts, announced, drag, expect_announced, figure_of, numbers

pytestmark = [pytest.mark.book, pytest.mark.browser]

CHAPTER = "book/08-attention.html"


def check_explorer(figure, case, query):
    pressed = figure.locator(".hw-attention-words [aria-pressed=true]")
    assert pressed.all_text_contents() == [case["tokens"][query]]
    rows = figure.locator(".hw-attention-keys tbody tr").all()
    for s, (row, token) in enumerate(zip(rows, case["tokens"], strict=True)):
        assert row.locator("th").text_content() == token
        cells = row.locator("td").all_text_contents()
        if s > query:
            assert cells == ["comes later: hidden"]
            continue
        score, weight = case["scores"][query][s], case["weights"][query][s]
        assert numbers(cells[0])[0] == pytest.approx(score, abs=0.006)
        assert numbers(cells[1])[0] == pytest.approx(weight, abs=0.0011)
        width = row.locator(".hw-bar").evaluate("(bar) => bar.style.getPropertyValue('--to')")
        assert float(width) == pytest.approx(weight)
    said = figure.locator(".hw-attention-next").text_content()
    assert f"“{case['tokens'][query]}”, says next: {case['next'][query][0][0]} " in said


def test_the_verb_asks_first_in_each_sentence_and_then_what_is_pointed_at(chapter):
    figure, data = figure_of(chapter, "attention_explorer")
    first = data["cases"][0]
    check_explorer(figure, first, len(first["tokens"]) - 1)
    weight_of = dict(zip(first["tokens"], first["weights"][-1], strict=True))
    assert weight_of["flower"] > 10 * weight_of["pot"]
    for chosen in (len(data["cases"]) - 1, 0):
        figure.get_by_role("combobox", name="Sentence").select_option(str(chosen))
        case = data["cases"][chosen]
        check_explorer(figure, case, len(case["tokens"]) - 1)
    for t in (2, 0):
        figure.locator(".hw-attention-words button").nth(t).hover()
        check_explorer(figure, first, t)
    assert announced(figure)


def test_the_arrow_keys_go_from_word_to_word(chapter):
    figure, data = figure_of(chapter, "attention_explorer")
    last = len(data["cases"][0]["tokens"]) - 1
    figure.locator(".hw-attention-words [tabindex='0']").focus()
    for key, query in (("ArrowLeft", last - 1), ("Home", 0), ("ArrowLeft", 0), ("End", last)):
        chapter.keyboard.press(key)
        check_explorer(figure, data["cases"][0], query)


def check_painter(figure, data, mask):
    """Weights where the mask shows, crosses elsewhere: Node proves the numbers."""
    rows = figure.locator(".hw-painter-grid tbody tr").all()
    for row, seen in zip(rows, mask, strict=True):
        cells = row.locator(".hw-painter-cell").all_text_contents()
        assert [text != "×" for text in cells] == [bool(s) for s in seen]
        weights = [numbers(text)[0] for text in cells if text != "×"]
        assert sum(weights) == pytest.approx(int(any(seen)), abs=0.006 * len(seen))
        word = row.locator(".hw-painter-next").text_content().rpartition(" ")[0]
        assert word in data["symbols"]


def test_each_mask_can_be_set_and_a_click_hides_a_word_of_it(chapter):
    figure, data = figure_of(chapter, "mask_painter")
    check_painter(figure, data, data["masks"][data["start"]][1])
    for name, mask in data["masks"]:
        figure.get_by_role("button", name=name, exact=True).click()
        check_painter(figure, data, mask)
        assert "NaN" not in figure.text_content(), name
    figure.get_by_role("button", name="causal", exact=True).click()
    mask = [list(row) for row in dict(map(tuple, data["masks"]))["causal"]]
    T = len(mask)
    figure.locator(".hw-painter-cell").nth((T - 1) * T + 2).click()
    mask[T - 1][2] = 0
    check_painter(figure, data, mask)
    assert f"sees {T - 1} of {T} words" in figure.locator(".hw-painter-reading").text_content()
    assert announced(figure)


def test_a_pressed_pointer_paints_what_it_made_of_the_first_cell(chapter):
    figure, data = figure_of(chapter, "mask_painter")
    figure.get_by_role("button", name="causal", exact=True).click()
    mask = [list(row) for row in dict(map(tuple, data["masks"]))["causal"]]
    T = len(mask)
    cells = figure.locator(".hw-painter-cell")
    first, last = (cells.nth(place).bounding_box() for place in ((T - 1) * T, T * T - 1))
    drag(figure, cells.nth((T - 1) * T), last["x"] - first["x"])
    mask[T - 1] = [0] * T
    check_painter(figure, data, mask)
    drag(figure, cells.nth((T - 1) * T), 0, first["height"] * (1 - T))
    for row in mask:
        row[0] = 1
    check_painter(figure, data, mask)


def test_the_keyboard_paints_and_the_cursor_stays_inside(chapter):
    figure, data = figure_of(chapter, "mask_painter")
    mask = [list(row) for row in data["masks"][data["start"]][1]]
    T = len(mask)
    figure.locator(".hw-painter-cell[tabindex='0']").focus()
    moves = {T - 1: ("ArrowDown", "ArrowRight", "ArrowUp", "Enter"), 0: ("Home", "Space")}
    for column, keys in moves.items():
        for key in keys:
            chapter.keyboard.press(key)
        mask[T - 2][column] = 1 - mask[T - 2][column]
        check_painter(figure, data, mask)
    focused = chapter.evaluate("document.activeElement.getAttribute('aria-label')")
    assert focused.startswith(f"{data['tokens'][T - 2]} asks {data['tokens'][0]}: ")


def test_the_width_slider_shows_weights_and_slopes(chapter):
    figure, data = figure_of(chapter, "bars")
    for i, case in enumerate(data["cases"]):
        figure.get_by_role("combobox", name="Beside it").select_option(str(i))
        for key, stop in (("Home", 0), ("End", -1)):
            figure.get_by_role("slider", name="Width of queries and keys").press(key)
            tables = figure.locator("table.hw-meters").all()
            for group, table in zip(case["groups"], tables, strict=True):
                shown = amounts(table.locator(".hw-meter-value"))
                assert shown == pytest.approx(group["values"][stop], abs=0.0011)
            for reading in case["readings"]:
                cell = figure.locator(f"[data-reading='{reading['term']}']")
                assert cell.text_content() == reading["texts"][stop]


def check_product(figure, product, row, column):
    """The lit cell is the sum of the products of the lit row and the lit column."""
    left, right, out = figure.locator(".hw-matrix").all()
    value = product["out"]["values"][row][column]
    lit_column = [line[column] for line in product["right"]["values"]]
    for cells, expected in (
        (left.locator("tr.hw-lit td"), product["left"]["values"][row]),
        (right.locator("td.hw-lit"), lit_column),
        (out.locator("td.hw-lit"), [value]),
    ):
        assert amounts(cells) == pytest.approx(expected, abs=0.051)
    said = figure.locator(".hw-product-sum").text_content()
    assert numbers(said)[-1] == pytest.approx(value, abs=0.051)


def test_a_row_meets_a_column_and_the_mouse_chooses_which_in_each_product(chapter):
    figure, data = figure_of(chapter, "matrix_product")
    first = data["products"][0]
    check_product(figure, first, *data["start"])
    figure.locator(".hw-product-out td[tabindex]").nth(1).click()
    check_product(figure, first, 0, 1)
    for button, column in (("Next cell", 2), ("Back", 1)):
        figure.get_by_role("button", name=button).click()
        check_product(figure, first, 0, column)
    expect_announced(figure, "Row “the” of Q meets column “flower” of Kᵀ: ")
    for i, product in enumerate(data["products"]):
        figure.get_by_role("combobox", name="Product").select_option(str(i))
        check_product(figure, product, 0, 0)
        assert figure.get_by_role("button", name="Back").is_disabled()


def test_the_arrow_keys_move_among_the_cells_and_stop_at_the_edge(chapter):
    figure, data = figure_of(chapter, "matrix_product")
    (row, column), last = data["start"], len(data["products"][0]["out"]["values"][0]) - 1
    figure.locator(".hw-product-out td[tabindex='0']").focus()
    for key, cell in {
        "ArrowDown": (row, column),  # it was in the last row
        "ArrowUp": (row - 1, column),
        "ArrowRight": (row - 1, column + 1),
        "End": (row - 1, last),
        "Home": (row - 1, 0),
    }.items():
        chapter.keyboard.press(key)
        check_product(figure, data["products"][0], *cell)
