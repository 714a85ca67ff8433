"""Grading a class: right scores for some, a reason for the others, and nobody stops anybody."""

import csv
import json

import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell

from headway.chapters import hidden_modules
from headway.commands.grade import grade
from headway.grading.course import Course
from tests.grading.classroom import (
    CHAPTER,
    cell_named,
    duplicate,
    hand_in,
    path_of,
    statuses_and_scores,
)

NAME = CHAPTER.name

pytestmark = pytest.mark.jupyter


def delete_a_check(notebook):
    notebook.cells.remove(cell_named(notebook, "check-lookup"))


def crash(notebook):
    notebook.cells.insert(5, new_code_cell("import os\nos._exit(1)"))


def leave_a_bracket_open(notebook):
    cell_named(notebook, "dot").source += "\nprint((1)"


def shout(notebook):
    cell_named(notebook, "dot").source = "raise ValueError('<script>alert(1)</script>')"
    after_setup("import no_such_package as it\nimport helpers")(notebook)
    cell_named(notebook, "matmul").source = f"it.theme()\n{cell_named(notebook, 'matmul').source}"
    cell_named(notebook, "dot").source += "\ndot = 2"
    lookup = cell_named(notebook, "lookup")
    lookup.source = f"from headway.no_such_part import it\n{lookup.source}"


def add_an_own_check(notebook):
    cell = new_code_cell(f'check("{NAME}/dot", lambda a, b: 0)')
    notebook.cells.append(cell)


def lean_on_a_wrong_answer(notebook):
    cell_named(notebook, "one-hot").source = "def one_hot(ids, size):\n    return np.eye(size)[0]"
    cell_named(notebook, "pairs").source = (
        "def count_pairs(ids, size):\n"
        "    vectors = one_hot(ids, size)\n"
        "    return vectors[:-1].T @ vectors[1:]"
    )


def strip_a_check(notebook):
    del cell_named(notebook, "check-dot").metadata["nbgrader"]


def break_the_widgets(notebook):
    notebook.metadata.widgets = {"application/vnd.jupyter.widget-state+json": {}}


