import base64
from io import BytesIO

import pytest
from bs4 import BeautifulSoup
from nbconvert.exporters import HTMLExporter
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from nbgrader.server_extensions.formgrader.handlers import template_path
from PIL import Image
from traitlets.config import Config

from headway.grading.results import sanitize as module
from headway.grading.results.disarm import disarm
from headway.grading.results.feedback import PROCESS, FeedbackExporter
from headway.grading.results.graded_notebook import renamed_page
from headway.grading.results.markdown import (
    MATH_ATTRIBUTES,
    MATH_VALUE,
    MAX_FORMULA,
    formula,
    markdown_to_html,
)
from headway.grading.results.sanitize import (
    MAX_DEPTH,
    MAX_TAGS,
    SHOWN_TEXT,
    SanitizeNotebook,
    clean_card,
    sanitize_html,
)
from headway.grading.settings import configure
from headway.tasks.engine.card import STYLE, card_html
from headway.tasks.engine.find import find_task, tasks_of
from headway.tasks.engine.judge import judge
from tests.grading.pages import DOT, card, check_cell, graded, page_of, shown

PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
    "rkJggg=="
)


def parsed(html):
    return BeautifulSoup(html, "html.parser")


@pytest.mark.parametrize(
    ("source", "display"),
    [
        ("What is $a \\cdot b$?", "inline"),
        ("$$\\begin{bmatrix} 4 & 0 \\\\ 2 & 6 \\end{bmatrix}$$", "block"),
        ("\\begin{align} x &= 1 \\end{align}", "block"),
    ],
)
def test_formulas_become_mathml_with_their_source_as_text(source, display):
    math = BeautifulSoup(markdown_to_html(source), "html.parser").math
    assert math["display"] == display
    assert math["alttext"].split()[0] in source
    assert math.find(["mi", "mn"])


def test_what_is_no_formula_stays_as_it_was_written():
    assert formula("\\frac{", "inline", "as it was") == "as it was"
    assert formula("x" * (MAX_FORMULA + 1), "inline", "as it was") == "as it was"
    assert "$5 and" in markdown_to_html("It costs $5 and more.")


def test_a_formula_is_shown_once_whoever_asks_for_it_again():
    html = markdown_to_html("$x$ $y$ " + "&#xe000;0&#xe000;" * 1_000 + "&#xe000;7&#xe000;")
    assert html.count("<math") == 2


def test_the_source_of_a_formula_cannot_leave_its_attribute():
    html = markdown_to_html('$x" onload="alert(1)$ and $</math><script>alert(1)</script>$')
    page = BeautifulSoup(html, "html.parser")
    assert not page.find("script")
    assert not [tag for tag in page.find_all() if "onload" in tag.attrs]


@pytest.mark.parametrize(
    "source",
    [
        "\\text{</math></p></div><img/src=x/onerror=alert(1)>}",
        "\\text{&lt;b&gt;&#60;b&#62;}",
        "\\mbox{<section/class='hw-card'/style='position:fixed'>}",
        "\\href{javascript:alert(1)}{x}",
        "\\class{hw-card}{x}",
        "\\style{position:fixed}{x}",
        "\\color{url(x)}{x}",
        "\\tag{<b>}",
        "\\big<",
        "\\operatorname{<b>}",
    ],
)
def test_a_formula_holds_nothing_but_a_formula(source):
    math = parsed(markdown_to_html(f"${source}$")).find_all()
    assert math[0].name == "p"
    for tag in math[1:]:
        assert tag.name.startswith("m")
        assert tag.find_parent("math") or tag.name == "math"
        assert not set(tag.attrs) - {"alttext", "xmlns"} - MATH_ATTRIBUTES
        assert "url" not in str(tag.get("mathcolor"))


