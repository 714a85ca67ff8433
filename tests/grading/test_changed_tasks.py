"""What is graded again after something changed, what is kept of before, and what never moves."""

import json
import shutil

import nbformat
import pytest
from nbgrader.api import Gradebook

from headway.chapters import hidden_modules
from headway.grading import spec
from headway.grading.class_run import HANDED_OUT
from headway.grading.course import Course
from headway.grading.trial import SOLUTION
from tests.grading.classroom import CHAPTER, cell_named, hand_in, statuses_and_scores

NAME = CHAPTER.name

pytestmark = pytest.mark.jupyter


@pytest.fixture
def course(graded, tmp_path):
    return shutil.copytree(graded, tmp_path / "course")


@pytest.fixture
def grade(headway, course, pool):
    """Grades, and tells whose submissions were graded."""

    def run(*options: object) -> list[str]:
        result = headway("grade", "01", "--course", course, "--no-feedback", *options)
        aside = "set-aside" in {status for status, _ in statuses_and_scores(course).values()}
        assert result.code == aside, result.err
        return pool.students()

    return run


def entry_of(course, student: str) -> dict:
    return json.loads((course / ".headway" / NAME / "journal" / f"{student}.json").read_text())


def page_of(course) -> str:
    return (course / "report.html").read_text(encoding="utf-8")


def test_what_did_not_change_is_not_graded_again(course, grade):
    before = (course / "report.json").read_bytes()
    assert grade() == []
    assert (course / "report.json").read_bytes() == before
    assert "because" not in page_of(course)


def test_changed_tasks_are_graded_again_and_the_earlier_score_is_kept(
    course, grade, pool, monkeypatch
):
    seeds = {name: entry_of(course, name)["seed"] for name in ("ann", "bob")}

    def now_worth_less(student, result):
        if student == "ann":
            notebook = nbformat.reads(result["notebook"], as_version=4)
            notebook.metadata.headway.tasks[f"{NAME}/dot"].update(status="failed", score=0.0)
            result["notebook"] = json.dumps(notebook)
        return result

    monkeypatch.setattr(spec, "tasks_digest", lambda *_: "changed")
    pool.change = now_worth_less
    again = grade_and_jobs(grade, pool)
    assert {name: job["seed"] for name, job in again.items()} == seeds, "the same hidden cases"
    assert statuses_and_scores(course) == {"ann": ("graded", 23), "bob": ("graded", 0)}
    assert "24; " in page_of(course)
    assert ": 23, because what its tasks ask for, or the mistakes that they know, changed." in (
        page_of(course)
    )
    assert grade() == []
    assert ": 23, because what its tasks ask for" in page_of(course), "it stays"


def grade_and_jobs(grade, pool) -> dict[str, dict]:
    jobs = {}
    pool.before = lambda student: jobs.update(pool.asked)
    grade()
    return jobs


def test_a_changed_submission_is_graded_again_and_says_why(course, grade):
    hand_in(course, "bob")
    assert grade() == ["bob"]
    assert ": 24, because another version was handed in." in page_of(course)
    assert statuses_and_scores(course)["bob"] == ("graded", 24)
    hand_in(course, "bob").write_text("{")
    assert grade() == ["bob"]
    assert statuses_and_scores(course)["bob"] == ("set-aside", None)
    assert grade() == [], "it is as broken as before"
    hand_in(course, "bob", "release")
    assert grade() == ["bob"]
    assert statuses_and_scores(course)["bob"] == ("graded", 0)


@pytest.mark.full
def test_a_changed_source_grades_everyone_again(course, grade):
    path = course / "source" / CHAPTER.notebook
    notebook = nbformat.read(path, as_version=4)
    cell_named(notebook, "title").source += "\n\nSecond edition."
    nbformat.write(notebook, path)
    assert grade() == [SOLUTION, "ann", "bob"]
    assert "What changed" not in page_of(course), "their scores are the same"
    assert grade() == []


def test_force_grades_again_to_the_same_score_and_changes_no_score(course, grade):
    seed = entry_of(course, "ann")["seed"]
    assert grade("--force") == ["ann", "bob"]
    again = entry_of(course, "ann")
    assert again["seed"] == seed
    assert again["earlier"] == []
    assert statuses_and_scores(course) == {"ann": ("graded", 24), "bob": ("graded", 0)}
    assert "because" not in page_of(course)


def test_only_one_student_is_graded_and_the_others_keep_what_they_have(course, grade):
    hand_in(course, "ann", "release")
    hand_in(course, "bob")
    assert grade("--only", "bob") == ["bob"]
    assert statuses_and_scores(course) == {"ann": ("graded", 24), "bob": ("graded", 24)}
    assert grade("--only", "bob", "--force") == ["bob"]
    assert grade() == ["ann"]


