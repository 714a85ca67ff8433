"""Letters with more marks on them than a browser can draw."""

from html import unescape

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from headway.grading.results import towers as module
from headway.grading.results.markdown import markdown_to_html
from headway.grading.results.sanitize import MARK, SanitizeNotebook, sanitize_html
from headway.grading.results.towers import MOST_MARKS, without_towers
from tests.steps import steps_of

ACUTE, THAI, TONE = "\u0301", "\u0e34", "\U0001f3fb"


@pytest.mark.parametrize("mark", [ACUTE, THAI, TONE])
def test_a_tower_is_cut_and_what_people_write_is_not(mark):
    assert without_towers(f"a{mark * 100_000}b") == f"a{mark * MOST_MARKS}b"
    assert without_towers(f"a{mark * 3}" * 1_000) == f"a{mark * 3}" * 1_000


@pytest.mark.parametrize(
    "mark",
    [
        *("&#769;", "&#769", "&#x301;", f"&#{50 * '0'}769;", "&DownBreve;", "&#769;" + ACUTE),
        *(f"{ACUTE}<b></b>", f'{ACUTE}<abbr title=">"></abbr>', f"{ACUTE}\u200d"),
    ],
)
def test_references_stand_for_marks_in_markup_only_and_tags_part_no_row(mark):
    cut = without_towers(f"a{mark * 5_000}b", markup=True)
    assert unescape(cut).count(ACUTE) + cut.count("&D") <= MOST_MARKS
    assert cut.count("<") == (f"a{mark}b" * 5_000).count("<")
    assert cut.endswith("b")
    assert without_towers("&#769;" * 5_000) == "&#769;" * 5_000


@pytest.mark.parametrize(
    "between",
    ["<!---->", "<script></script>", "&#xe000;9&#xe000;", MARK, "<!-- > -->", "<title>a</title>"],
)
def test_what_cleaning_takes_away_parts_no_row(between):
    text = f"a{(ACUTE * 90 + between) * 20}b"
    for clean in (sanitize_html(text), markdown_to_html(text)):
        assert ACUTE * (MOST_MARKS + 1) not in clean


def test_what_a_tag_says_has_no_tower():
    for mark in (ACUTE, "&#769;", ACUTE + "&#8205;"):
        title = f"a{mark * 900}"
        html = f'<abbr title="{title}">x</abbr>'
        for clean in (sanitize_html(html), markdown_to_html(f"![{title}](x.png) {html}")):
            assert ACUTE * (MOST_MARKS + 1) not in unescape(clean).replace("\u200d", "")
            assert "&#769;" * (MOST_MARKS + 1) not in clean


@pytest.mark.parametrize("color", ["\x1b[0m", "\x1b[K", "\x1b[38;5;9m", "\x1b"])
def test_colors_of_a_terminal_part_no_row(color):
    cut = without_towers(f"a{(ACUTE * 90 + color) * 20}{color}b")
    assert cut.count(ACUTE) <= MOST_MARKS
    assert cut.count(color) == 21
    assert cut.endswith("b")


def test_what_begins_like_a_color_hides_no_marks():
    assert without_towers("x\x1b[" + ACUTE * 500) == "x\x1b["
    assert without_towers("x\x1b[" + ACUTE * 500 + "m").count(ACUTE) == 0


@pytest.mark.parametrize("letter", ["\u0e33", "\u0eb3"])
def test_letters_that_are_drawn_as_marks_count_as_such(letter):
    assert without_towers("\u0e01" + letter * 500).count(letter) == MOST_MARKS
    assert without_towers(("\u0e01" + letter) * 500).count(letter) == 500


def test_other_references_stay():
    for text in ("&lt;" * 500, "&quot;" * 500, "&amp;#769;" * 500, "&" * 500, "&nothing;" * 500):
        assert without_towers(text, markup=True) == text
    towers = "&quot;" * 200 + "&#769;" * 200
    cut = "&quot;" * 200 + "&#769;" * MOST_MARKS
    assert without_towers(towers, markup=True) == cut


def test_no_text_of_a_page_has_a_tower():
    tower = "a" + ACUTE * 5_000
    outputs = [
        new_output("stream", text=tower),
        new_output("error", ename=tower, evalue=tower, traceback=[tower]),
        *(new_output("display_data", {kind: tower}) for kind in ("text/plain", "text/html")),
    ]
    cells = [new_code_cell(tower, outputs=outputs), new_markdown_cell(tower)]
    clean, _ = SanitizeNotebook().preprocess(new_notebook(cells=cells), {})
    assert ACUTE * (MOST_MARKS + 1) not in str(clean)
    assert str(clean).count(ACUTE) == 8 * MOST_MARKS


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("&" * 3_000, []),
        ("&a" * 1_500, [3_000]),
        ("&" + "a" * 3_000, [41]),  # no reference has a longer name
        ("&#1;" * 750, [3_000]),
        (("&a;" * 100 + "x") * 10, [300] * 10),
        (ACUTE * 3_000, [3_000]),
        (f"a{ACUTE}" * 1_500, [1] * 1_500),
    ],
)
def test_each_row_of_what_may_be_marks_is_looked_at_once(text, rows, monkeypatch):
    def cut(row):
        looked_at.append(len(row[0]))
        return lower(row)

    looked_at, lower = [], module._lower
    monkeypatch.setattr(module, "_lower", cut)
    without_towers(text, markup=True)
    assert looked_at == rows
    assert steps_of(without_towers, text * 2, True) < 2.1 * steps_of(without_towers, text, True)