def test_characters_of_a_formula_are_themselves():
    page = parsed(markdown_to_html("$a < b \\text{ is } x \\in \\mathbb{R} & \\text{so < so}$"))
    text = page.find("math").get_text().replace("\xa0", " ")
    assert "a<b" in text
    assert "so < so" in text
    assert "∈ℝ" in text


def test_a_formula_defines_no_macros():
    source = "\\def\\a{x}\\def\\b{\\a\\a} \\b"
    assert formula(source, "inline", "as it was") == "as it was"
    assert formula("\\newcommand{\\a}{x}\\a", "inline", "as it was") == "as it was"
    assert "<math" in formula("\\left( x \\right) \\leq \\deg", "inline", "as it was")


def test_what_could_run_or_load_is_taken_out_of_a_page():
    page = BeautifulSoup(
        "<html><head><title>t</title></head><body>"
        '<img src="https://elsewhere.example/x.png" onerror="alert(1)"><img src="data:image/png;,">'
        '<iframe src="https://elsewhere.example"></iframe><link href="https://elsewhere.example/c">'
        '<a href="JavaScript:alert(1)">x</a><a href="https://elsewhere.example">y</a>'
        '<a href="#z">z</a><svg onload="alert(1)"/>'
        '<meta http-equiv="refresh" content="0;url=https://elsewhere.example">'
        "<script>alert(1)</script></body></html>",
        "html.parser",
    )
    disarm(page)
    assert not page.find_all(["iframe", "link", "script"])
    assert [tag["src"] for tag in page.find_all(src=True)] == ["data:image/png;,"]
    assert [tag["href"] for tag in page.find_all(href=True)] == [
        "https://elsewhere.example",
        "#z",
    ]
    assert not [name for tag in page.find_all() for name in tag.attrs if name.startswith("on")]
    (policy,) = page.find_all("meta", attrs={"http-equiv": True})
    assert policy["content"].startswith("default-src 'none'")


def test_text_tables_and_pictures_of_a_student_stay():
    html = (
        '<p>a &lt; b <b>bold</b> <a href="https://elsewhere.example">y</a></p>'
        '<table><thead><tr><th scope="row">x</th></tr></thead><tr><td colspan="2">1</td></tr>'
        f'</table><img src="data:image/png;base64,{PIXEL}" alt="A curve" width="20">'
    )
    kept = parsed(sanitize_html(html))
    assert kept.p.get_text() == "a < b bold y"
    assert (kept.th["scope"], kept.td["colspan"]) == ("row", "2")
    assert (kept.img["alt"], kept.img["width"]) == ("A curve", "20")
    assert kept.img["src"].endswith(PIXEL)


@pytest.mark.parametrize(
    "html",
    [
        "<p style='color:red' class='hw-card' id='toc' name='x' onclick='x' tabindex='1'>t</p>",
        "<img src='data:image/png;base64,PHNjcmlwdD4=' style='x'>",
        "<img src='data:image/svg+xml;base64,PHN2Zz4=' srcset='x.png'>",
        "<a href=' javascript:alert(1)'>t</a><a href='JAVASCRIPT:x'>t</a><a href='//x'>t</a>",
        "<a href='data:text/html,x' target='_top'>t</a><td colspan='99999'>t</td>",
    ],
)
def test_no_attribute_of_a_student_stays_that_could_restyle_name_or_load(html):
    assert [tag.attrs for tag in parsed(sanitize_html(html)).find_all() if tag.attrs] == []


def test_cells_of_a_table_take_no_more_places_than_a_browser_keeps():
    headings = "<tr><th colspan=30 rowspan=2>x</th><th colspan=1>y</th></tr>" * 3
    assert str(parsed(sanitize_html(f"<table>{headings}</table>"))).count("span") == 9
    many = "<tr><td colspan=1000 rowspan=999>x</td><td rowspan=0>x</td></tr>" * 150
    assert "span" not in sanitize_html(f"<table>{many}</table>")
    assert sanitize_html(f"<table>{'<td rowspan=9>x</td>' * 900}</table>").count("rowspan") == 222


