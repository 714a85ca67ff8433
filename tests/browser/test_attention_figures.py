"""The figures of chapter 8, operated by mouse and by keyboard."""

from itertools import product

import pytest

from tests.browser.figure import announced, figure_of, numbers

pytestmark = [pytest.mark.book, pytest.mark.browser]

CHAPTER = "book/08-attention.html"


@pytest.fixture
def explorer(chapter):
    return figure_of(chapter, "attention_explorer")


@pytest.fixture
def painter(chapter):
    return figure_of(chapter, "mask_painter")


@pytest.fixture
def stepped(chapter):
    return figure_of(chapter, "matrix_product")


@pytest.fixture
def widths(chapter):
    return figure_of(chapter, "bars")


def check_explorer(figure, case, query):
    rows = figure.locator(".hw-attention-keys tbody tr").all()
    assert len(rows) == len(case["tokens"])
    for s, row in enumerate(rows):
        assert row.locator("th").text_content() == case["tokens"][s]
        cells = row.locator("td").all_text_contents()
        if s > query:
            assert cells == ["comes later: hidden"]
            continue
        assert numbers(cells[0])[0] == pytest.approx(case["scores"][query][s], abs=0.006)
        assert numbers(cells[1])[0] == pytest.approx(case["weights"][query][s], abs=0.0011)
        assert cells[3].startswith(case["values"][s][0])
        width = row.locator(".hw-bar").evaluate("(bar) => bar.style.getPropertyValue('--to')")
        assert float(width) == pytest.approx(case["weights"][query][s])
    word = case["next"][query][0][0]
    said = figure.locator(".hw-attention-next").text_content()
    assert f"“{case['tokens'][query]}”, says next: {word} " in said
    pressed = figure.locator(".hw-attention-words [aria-pressed=true]")
    assert pressed.text_content() == case["tokens"][query]
    assert pressed.count() == 1


def test_the_verb_asks_first_and_finds_its_subject(explorer):
    figure, data = explorer
    case = data["cases"][0]
    last = len(case["tokens"]) - 1
    check_explorer(figure, case, last)
    assert case["tokens"][last] == "smells"
    of = dict(zip(case["tokens"], case["weights"][last], strict=True))
    assert of["flower"] > 10 * of["pot"]


def test_pointing_at_a_word_lets_it_ask_and_another_sentence_can_be_chosen(explorer):
    figure, data = explorer
    last = len(data["cases"]) - 1
    figure.get_by_role("combobox", name="Sentence").select_option(str(last))
    check_explorer(figure, data["cases"][last], len(data["cases"][last]["tokens"]) - 1)
    figure.get_by_role("combobox", name="Sentence").select_option("0")
    words = figure.locator(".hw-attention-words button")
    for t in (2, 5, 0):
        words.nth(t).hover()
        check_explorer(figure, data["cases"][0], t)


def test_the_arrow_keys_go_from_word_to_word(explorer):
    figure, data = explorer
    case = data["cases"][0]
    last = len(case["tokens"]) - 1
    figure.locator(".hw-attention-words [tabindex='0']").focus()
    figure.page.keyboard.press("ArrowLeft")
    check_explorer(figure, case, last - 1)
    figure.page.keyboard.press("Home")
    check_explorer(figure, case, 0)
    figure.page.keyboard.press("ArrowLeft")
    check_explorer(figure, case, 0)
    figure.page.keyboard.press("End")
    check_explorer(figure, case, last)


def check_painter(figure, data, mask):
    """Weights where the mask shows, crosses elsewhere, a next word: Node proves the numbers."""
    rows = figure.locator(".hw-painter-grid tbody tr").all()
    for row, scores, seen in zip(rows, data["scores"], mask, strict=True):
        shown = row.locator(".hw-painter-cell").all_text_contents()
        assert [text != "×" for text in shown] == [bool(s) for s in seen]
        weights = {s: numbers(text)[0] for s, text in enumerate(shown) if text != "×"}
        if weights:
            assert sum(weights.values()) == pytest.approx(1, abs=0.006 * len(seen))
            assert weights[max(weights, key=lambda s: scores[s])] == max(weights.values())
        word = row.locator(".hw-painter-next").text_content().rpartition(" ")[0]
        assert word in data["symbols"]


def test_the_painter_opens_with_its_mask_and_its_numbers(painter):
    figure, data = painter
    name, mask = data["masks"][data["start"]]
    check_painter(figure, data, mask)
    pressed = figure.locator(".hw-painter-masks [aria-pressed=true]")
    assert pressed.text_content() == name


def test_each_mask_can_be_set_and_an_empty_row_is_zeros(painter):
    figure, data = painter
    for name, mask in data["masks"]:
        figure.get_by_role("button", name=name, exact=True).click()
        check_painter(figure, data, mask)
    figure.get_by_role("button", name="strictly before").click()
    assert "NaN" not in figure.text_content()
    figure.locator(".hw-painter-cell").first.focus()