def test_points_that_changed_count_for_those_who_are_not_graded_again_too(course, grade):
    path = course / "source" / CHAPTER.notebook
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if marks := cell.metadata.get("nbgrader", {}):
            marks["points"] = 2 * marks.get("points", 0)
    nbformat.write(notebook, path)
    assert grade("--only", "bob") == []
    assert statuses_and_scores(course) == {"ann": ("graded", 44), "bob": ("graded", 0)}
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        ann = book.find_submission(NAME, "ann")
        assert (ann.score, ann.max_score) == (44, 40)


@pytest.mark.full
def test_what_is_replaced_while_it_is_graded_is_recorded_as_it_was_and_graded_next(
    course, grade, pool
):
    pool.before = lambda student: student == "bob" and hand_in(course, "bob")
    assert grade("--force") == ["ann", "bob"]
    assert statuses_and_scores(course)["bob"] == ("graded", 0)
    pool.before = lambda student: None
    assert grade() == ["bob"]
    assert statuses_and_scores(course)["bob"] == ("graded", 24)
    assert "because another version was handed in" in page_of(course)


@pytest.mark.full
def test_what_could_not_be_graded_here_is_tried_by_the_next_run(course, grade, pool):
    pool.change = lambda student, result: {"status": "fault", "reason": "no room in the machine"}
    hand_in(course, "bob")
    assert grade() == ["bob"]
    row = json.loads((course / "report.json").read_text())["students"]["bob"]
    assert row["status"] == "set-aside"
    assert "could not be graded on this machine: no room in the machine" in row["reason"]
    pool.change = lambda student, result: result
    assert grade() == ["bob"]
    assert statuses_and_scores(course)["bob"] == ("graded", 24)
    assert "0; " in page_of(course), "what it had before is told"
    assert grade() == []


def test_a_machine_that_fails_one_after_the_other_stops_the_run(course, headway, pool):
    whole = pool.change
    pool.change = lambda student, result: {"status": "fault", "reason": "no room"}
    names = [f"s{number}" for number in range(5)]
    for name in names:
        hand_in(course, name, "release")
    result = headway("grade", "01", "--course", course, "--no-feedback")
    assert result.code == 3
    assert "3 submissions in a row could not be graded on this machine" in result.err
    assert pool.students() == [*names[:3], HANDED_OUT]
    pool.change = whole
    assert headway("grade", "01", "--course", course, "--no-feedback").code == 0
    assert pool.students() == names


def test_submissions_that_fail_where_the_notebook_handed_out_does_not_stop_nobody(
    course, headway, pool
):
    def only_theirs(student, result):
        broken = student.startswith("s")
        return {"status": "fault", "reason": "TypeError"} if broken else result

    pool.change = only_theirs
    names = [f"s{number}" for number in range(7)]
    for name in (*names, "zoe"):
        hand_in(course, name)
    result = headway("grade", "01", "--course", course, "--no-feedback")
    assert result.code == 1, result.err
    assert pool.students() == [*names[:3], HANDED_OUT, *names[3:6], HANDED_OUT, names[6], "zoe"]
    found = statuses_and_scores(course)
    assert {found[name] for name in names} == {("set-aside", None)}
    assert found["zoe"] == ("graded", 24)


def test_a_score_that_cannot_be_is_set_aside_and_not_recorded(course, grade, pool):
    hand_in(course, "cat", "release")

    def too_much(student, result):
        notebook = nbformat.reads(result["notebook"], as_version=4)
        notebook.metadata.headway.tasks[f"{NAME}/dot"].score = 99.0
        return {**result, "notebook": json.dumps(notebook)}

    pool.change = too_much
    grade()
    row = json.loads((course / "report.json").read_text())["students"]["cat"]
    assert row["status"] == "set-aside"
    assert "99.0 is no score" in row["reason"]
    with Course.open(course, NAME, hidden_modules()).gradebook.opened() as gradebook:
        assert {student.id for student in gradebook.students} == {"ann", "bob"}, (
            "nothing half recorded"
        )


def test_what_a_killed_run_left_half_written_is_cleared_away(course, grade):
    state = course / ".headway" / NAME
    for folder in (course, course / "reports", course / "source", state, state / "journal"):
        (folder / ".headway-half").write_text("{")
    (course / "source" / ".headway-tree" / "copy").mkdir(parents=True)
    assert grade() == []
    assert not list(course.rglob(".headway-*"))