def test_a_formula_is_no_larger_than_a_page():
    for size in ("9999em", "12345.5em", "100000px"):
        space = parsed(markdown_to_html(f"$\\rule{{{size}}}{{1em}}$")).find("mspace")
        assert {**space.attrs} == {"mathbackground": "black", "height": "1em"}
    assert not MATH_VALUE.fullmatch("1e9em")
    assert MATH_VALUE.fullmatch("0.16667em 12.5px")
    page = parsed(markdown_to_html("$a\\quad b \\color{#123456} c$"))
    assert "#123456" in str(page.find("math"))


def test_sizes_in_sizes_of_a_formula_are_not_multiplied():
    page = parsed(markdown_to_html("$\\Huge{a \\Huge{b \\Huge{c}}}$"))
    assert len([tag for tag in page.find_all() if "mathsize" in tag.attrs]) == 1


def test_a_page_has_so_many_letters_that_have_to_be_looked_up_and_no_more():
    letters = "\u0e01" * 33_000
    many = f"<p>{letters}</p>"
    outputs = [new_output("display_data", {"text/html": many}) for _ in range(8)]
    notebook = new_notebook(cells=[new_code_cell("", outputs=outputs)])
    clean, _ = SanitizeNotebook().preprocess(notebook, {})
    starts = [output.data["text/html"][:4] for output in clean.cells[0].outputs]
    assert starts == ["<p>\u0e01"] * 6 + ["<pre"] * 2


@pytest.mark.parametrize("around", ["{}", "<b>{}</b>", "<i title='{}'>x</i>"])
def test_a_reference_to_no_character_breaks_no_page(around):
    for number in ("1" * 5_000, "0" * 90 + "9" * 4_400):
        cell = shown(f"{around.format(f'&#{number};')} seen")
        assert "seen" in parsed(page_of(cell)).get_text()


def test_pictures_of_markdown_are_its_attachments():
    """Those are measured with all others of the page."""
    written = f'![a](data:image/png;base64,{PIXEL}) <img src="data:image/png;base64,{PIXEL}">'
    assert not parsed(markdown_to_html(written)).find_all(src=True)
    large = BytesIO()
    Image.new("1", (5_000, 4_999)).save(large, "PNG")
    pasted = {"image/png": base64.b64encode(large.getvalue()).decode()}
    cells = [new_markdown_cell("![a](attachment:a)", attachments={"a": pasted}) for _ in range(50)]
    clean, _ = SanitizeNotebook().preprocess(new_notebook(cells=cells), {})
    assert [len(cell.attachments) for cell in clean.cells] == [1] * 40 + [0] * 10


def test_a_page_has_so_many_letters_that_run_leftward_and_no_more():
    turns = "a\u05d0" * 20_000
    cells = [new_code_cell("", outputs=[new_output("stream", text=turns)]) for _ in range(4)]
    clean, _ = SanitizeNotebook().preprocess(new_notebook(cells=cells), {})
    shown = [cell.outputs[0].text.count("\u05d0") for cell in clean.cells]
    assert shown == [20_000, 20_000, 0, 0]


def test_the_text_of_scripts_and_styles_is_not_shown():
    html = "<style scoped>td {color: red}</style><script>alert(1)</script><p>seen</p>"
    assert sanitize_html(html) == "<p>seen</p>"


def assert_shown_as_its_own_text(html):
    cleaned = parsed(sanitize_html(html))
    assert [tag.name for tag in cleaned.find_all()] == ["pre"]
    assert cleaned.get_text().removesuffix("…") == html[:SHOWN_TEXT]