def test_a_click_hides_a_word_and_the_rest_share_its_weight(painter):
    figure, data = painter
    figure.get_by_role("button", name="causal", exact=True).click()
    mask = [list(row) for row in dict(map(tuple, data["masks"]))["causal"]]
    T = len(mask)
    figure.locator(".hw-painter-cell").nth((T - 1) * T + 2).click()
    mask[T - 1][2] = 0
    check_painter(figure, data, mask)
    assert f"sees {T - 1} of {T} words" in figure.locator(".hw-painter-reading").text_content()


def test_the_keyboard_paints_and_the_cursor_stays_inside(painter):
    figure, data = painter
    start = data["masks"][data["start"]][1]
    mask = [list(row) for row in start]
    T = len(mask)
    figure.locator(".hw-painter-cell[tabindex='0']").focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowUp"):
        figure.page.keyboard.press(key)
    figure.page.keyboard.press("Enter")
    mask[T - 2][T - 1] = 1 - mask[T - 2][T - 1]
    check_painter(figure, data, mask)
    figure.page.keyboard.press("Home")
    figure.page.keyboard.press("Space")
    mask[T - 2][0] = 1 - mask[T - 2][0]
    check_painter(figure, data, mask)
    focused = figure.page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert focused.startswith(f"{data['tokens'][T - 2]} asks {data['tokens'][0]}: ")


def test_the_width_slider_shows_weights_and_slopes(widths):
    figure, data = widths
    slider = figure.get_by_role("slider", name="Width of queries and keys")
    ends = (("Home", 0), ("End", len(data["stops"]) - 1))
    for (i, case), (key, stop) in product(enumerate(data["cases"]), ends):
        figure.get_by_role("combobox", name="Beside it").select_option(str(i))
        slider.focus()
        figure.page.keyboard.press(key)
        tables = figure.locator("table.hw-meters").all()
        for group, table in zip(case["groups"], tables, strict=True):
            texts = table.locator(".hw-meter-value").all_text_contents()
            shown = [numbers(text)[0] for text in texts]
            assert shown == pytest.approx(group["values"][stop], abs=0.0011)
        for reading in case["readings"]:
            cell = figure.locator(f"[data-reading='{reading['term']}']")
            assert cell.text_content() == reading["texts"][stop]


def test_a_change_is_announced_and_the_start_is_not(explorer, painter):
    for figure, _ in (explorer, painter):
        assert figure.get_by_role("status").text_content() == ""
        figure.get_by_role("button").first.click()
        assert announced(figure)


def check_product(figure, product, row, column):
    """The lit cell is the sum of the products of the lit row and the lit column."""
    left, right, out = figure.locator(".hw-matrix").all()
    lit_row = left.locator("tr.hw-lit td").all_text_contents()
    lit_column = right.locator("td.hw-lit").all_text_contents()
    assert [numbers(text)[0] for text in lit_row] == pytest.approx(
        product["left"]["values"][row], abs=0.051
    )
    assert [numbers(text)[0] for text in lit_column] == pytest.approx(
        [line[column] for line in product["right"]["values"]], abs=0.051
    )
    lit = out.locator("td.hw-lit")
    assert lit.count() == 1
    value = product["out"]["values"][row][column]
    assert numbers(lit.text_content())[0] == pytest.approx(value, abs=0.051)
    said = figure.locator(".hw-product-sum").text_content()
    assert numbers(said)[-1] == pytest.approx(value, abs=0.051)


def test_a_row_meets_a_column_and_the_mouse_chooses_which(stepped):
    figure, data = stepped
    check_product(figure, data["products"][0], *data["start"])
    figure.locator(".hw-product-out td[tabindex]").nth(1).click()
    check_product(figure, data["products"][0], 0, 1)
    figure.get_by_role("button", name="Next cell").click()
    check_product(figure, data["products"][0], 0, 2)
    figure.get_by_role("button", name="Back").click()
    check_product(figure, data["products"][0], 0, 1)
    assert announced(figure).startswith("Row “the” of Q meets column “flower” of Kᵀ: ")


def test_each_product_can_be_chosen(stepped):
    figure, data = stepped
    for i, one in enumerate(data["products"]):
        figure.get_by_role("combobox", name="Product").select_option(str(i))
        check_product(figure, one, 0, 0)
        assert figure.get_by_role("button", name="Back").is_disabled()


def test_the_arrow_keys_move_among_the_cells_and_stop_at_the_edge(stepped):
    figure, data = stepped
    row, column = data["start"]
    figure.locator(".hw-product-out td[tabindex='0']").focus()
    figure.page.keyboard.press("ArrowDown")
    check_product(figure, data["products"][0], row, column)
    figure.page.keyboard.press("ArrowUp")
    figure.page.keyboard.press("ArrowRight")
    check_product(figure, data["products"][0], row - 1, column + 1)
    figure.page.keyboard.press("End")
    last = len(data["products"][0]["out"]["values"][0]) - 1
    check_product(figure, data["products"][0], row - 1, last)
    figure.page.keyboard.press("Home")
    check_product(figure, data["products"][0], row - 1, 0)
