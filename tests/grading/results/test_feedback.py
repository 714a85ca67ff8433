"""A student's feedback page: text and pictures, and cards that nobody else can make."""

import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from headway.grading.execution.pictures import drawn_again
from headway.grading.results.feedback import PROCESS
from headway.grading.results.graded_notebook import renamed_page
from headway.tasks.engine.find import find_task, tasks_of
from tests.grading.pages import DOT, PIXEL, card, check_cell, graded, page_of, shown

MARKUP = "<script>alert(1)</script><b onclick='alert(1)'>seen</b> $x^2$ ![x](http://elsewhere)"


def parsed(html):
    return BeautifulSoup(html, "html.parser")


def outputs_of(page):
    return [box.get_text().strip() for box in page.select(".output")]


def test_whatever_a_student_wrote_is_shown_as_it_was_written():
    error = new_output("error", ename="E", evalue=MARKUP, traceback=[f"\x1b[31m{MARKUP}\x1b[0m"])
    stream = new_output("stream", name="stdout", text=MARKUP)
    latex = new_output("display_data", {"text/latex": MARKUP})
    cells = [new_markdown_cell(MARKUP), new_code_cell(MARKUP, outputs=[stream, error, latex])]
    page = parsed(page_of(*cells))
    assert page.select_one(".text pre").get_text() == MARKUP
    assert page.select_one(".code").get_text().strip() == MARKUP
    assert outputs_of(page) == [MARKUP] * 3
    assert not page.find_all(["script", "b", "img", "link"])
    (policy,) = page.find_all("meta", attrs={"http-equiv": True})
    assert policy["content"].startswith("default-src 'none'")


def test_a_long_text_is_folded_under_its_first_line_and_an_answer_is_not():
    long = "### A <b>task</b>\n\none\n\ntwo\n\nthree"
    page = page_of(new_markdown_cell("short"), new_markdown_cell(long))
    (folded,) = parsed(page).select("details")
    assert folded.summary.text == "A <b>task</b>"
    assert folded.pre.text == long
    answer = new_markdown_cell(long)
    answer.metadata["nbgrader"] = {"grade_id": "essay", "solution": True, "grade": True}
    assert not parsed(page_of(answer)).select("details")


def test_an_explanation_is_folded_under_its_question():
    text = "<details><summary>Why &lt; half?</summary>\n\nBecause.\n\n</details>"
    (folded,) = parsed(page_of(new_markdown_cell(text))).select("details")
    assert folded.summary.text == "Why &lt; half?"
    assert folded.pre.text == text


def test_markup_shows_the_text_that_stands_in_it():
    table = "<table><tr><td onclick=x>1</td><td>2</td></tr></table>"
    page = parsed(page_of(shown(table), shown("<b>bold</b> &amp; plain")))
    assert outputs_of(page) == ["1 2", "bold & plain"]
    assert not page.find_all("table")


def test_pictures_of_outputs_and_of_texts_are_shown_and_what_is_none_is_not():
    picture = new_output("display_data", {"image/png": PIXEL, "text/plain": "<Figure>"})
    none = new_output("display_data", {"image/png": "PHN2Zz4=", "text/plain": "seen"})
    text = new_markdown_cell("![drawn](attachment:a)")
    text.attachments = {"a": {"image/png": PIXEL}, "b": {"text/html": "<b>"}}
    page = parsed(page_of(new_code_cell("show()", outputs=[picture, none]), text))
    assert [image["src"] for image in page.find_all("img")] == [
        f"data:image/png;base64,{drawn_again(PIXEL, 'image/png').data}"
    ] * 2
    assert outputs_of(page) == ["", "seen", ""]


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
    (told,) = page.select("#notes li")
    assert told.get_text() == note
    assert not parsed(page_of(check_cell(None))).select("#notes")


def test_cells_that_the_student_s_process_decided_are_marked():
    own, answer = graded("assert True", "own-test"), graded("4", "free", solution=True)
    page = parsed(page_of(check_cell(None), own, answer))
    entries = [item.get_text(" ", strip=True) for item in page.select("#toc li")]
    assert entries[0] == f"{find_task(DOT).title} (Score: 0.0 / 1.0)"
    assert entries[1] == f"Test cell own-test (Score: 0.0 / 1.0), {PROCESS}"
    assert PROCESS not in entries[2]
    labels = [label.get_text() for label in page.select(".label")]
    assert [PROCESS in label for label in labels] == [False, True, False]
    assert PROCESS not in page_of(check_cell(None))


def test_a_comment_stands_below_its_cell_and_in_the_list():
    answer = graded("4", "free", solution=True)
    answer.metadata.nbgrader.comment = "Well <b>done</b>.\nGo on."
    page = parsed(page_of(answer))
    assert page.select_one("#comment-free pre").get_text() == "Well <b>done</b>.\nGo on."
    assert page.select_one("#toc a[href='#comment-free']")


def test_outputs_that_are_no_text_and_data_of_wrong_types_break_nothing():
    output = new_output("display_data", data={"text/plain": "seen"}, metadata={"image/png": 3})
    output.data |= {"image/png": ["x"], "application/json": 7}
    cell = new_code_cell("x", outputs=[output], metadata={"nbgrader": 3})
    assert "seen" in page_of(cell, title="<b>", language_info={"name": "<b>"})


@pytest.mark.parametrize("renamed", ["../up", "a/b", "/root/page", ".hidden", "", 5])
def test_a_page_lies_a_second_time_beside_itself_and_nowhere_else(tmp_path, renamed):
    mine = new_notebook(metadata={"headway": {"renamed": "mine"}})
    assert not renamed_page(mine, tmp_path), "only nbgrader's exchange needs it"
    (tmp_path / "submission_secret.txt").write_text("secret")
    assert renamed_page(mine, tmp_path) == "mine.html"
    assert not renamed_page(new_notebook(metadata={"headway": {"renamed": renamed}}), tmp_path)
