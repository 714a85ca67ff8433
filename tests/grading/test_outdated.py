"""Grades that are taken elsewhere after something changed, and before they are graded again."""

import csv
import shutil
from datetime import datetime, timedelta

import pytest

from headway.grading.hand_points import answers_in
from headway.grading.journal import Journal, NotedPoints
from tests.grading.classroom import CHAPTER, gradebook_of, hand_in, path_of

NAME = CHAPTER.name
ZERO = '\nc.LateSubmissionPlugin.penalty_method = "zero"\n'
AGAIN = "Run first: headway grade 01"

pytestmark = pytest.mark.jupyter


@pytest.fixture
def course(graded, tmp_path):
    return shutil.copytree(graded, tmp_path / "course")


@pytest.fixture
def export(headway, course, tmp_path):
    """Writes a file for Moodle; gives the exit code and what was said beside the result."""

    def run(*options):
        to = tmp_path / "moodle.csv"
        done = headway("class", "export", "moodle", "--to", to, "--course", course, *options)
        assert to.exists()
        return done.code, done.err

    return run


def test_after_a_run_nothing_is_outdated(export, headway, course, pool):
    assert export() == (0, "")
    hand_in(course, "ann+bob")
    hand_in(course, "eve").write_text("{")
    fault = {"status": "fault", "reason": "there is no room"}
    pool.change = lambda student, result: fault
    hand_in(course, "bob")
    assert headway("grade", "01", "--course", course, "--no-feedback").code == 1
    said = "Handed in 01-one-hot, and not graded (1): bob.\n"
    assert export() == (0, said), "set aside for a reason that is still there"


def test_a_corrected_file_and_one_that_is_gone_are_named(export, course, headway, tmp_path):
    hand_in(course, "bob")
    shutil.rmtree(path_of(course, "ann").parent)
    hand_in(course, "eve")
    code, said = export()
    assert code == 1
    assert f"{NAME}: Graded before something was handed in: eve." in said
    assert "Graded before the file changed: bob." in said
    assert f"Graded before the file was taken away: ann. {AGAIN}" in said
    code, said = export("--student", "bob")
    assert code == 1
    assert "ann" not in said
    sheet = tmp_path / "worksheet.csv"
    sheet.write_text(
        '\ufeffIdentifier,"Full name","Username",Status,Grade\n'
        'Participant 12345,"Ann",ann,Submitted,\nParticipant 678,"Bob",bob,Submitted,\n',
        encoding="utf-8",
    )
    to = tmp_path / "feedback.zip"
    done = headway("class", "feedback", "01", sheet, "--to", to, "--course", course)
    assert done.code == 1
    assert "Graded before the file changed: bob." in done.err
    assert to.exists()


def test_an_extension_makes_a_grade_outdated_only_if_being_late_costs_something(
    export, course, headway, pool
):
    (path_of(course, "ann").parent / "timestamp.txt").write_text("2026-03-02 00:00:00 UTC")
    with gradebook_of(course) as book:
        book.update_or_create_assignment(NAME, duedate=datetime(2026, 3, 1))
    assert headway("grade", "01", "--course", course, "--no-feedback").code == 0

    def extend(days):
        with gradebook_of(course) as book:
            book.update_or_create_submission(NAME, "ann", extension=timedelta(days))

    extend(0.5)
    assert export() == (0, "")
    extend(0)
    with (course / "nbgrader_config.py").open("a") as file:
        file.write(ZERO)
    assert (
        "Graded before the plug-in of late penalties, or its settings, changed: ann" in export()[1]
    )
    assert headway("grade", "01", "--course", course, "--no-feedback").code == 0
    assert export() == (0, "")
    extend(2)
    code, said = export()
    assert code == 1
    assert f"Graded before an extension was given, changed or taken back: ann. {AGAIN}" in said
    assert headway("grade", "01", "--course", course, "--no-feedback").code == 0
    with (course / "grades.csv").open(encoding="utf-8") as file:
        due = {row["student_id"]: row["duedate"] for row in csv.DictReader(file)}
    assert due == {"ann": "2026-03-03 00:00:00", "bob": "2026-03-01 00:00:00"}


def test_points_by_hand_for_an_earlier_answer_are_mentioned(export, course):
    with gradebook_of(course) as book:
        book.find_grade("check-dot", NAME, NAME, "ann").manual_score = 0.5
    journal = Journal(course / ".headway" / NAME)
    entry = journal.read("ann")
    notebook = course / "autograded" / "ann" / CHAPTER.notebook
    assert answers_in(notebook)["check-dot"]
    entry.by_hand["check-dot"] = NotedPoints(0.5, 0.0, "another", entry.when)
    journal.write("ann", entry)
    code, said = export()
    assert code == 0, "the grade is what the teacher gave"
    assert "given for an answer that has changed since: dot of ann." in said
