"""Exports for Canvas and Moodle: their columns, everyone once, and no grade that is none."""

import csv
import os
import shutil
import subprocess
import sys

import pytest
from traitlets.config import Config

import headway.grading.nbgrader.convert  # noqa: F401 - puts what nbgrader calls by name on the path
from headway.errors import UserError
from headway.grading.exports import CanvasExport, MoodleExport, protected
from headway.grading.notebooks.task_result import TaskResult
from headway.grading.results.report import Report, Row
from tests.grading.classroom import gradebook_of

NAME = "01-one-hot"


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course folder with a gradebook of every kind of student, and its report."""
    tmp_path = tmp_path_factory.mktemp("course")
    with gradebook_of(tmp_path) as book:
        for name, cells in ((NAME, 2), ("02-other", 1)):
            book.add_assignment(name)
            book.add_notebook(name, name)
            for at in range(cells):
                book.add_grade_cell(f"c{at}", name, name, max_score=3, cell_type="code")
        people = {
            "ada": {"first_name": "Ada", "last_name": "Love, lace", "email": "ada@x.example"},
            "0042": {"first_name": '=HYPERLINK("x")', "last_name": "@b", "lms_user_id": "0007"},
            "zero": {"email": "-1+2@x.example"},
            "late": {},
            "cut": {},
            "zoe": {},
            "begun": {},
        }
        for student, more in people.items():
            book.add_student(student, **more)
        for student, score in {"ada": 2.75, "0042": 1, "zero": 0, "late": 3, "cut": 3}.items():
            submission = book.add_submission(NAME, student)
            (notebook,) = submission.notebooks
            notebook.grades[0].auto_score = score
            notebook.grades[1].auto_score = 0
            notebook.grades[1].extra_credit = 4 if student == "ada" else 0
            notebook.late_submission_penalty = 1 if student == "late" else None
        book.add_submission(NAME, "begun")  # as nbgrader leaves it where grading failed
    tasks = {
        f"{NAME}/dot": TaskResult("partial", 2.75, 3.0, "sign-flipped", "Wrong."),
        f"{NAME}/pairs": TaskResult("passed", 4.0, 4.0),
    }
    rows = {
        "ada": Row("graded", 6.75, 6.0, None, 1.0, tasks),
        "cut": Row("set-aside", None, 6.0, "=cmd|' /C calc'!A0\nIt is broken."),
        "zoe": Row("missing", None, 6.0, "Nothing was handed in."),
    }
    (tmp_path / "reports").mkdir()
    path = tmp_path / "reports" / f"{NAME}.json"
    path.write_text(Report(NAME, rows).as_json(), encoding="utf-8")
    return tmp_path


def exported(kind, course, monkeypatch, **chosen):
    monkeypatch.chdir(course)
    config = Config({kind.__name__: {"to": str(course / "out.csv"), **chosen}})
    with gradebook_of(course) as book:
        kind(config=config).export(book)
    with (course / "out.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def by(column, rows):
    at = rows[0].index(column)
    return {row[at]: dict(zip(rows[0], row, strict=True)) for row in rows[1:]}


@pytest.mark.parametrize(
    ("kind", "key"), [(CanvasExport, "SIS Login ID"), (MoodleExport, "Username")]
)
def test_a_grade_is_what_counts_and_without_one_the_field_is_empty(course, monkeypatch, kind, key):
    found = by(key, exported(kind, course, monkeypatch))
    grades = {student: row[NAME] for student, row in found.items() if student}
    # With the bonus; less the penalty; a zero that was earned; set aside; nothing handed in; begun.
    earned = {"ada": "6.75", "0042": "1", "late": "2", "zero": "0"}
    assert grades == earned | {"cut": "", "zoe": "", "begun": ""}
    assert {row["02-other"] for student, row in found.items() if student} == {""}


def test_moodle_gets_ids_names_and_a_comment_beside_each_grade(course, monkeypatch):
    rows = exported(MoodleExport, course, monkeypatch)
    start = ["Username", "First name", "Last name"]  # not all have a number or an address
    assert rows[0] == [*start, NAME, f"{NAME} (feedback)", "02-other", "02-other (feedback)"]
    found = by("Username", rows)
    assert found["ada"][f"{NAME} (feedback)"] == "dot: 2.75 of 3; pairs: 4 of 4"
    assert found["late"][f"{NAME} (feedback)"] == "3 of 6 points in all; late: −1"
    assert found["zoe"][f"{NAME} (feedback)"] == "Not graded: Nothing was handed in."


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        (
            "Handed in my. Page.html: a web page, not a notebook. Ask for the .ipynb file.",
            ": a web page was handed in, my. Page.html.",
        ),
        (
            "The file is no Jupyter notebook: its text is not JSON. Save it again.",
            ": the file is no Jupyter notebook: its text is not JSON.",
        ),
        ("The penalty could not be computed: AttributeError: x. Mend the plug-in that", "."),
        (
            "There is no 01-one-hot.ipynb, but several other notebooks: a, b. Rename the right",
            ": there is no 01-one-hot.ipynb, but several other notebooks: a, b.",
        ),
    ],
)
def test_a_comment_tells_a_student_what_was_handed_in_and_no_teacher_what_to_do(
    course, tmp_path, monkeypatch, reason, said
):
    course = shutil.copytree(course, tmp_path / "course")
    path = course / "reports" / f"{NAME}.json"
    path.write_text(Report(NAME, {"cut": Row("set-aside", None, 6.0, reason)}).as_json())
    row = by("Username", exported(MoodleExport, course, monkeypatch))["cut"]
    assert row[f"{NAME} (feedback)"] == f"Not graded yet{said}"


def test_rows_are_sorted_by_id(course, monkeypatch):
    ids = [row[0] for row in exported(MoodleExport, course, monkeypatch)[1:]]
    assert ids == sorted(ids)
    assert len(ids) == 7


def test_moodle_s_comment_tells_the_points_that_count_where_a_person_gave_some(
    course, tmp_path, monkeypatch
):
    course = shutil.copytree(course, tmp_path / "course")
    with gradebook_of(course) as book:
        book.find_submission(NAME, "ada").notebooks[0].grades[0].manual_score = 1
    row = by("Username", exported(MoodleExport, course, monkeypatch))["ada"]
    comment = "5 of 6 points in all, some of them given by hand"
    assert (row[NAME], row[f"{NAME} (feedback)"]) == ("5", comment)


def test_canvas_s_own_ids_go_back_where_they_came_from(course, monkeypatch):
    rows = exported(CanvasExport, course, monkeypatch, students_by="ID")
    found = by("ID", rows)["0042"]
    assert (found["SIS User ID"], found["SIS Login ID"], found[NAME]) == ("", "", "1")
    assert "ada" not in by("ID", rows), "Canvas would read it as a number"


def test_no_field_is_a_formula_and_no_id_is_changed(course, monkeypatch):
    for kind in (CanvasExport, MoodleExport):
        rows = exported(kind, course, monkeypatch)
        assert not [f for row in rows for f in row if f.startswith(("=", "+", "-", "@", "\t"))]
        assert not [f for row in rows for f in row if "\n" in f]
    found = by("Username", rows)
    assert found["0042"]["First name"] == '\'=HYPERLINK("x")'
    assert "Email address" not in rows[0], "that of one of them begins like a formula"
    assert protected("a = b") == "a = b"


def test_students_and_assignments_can_be_chosen(course, monkeypatch):
    rows = exported(CanvasExport, course, monkeypatch, student=["ada"], assignment=[NAME])
    assert [row[3] for row in rows] == ["SIS Login ID", "", "ada"]
    assert rows[0][5:] == [NAME]
    with pytest.raises(UserError, match="no student 'aad'"):
        exported(CanvasExport, course, monkeypatch, student=["ada", "aad"])


@pytest.mark.jupyter
def test_nbgrader_s_command_exports(course):
    command = [sys.executable, "-m", "nbgrader", "export", "--to", "canvas.csv"]
    command += ["--exporter", "headway.grading.exports.CanvasExport"]
    done = subprocess.run(
        command, cwd=course, env=os.environ, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    rows = list(csv.reader((course / "canvas.csv").open(encoding="utf-8")))
    assert by("SIS Login ID", rows)["cut"][NAME] == "", "the report of the course was read"
