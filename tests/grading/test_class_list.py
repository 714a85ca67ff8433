"""What the class list means for a grading run: groups, capitals, sections."""

import csv
import json

import pytest

from tests.grading.classroom import CHAPTER, gradebook_of, hand_in, statuses_and_scores

pytestmark = [pytest.mark.jupyter, pytest.mark.usefixtures("pool")]


@pytest.fixture
def grade(headway, tmp_path):
    """Add students to the gradebook, take the folders handed in by others, and grade."""

    def run(students, folders):
        with gradebook_of(tmp_path) as book:
            for student in students:
                book.add_student(student)
        for folder in folders:
            hand_in(tmp_path, folder)
        done = headway("grade", "01", "--course", tmp_path, "--no-feedback")
        report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
        return done, report["students"]

    return run


def test_a_folder_named_after_two_students_is_set_aside_for_both(grade, headway, tmp_path):
    done, rows = grade(["ann", "eve", "fay"], ["ann", "eve+fay"])
    assert done.code == 1
    assert rows["ann"]["status"] == "graded"
    for name in ("eve", "fay", "eve+fay"):
        assert rows[name]["status"] == "set-aside"
        assert "put a copy into the folder of each: eve, fay" in rows[name]["reason"]
    with gradebook_of(tmp_path) as book:
        assert {one.id for one in book.students} == {"ann", "eve", "fay"}
    behind = json.loads(headway("class", "--course", tmp_path, "--json").out)["students"]
    assert (behind["eve"]["not_handed_in"], behind["eve"]["set_aside"]) == ([], [1])


def test_a_plus_in_the_id_of_one_student_is_graded(grade):
    done, rows = grade(["eve"], ["eve+fay"])
    assert (done.code, rows["eve+fay"]["status"], rows["eve"]["status"]) == (0, "graded", "missing")


def test_a_folder_that_differs_from_an_id_in_capitals_is_set_aside(grade, tmp_path):
    done, rows = grade(["ann"], ["Ann", "Bob", "bob"])
    assert done.code == 1
    for name in ("Ann", "ann"):
        assert rows[name]["status"] == "set-aside"
        assert "handed in as Ann, and the gradebook has ann." in rows[name]["reason"]
    assert "Bob and bob differ in capitals only." in done.err
    assert "Ann and ann differ" not in done.err
    assert statuses_and_scores(tmp_path)["bob"] == statuses_and_scores(tmp_path)["Bob"]
    with gradebook_of(tmp_path) as book:
        assert {one.id for one in book.students} == {"ann", "Bob", "bob"}


def column_of_sections(course):
    """The sections in the table of grades, and the columns of the report's table of students."""
    with (course / "grades.csv").open(encoding="utf-8") as file:
        found = {row["student_id"]: row.get("section") for row in csv.DictReader(file)}
    return found, (course / "report.html").read_text("utf-8"), (course / "class.html").read_text()


@pytest.mark.parametrize("others", ["=Tuesday", "Monday"])
def test_sections_are_in_every_table_if_there_are_several(grade, headway, tmp_path, others):
    given = {"ann": "Monday", "bob": others, "zoe": others}
    (tmp_path / "sections.json").write_text(json.dumps(given))
    grade(["ann", "bob", "zoe"], ["ann", "bob"])
    (tmp_path / "submitted" / "bob" / CHAPTER.notebook).unlink()
    said = headway("class", "--course", tmp_path).out
    in_csv, *pages = column_of_sections(tmp_path)
    if others == "Monday":
        assert set(in_csv.values()) == {None}
        assert not any("Section" in page or "Monday" in page for page in (*pages, said))
        return
    assert in_csv == {"ann": "Monday", "bob": "'=Tuesday", "zoe": "'=Tuesday"}
    assert "section" in said
    assert "=Tuesday" in said
    for page in pages:
        assert '<th scope="col">Section</th>' in page
        assert "<td><bdi>Monday</bdi></td>" in page
        assert "<td><bdi>=Tuesday</bdi></td>" in page


def test_a_damaged_file_of_sections_stops_no_grading(grade, tmp_path):
    (tmp_path / "sections.json").write_text("{")
    done, rows = grade(["ann"], ["ann"])
    assert (done.code, rows["ann"]["status"]) == (0, "graded")