@pytest.mark.parametrize(
    "html",
    ["x" * 1_000_000 + "<script>", "<p>x</p>" + "<b " * 30_000, "<b>" + "&" * 190_000],
    ids=["length", "tags without end", "references"],
)
def test_markup_that_would_take_long_to_read_is_shown_as_its_own_text(html, monkeypatch):
    monkeypatch.setattr(module, "BeautifulSoup", None)
    assert_shown_as_its_own_text(html)


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * (MAX_DEPTH + 1),
        "<i>x</i>" * MAX_TAGS,
        "<b>" * 1_000 + "<p>" * 10_000,
        "<table><tr><td>" * 5_000,
        f"<a {' '.join(f'a{n}' for n in range(20_000))}>x</a>",
        "<![x>",
        "a <![ b > c",
        "<p>x</p><![foo[ >",
    ],
)
def test_markup_that_would_take_long_to_clean_is_shown_as_its_own_text(html, monkeypatch):
    monkeypatch.setattr(module, "_STUDENTS", None)
    assert_shown_as_its_own_text(html)


@pytest.mark.parametrize("source", ["1+" * 50_000, "a\n" * 400_000], ids=["signs", "lines"])
def test_code_that_would_have_very_many_colors_has_none(source):
    (code,) = parsed(page_of(new_code_cell(source))).select(".highlight pre")
    assert code.get_text().strip() == source.strip()
    assert not code.find_all(class_=True)


@pytest.mark.parametrize(
    ("kind", "text", "reader"),
    [
        ("text/markdown", "\\\\[" * 33_000, (FeedbackExporter, "markdown")),
        ("text/html", "a&a&" * 20_000 + "<b>", (module, "sanitize_html")),
    ],
    ids=["markdown", "references"],
)
def test_outputs_that_would_take_long_are_cut_and_nobody_reads_them(
    kind, text, reader, monkeypatch
):
    monkeypatch.setattr(*reader, None)
    outputs = [new_output("display_data", {kind: text}) for _ in range(3)]
    page = parsed(page_of(new_code_cell("show()", outputs=outputs)))
    shown = [box.get_text().strip() for box in page.select(".output_area pre")]
    assert shown == [f"{text[:SHOWN_TEXT]}…"] * 3


@pytest.mark.parametrize("task", tasks_of("01-one-hot"), ids=lambda task: task.id)
def test_cleaning_leaves_a_card_as_it_was_written(task):
    for answer in (task.reference, task.misconceptions[0].answers[0], None):
        html = card_html(judge(task, answer))
        cleaned = clean_card(html).replace("<tbody>", "").replace("</tbody>", "")
        assert parsed(cleaned) == parsed(html)


def test_a_card_may_hold_nothing_but_a_card():
    html = STYLE + '<section class="hw-card navbar"><script>x</script><a href="x">y</a></section>'
    assert clean_card(html) == STYLE + "<section>xy</section>"


def test_only_a_check_s_marked_output_is_a_card():
    marked, plain = card(None), card(None)
    del plain.metadata["headway"]
    elsewhere = new_code_cell("show()", outputs=[marked])
    page = parsed(page_of(check_cell(None), elsewhere, graded(f'check("{DOT}", 1)', "b", [plain])))
    assert len(page.select(".hw-card")) == 1
    assert page.get_text().count("Not started") == 3


def test_the_record_of_the_grading_goes_before_what_an_output_says():
    task = next(task for task in tasks_of("01-one-hot") if task.bonus)
    cell = graded(f'check("{task.id}", f)', "check-bonus")
    cell.metadata.nbgrader.points = 0.0
    assert f"(Bonus: 0 / {task.points:g})" in page_of(cell)
    record = {"tasks": {task.id: {"score": 2.5}}, "notes": []}
    assert f"(Bonus: 2.5 / {task.points:g})" in page_of(cell, headway=record)


def test_what_was_put_right_is_told_at_the_top():
    note = "The cell <b>'dot'</b> was deleted; it was put back empty."
    page = parsed(page_of(check_cell(None), headway={"tasks": {}, "notes": [note, 7]}))
    (told,) = page.select("#hw-notes li")
    assert told.get_text() == note
    assert not parsed(page_of(check_cell(None))).select("#hw-notes")


