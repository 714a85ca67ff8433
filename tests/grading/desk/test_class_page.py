"""The page of the class and what `headway class` prints."""

import json
import stat

import pytest
from bs4 import BeautifulSoup
from nbgrader.api import Grade

from headway.chapters import CHAPTERS
from headway.commands.class_ import MOST_ROWS
from headway.grading.desk.class_page import class_page
from headway.grading.desk.mistakes import recurring_mistakes
from headway.grading.desk.overview import read_overview, students_by_progress
from headway.grading.desk.tasks import difficulties
from tests.commands.sentences import assert_sentence
from tests.grading.classroom import gradebook_of
from tests.grading.desk.conftest import NAMES
from tests.grading.desk.made_up import NOW, make_course

TURNED = "\u202eeve <img src=x onerror=alert(1)>"


def html_of(folder):
    overview = read_overview(folder)
    parts = students_by_progress(overview), recurring_mistakes(overview), difficulties(overview)
    return class_page(overview, *parts, NOW)


def test_the_page_has_everybody_and_every_assignment(made_up):
    page = BeautifulSoup(html_of(made_up), "html.parser")
    table = page.find("table", "students")
    assert {row.th.get_text() for row in table.tbody.find_all("tr")} == set(NAMES)
    assert [th.get_text() for th in table.thead.find_all("th")][2:] == ["01", "02", "03"]
    links = [a["href"] for a in table.tbody.find_all("a")]
    assert f"feedback/student-00/{CHAPTERS[0].name}/{CHAPTERS[0].name}.html" in links
    assert "01: " in page.svg["aria-label"]


@pytest.mark.parametrize("students", [[], ["ada"]])
def test_a_class_of_nobody_and_of_one_has_a_page(headway, tmp_path, students):
    (tmp_path / "submitted").mkdir()
    if students:
        make_course(tmp_path, students, CHAPTERS[:1])
    result = headway("class", "--course", tmp_path)
    assert (result.code, result.err) == (0, "")
    page = BeautifulSoup((tmp_path / "class.html").read_text("utf-8"), "html.parser")
    assert page.li.get_text(" ", strip=True) == ("1 student" if students else "0 students")


def test_the_command_prints_the_first_rows_and_all_as_json(headway, made_up):
    result = headway("class", "--course", made_up)
    assert result.code == 0
    assert "60 students, 3 assignments" in result.out
    assert result.out.count("student-") == MOST_ROWS
    assert "more are on the page" in result.err
    assert f"Page: {made_up / 'class.html'}" in result.out
    assert stat.S_IMODE((made_up / "class.html").stat().st_mode) == 0o600
    data = json.loads(headway("class", "--course", made_up, "--json").out)
    assert len(data["students"]) == 60
    assert data["assignments"] == [one.name for one in CHAPTERS[:3]]


def test_a_folder_that_is_none_or_no_course_is_refused_and_nothing_is_written(headway, tmp_path):
    assert_sentence(headway("class", "--course", tmp_path / "no"), "There is no folder")
    (tmp_path / "letters").mkdir()
    for command in (("class",), ("class", "--json"), ("class", "export", "moodle")):
        result = headway(*command, "--course", tmp_path)
        assert_sentence(result, "is not a course folder", "no gradebook", "--course")
    assert [path.name for path in tmp_path.rglob("*")] == ["letters"]


def test_names_of_the_class_list_stand_beside_the_ids_as_text(headway, tmp_path):
    make_course(tmp_path, ["ada", "eve", TURNED], CHAPTERS[:3])
    with gradebook_of(tmp_path) as book:
        book.update_or_create_student("ada", first_name="Ada", last_name="Lovelace")
        book.update_or_create_student("eve", first_name=TURNED, last_name="\x1b[31m")
        book.db.query(Grade).update({"manual_score": 0})  # so that all are behind
    done = headway("class", "--course", tmp_path)
    html = (tmp_path / "class.html").read_text("utf-8")
    assert "<img" not in html
    assert "<script" not in html
    assert "\u202e" not in html
    table = BeautifulSoup(html, "html.parser").find("table", "students")
    rows = {row.th.bdi.get_text(): row.th.get_text(" ", strip=True) for row in table.tbody("tr")}
    assert rows["ada"] == "ada Ada Lovelace"
    assert rows["eve"].startswith("eve \\u202eeve <img")
    assert rows.keys() - {"ada", "eve"} == {TURNED.replace("\u202e", "\\u202e")}
    assert "Ada Lovelace" in done.out
    assert done.out.replace("\n", "").isprintable()
    out = headway("class", "--course", tmp_path, "--json").out
    assert out.replace("\n", "").isprintable()
    data = json.loads(out)["students"]
    assert (data["ada"]["name"], data[TURNED]["name"]) == ("Ada Lovelace", None)