def after_setup(source):
    """Runs a cell between the setup and the first task."""
    return lambda notebook: notebook.cells.insert(3, new_code_cell(source))


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A graded class of good, broken and absent submissions."""
    course = tmp_path_factory.mktemp("course")
    hand_in(course, "ada")
    hand_in(course, "bob", "release")
    marked = hand_in(course, "bom", "release", break_the_widgets)
    marked.write_bytes(b"\xef\xbb\xbf" + marked.read_bytes())
    hand_in(course, "cut").write_text('{"cells": [')
    hand_in(course, "dup", change=lambda notebook: duplicate(notebook, "dot"))
    hand_in(course, "elsa", change=crash)
    flood = "print('x' * 30_000_000)"
    hand_in(course, "flood", change=after_setup(flood))
    hand_in(course, "gone", change=delete_a_check)
    hand_in(course, "greedy", change=after_setup("check = lambda *_: 99"))
    hand_in(course, "lean", change=lean_on_a_wrong_answer)
    hand_in(course, "loud", change=shout)
    hand_in(course, "mute", change=after_setup("check = lambda *_: None"))
    hand_in(course, "own", change=add_an_own_check)
    hand_in(course, "torn", change=leave_a_bracket_open)
    hand_in(course, "bare", change=strip_a_check)
    other = path_of(course, "misnamed").parent / "<img src=x onerror=alert(1)>.ipynb"
    hand_in(course, "misnamed").rename(other)
    hand_in(course, "we[i]rd")
    (course / "submitted" / "notes.txt").write_text("no student")
    with Course.open(course, NAME, hidden_modules()).gradebook.opened() as gradebook:
        gradebook.add_student("zoe")
    assert grade("01", course) == 1, "some are set aside"
    return course


@pytest.fixture(scope="module")
def report(course):
    return json.loads((course / "report.json").read_text(encoding="utf-8"))


def test_the_report_has_the_form_that_is_promised(report):
    assert set(report) == {"assignment", "students"}
    assert report["assignment"] == NAME
    for row in report["students"].values():
        assert set(row) == {"status", "score", "max", "reason", "seconds", "tasks"}
        assert row["max"] == 20
        assert (row["score"] is None) == (row["status"] != "graded") == (row["reason"] is not None)
        for task_id, task in row["tasks"].items():
            assert task_id.startswith(f"{NAME}/")
            assert set(task) == {"status", "score", "max", "misconception", "reason"}


def test_everyone_is_in_the_report(report):
    assert {name: row["status"] for name, row in report["students"].items()} == {
        "ada": "graded",
        "bare": "graded",
        "bob": "graded",
        "bom": "graded",
        "cut": "set-aside",
        "dup": "graded",
        "elsa": "graded",
        "flood": "graded",
        "gone": "graded",
        "greedy": "graded",
        "lean": "graded",
        "loud": "graded",
        "misnamed": "graded",
        "mute": "graded",
        "own": "graded",
        "torn": "graded",
        "we[i]rd": "set-aside",
        "zoe": "missing",
    }


@pytest.mark.parametrize(
    ("student", "reason"),
    [
        ("cut", "its text is not JSON"),
        ("we[i]rd", "is no student's name"),
        ("zoe", "Nothing was handed in."),
    ],
)
def test_what_was_not_graded_has_its_reason_in_words(report, student, reason):
    assert reason in report["students"][student]["reason"]


def test_scores_add_up_with_the_bonus_on_top(report):
    scores = {name: row["score"] for name, row in report["students"].items()}
    assert scores["ada"] == 24
    assert scores["bob"] == 0
    assert scores["loud"] == 19
    for row in report["students"].values():
        if row["status"] == "graded":
            assert row["score"] == sum(task["score"] for task in row["tasks"].values())
            assert row["seconds"] > 0


def test_a_deleted_check_is_put_back_and_counts(report):
    assert report["students"]["gone"]["score"] == 24


@pytest.mark.parametrize(
    "student", ["own", "bare", "flood", "dup", "elsa", "greedy", "misnamed", "mute"]
)
def test_points_are_kept(report, student):
    assert report["students"][student]["score"] == 24
    assert report["students"][student]["tasks"][f"{NAME}/dot"]["status"] == "passed"


def test_a_flood_of_output_is_cut_and_says_so(course):
    path = course / "autograded" / "flood" / NAME / f"{NAME}.ipynb"
    assert path.stat().st_size < 1_000_000
    assert "… cut here" in path.read_text(encoding="utf-8")


def test_a_check_that_could_not_run_is_failed_with_the_error(report):
    task = report["students"]["loud"]["tasks"][f"{NAME}/dot"]
    assert (task["status"], task["score"]) == ("failed", 0)
    said = "The cell that makes dot stopped with ValueError: <script>alert(1)</script>."
    assert task["reason"] == f"{said} NameError: name 'dot' is not defined"


def test_a_package_that_is_missing_is_named_and_not_only_what_is_undefined_without_it(report):
    tasks = report["students"]["loud"]["tasks"]
    said = "no_such_package is not installed where submissions run, so the cell that imports it "
    undefined = "NameError: name 'matmul' is not defined"
    assert tasks[f"{NAME}/matmul"]["reason"] == f"{said}stopped there. {undefined}"
    said = "The cell that makes look_up stopped with ModuleNotFoundError: No module named "
    undefined = "NameError: name 'look_up' is not defined"
    assert tasks[f"{NAME}/lookup"]["reason"] == f"{said}'headway.no_such_part'. {undefined}"


def test_a_cell_that_python_cannot_read_is_said_to_be_one(report):
    task = report["students"]["torn"]["tasks"][f"{NAME}/dot"]
    assert (task["status"], task["score"]) == ("failed", 0)
    assert task["reason"].startswith("Python can't read this cell, so none of it ran: ")
    assert "(line " in task["reason"], "and no name of a file that IPython makes"


def test_an_answer_that_rests_on_a_wrong_one_says_where_to_look_first(report):
    tasks = report["students"]["lean"]["tasks"]
    said = "It uses one_hot, which does not pass its own check: look there first."
    assert tasks[f"{NAME}/pairs"]["reason"].endswith(said)
    assert said not in tasks[f"{NAME}/one-hot"]["reason"]


def test_the_gradebook_is_nbgrader_s_and_holds_the_bonus_as_extra_credit(course):
    with Course.open(course, NAME, hidden_modules()).gradebook.opened() as gradebook:
        submission = gradebook.find_submission(NAME, "ada")
        assert (submission.score, submission.max_score) == (24, 20)
        grade = gradebook.find_grade("check-pairs", NAME, NAME, "ada")
        assert (grade.auto_score, grade.extra_credit, grade.max_score) == (0, 4, 0)
        assert not submission.needs_manual_grade
        untouched = gradebook.find_grade("check-pairs", NAME, NAME, "bob")
        assert untouched.extra_credit == 0


def test_the_grades_are_exported(course):
    rows = list(csv.DictReader((course / "grades.csv").open(encoding="utf-8")))
    (ada,) = (row for row in rows if row["student_id"] == "ada")
    assert (ada["raw_score"], ada["score"], ada["max_score"]) == ("24.0", "24.0", "20.0")
    assert ada["assignment"] == NAME


def test_the_table_of_grades_says_what_the_report_says(course, report):
    assert statuses_and_scores(course) == {
        name: (row["status"], row["score"]) for name, row in report["students"].items()
    }


def test_feedback_is_written_for_those_who_were_graded(course):
    pages = {path.parents[1].name: path for path in course.glob(f"feedback/*/{NAME}/{NAME}.html")}
    assert set(pages) == {
        "ada",
        "bare",
        "bob",
        "bom",
        "dup",
        "elsa",
        "flood",
        "gone",
        "greedy",
        "lean",
        "loud",
        "misnamed",
        "mute",
        "own",
        "torn",
    }
    assert "✓ Passed: The product without the product" in pages["ada"].read_text(encoding="utf-8")
    assert "○ Not started" in pages["bob"].read_text(encoding="utf-8")


def test_the_page_says_the_same_and_lets_nothing_through(course):
    page = (course / "report.html").read_text(encoding="utf-8")
    assert "&lt;img src=x onerror=alert(1)&gt;" in page
    assert "<img" not in page
    assert "<script" not in page
    assert "24 of 20" in page
    assert f'href="feedback/ada/{NAME}/{NAME}.html"' in page
    assert "we[i]rd" in page


def test_one_report_is_kept_for_each_assignment(course):
    kept = course / "reports" / f"{NAME}.json"
    assert kept.read_bytes() == (course / "report.json").read_bytes()
    page = kept.with_suffix(".html").read_text(encoding="utf-8")
    assert f'href="../feedback/ada/{NAME}/{NAME}.html"' in page


def test_nothing_but_results_is_left_in_the_course_folder(course):
    assert {path.name for path in course.iterdir()} == {
        ".headway",
        ".headway.lock",
        "autograded",
        "feedback",
        "gradebook.db",
        "grades.csv",
        "nbgrader_config.py",
        "report.html",
        "report.json",
        "reports",
        "source",
        "submitted",
    }


def test_a_feedback_page_needs_no_other_host_and_names_the_tasks(course):
    path = course / "feedback" / "ada" / NAME / f"{NAME}.html"
    page = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
    assert not page.find_all("script")
    loaded = [tag["src"] for tag in page.find_all(src=True)]
    loaded += [tag["href"] for tag in page.find_all("link", href=True)]
    assert all(address.startswith("data:") for address in loaded)
    entries = [item.get_text(" ", strip=True) for item in page.select("#toc li")]
    assert entries[0] == "A right angle by hand (Score: 1.0 / 1.0)"
    assert entries[-1] == "Count neighbors with one product (Bonus: 4 / 4)"