def test_cells_that_the_student_s_process_decided_are_marked():
    own, answer = graded("assert True", "own-test"), graded("4", "free", solution=True)
    page = parsed(page_of(check_cell(None), own, answer))
    entries = [item.get_text(" ", strip=True) for item in page.select("#toc li")]
    assert entries[0] == f"{find_task(DOT).title} (Score: 0.0 / 1.0)"
    assert entries[1] == f"Test cell own-test (Score: 0.0 / 1.0), {PROCESS}"
    assert PROCESS not in entries[2]
    labels = [label.get_text() for label in page.select("span.nbgrader-label")]
    assert [PROCESS in label for label in labels] == [False, True, False]
    assert PROCESS not in page_of(check_cell(None))


def test_pasted_pictures_are_shown_and_missing_ones_break_nothing():
    cell = new_markdown_cell(
        "![drawn](attachment:a.png) ![gone](attachment:b.png) ![bad](attachment:c)"
    )
    cell.attachments = {
        "a.png": {"image/png": PIXEL},
        "c": {"text/html": "<b>x</b>"},
        "d": {"x": "y"},
    }
    page = parsed(page_of(cell))
    assert [image["alt"] for image in page.find_all("img")] == ["drawn"]
    assert "gone" in page.get_text()


def test_markdown_keeps_its_highlighted_code_and_its_folds():
    html = markdown_to_html(
        "```python\nfor x in y: pass\n```\n\n<details><summary>a</summary>b</details>"
    )
    page = parsed(html)
    assert page.select("div.highlight span.k")[0].get_text() == "for"
    assert page.details.summary.get_text() == "a"


def test_outputs_that_are_no_text_and_data_of_wrong_types_break_nothing():
    output = new_output("display_data", data={"text/plain": "seen"}, metadata={"image/png": 3})
    output.data |= {"image/png": ["x"], "application/json": 7}
    cell = new_code_cell("x", outputs=[output], metadata={"nbgrader": 3})
    assert "seen" in page_of(cell, title="<b>", language_info={"name": "<b>"})


def test_the_formgrader_shows_a_submission_without_running_anything_of_it():
    config = Config()
    configure(config, {})
    config.HTMLExporter.template_name = "formgrade"
    config.HTMLExporter.extra_template_basedirs = [template_path]
    evil = "<script>alert(1)</script><b onclick='alert(1)' style='x' id='x'>seen</b>"
    evil += " $\\text{<script>alert(1)</script><img/src=x/onerror=alert(1)>}$"
    cells = [shown(evil), new_markdown_cell(f"{evil}\n\n![drawn](attachment:a)"), check_cell(None)]
    cells[1].attachments = {"a": {"image/png": PIXEL}}
    about = dict.fromkeys(("base_url", "submission_id", "notebook_id", "assignment_id"), "x")
    html, _ = HTMLExporter(config=config).from_notebook_node(
        new_notebook(cells=cells), {**about, "index": 0, "total": 1}
    )
    page = parsed(html)
    assert not [tag for tag in page.find_all("script") if "alert" in str(tag)]
    assert not [tag for tag in page.find_all("script") if "//" in tag.get("src", "")], "no network"
    assert not [tag for tag in page.find_all() if "onerror" in tag.attrs]
    assert [tag.attrs for tag in page.find_all("b") if tag.get_text() == "seen"] == [{}, {}]
    assert page.find("img", alt="drawn")
    assert len(page.select(".hw-card")) == 1


@pytest.mark.parametrize("renamed", ["../up", "a/b", "/root/page", ".hidden", "", 5])
def test_a_page_lies_a_second_time_beside_itself_and_nowhere_else(renamed):
    assert renamed_page(new_notebook(metadata={"headway": {"renamed": "mine"}})) == "mine.html"
    assert not renamed_page(new_notebook(metadata={"headway": {"renamed": renamed}}))
