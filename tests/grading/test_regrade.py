"""Grading again: what is graded anew, what is kept, and what stops a run before it starts."""

import contextlib
import json
import os
import tempfile
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell

from headway.chapters import course_root, hidden_modules
from headway.grading.course import Course
from headway.grading.files import write_atomically
from headway.grading.nbgrader.convert import ConversionError
from headway.grading.nbgrader.source import take_in
from headway.grading.recording import record
from tests.grading.classroom import CHAPTER, cell_named, hand_in, statuses_and_scores

NAME = CHAPTER.name


def report_of(course: Path) -> dict:
    return json.loads((course / "report.json").read_text(encoding="utf-8"))["students"]


def edit_source(course: Path, change) -> None:
    path = course / "source" / CHAPTER.notebook
    notebook = nbformat.read(path, as_version=4)
    change(notebook)
    nbformat.write(notebook, path)


def graded_cell(name: str):
    marks = {"grade_id": name, "grade": True, "locked": True, "points": 1, "solution": False}
    marks |= {"schema_version": 3, "task": False}
    return new_code_cell("assert True", metadata={"nbgrader": marks}, id=name)


@pytest.fixture
def class_of_two(tmp_path):
    """A course folder with two untouched notebooks."""
    hand_in(tmp_path, "ann", "release")
    hand_in(tmp_path, "bob", "release")
    return tmp_path


@pytest.mark.full
@pytest.mark.jupyter
@pytest.mark.usefixtures("pool")
def test_only_what_changed_is_graded_again(headway, class_of_two):
    def times():
        paths = class_of_two.glob(f"autograded/*/{NAME}/{NAME}.ipynb")
        return {path.parents[1].name: path.stat().st_mtime_ns for path in paths}

    assert headway("grade", "01", "--course", class_of_two, "--only", "ann").code == 0
    assert set(report_of(class_of_two)) == {"ann"}, "bob was not graded yet"
    page = (class_of_two / "report.html").read_text(encoding="utf-8")
    assert "Handed in, and not graded yet: bob." in page
    headway("grade", "01", "--course", class_of_two)
    first, seconds = times(), report_of(class_of_two)["ann"]["seconds"]
    assert set(first) == {"ann", "bob"}

    headway("grade", "01", "--course", class_of_two)
    assert times() == first, "nothing changed, so nothing was executed"
    assert report_of(class_of_two)["ann"]["seconds"] == seconds > 0

    hand_in(class_of_two, "bob")
    os.utime(
        class_of_two / "submitted" / "bob" / CHAPTER.notebook, (0, 0)
    )  # as an archive keeps it
    headway("grade", "01", "--course", class_of_two, "--only", "ann")
    assert report_of(class_of_two)["bob"]["score"] == 0, "left alone"
    headway("grade", "01", "--course", class_of_two)
    second = times()
    assert second["ann"] == first["ann"]
    assert {name: row["score"] for name, row in report_of(class_of_two).items()} == {
        "ann": 0,
        "bob": 24,
    }

    hand_in(class_of_two, "bob").write_text("{")
    headway("grade", "01", "--course", class_of_two)
    assert report_of(class_of_two)["bob"]["status"] == "set-aside"
    assert statuses_and_scores(class_of_two) == {"ann": ("graded", 0), "bob": ("set-aside", None)}
    assert times() == second, "what was graded before is kept for a person to look at"

    page = class_of_two / "feedback" / "ann" / NAME / f"{NAME}.html"
    page.unlink()
    headway("grade", "01", "--course", class_of_two)
    assert times() == second, "a page that is gone is made again, and nothing else"
    assert "Score: 0.0 / 20.0" in page.read_text()
    (class_of_two / "autograded" / "ann" / NAME / f"{NAME}.ipynb").unlink()
    headway("grade", "01", "--course", class_of_two)
    third = times()
    assert third["ann"] > first["ann"], "a run that was stopped in the middle is made good"

    headway("grade", "01", "--course", class_of_two, "--force", "--only", "ann")
    assert times()["ann"] > third["ann"]


@pytest.mark.jupyter
@pytest.mark.parametrize("again", [True, False])
def test_a_score_that_is_in_doubt_is_exported_nowhere(headway, class_of_two, pool, again):
    """Not even the one of before; and what a busy machine is to blame for is tried again."""

    def grade():
        done = headway("grade", "01", "--course", class_of_two, "--no-feedback")
        return done.code, " ".join(done.out.split()), pool.students()

    assert grade()[0] == 0
    hand_in(class_of_two, "ann")
    aside = {"status": "set-aside", "reason": "It was not judged to its end."}
    aside |= {"again": True} if again else {}
    pool.change = lambda student, result: aside if student == "ann" else result
    code, printed, students = grade()
    assert (code, students) == (1, ["ann"])
    assert "set-aside – It was not judged to its end." in printed
    assert "1 graded, 1 set aside" in printed
    row = report_of(class_of_two)["ann"]
    assert (row["status"], row["score"], row["reason"]) == ("set-aside", None, aside["reason"])
    assert statuses_and_scores(class_of_two) == {"ann": ("set-aside", None), "bob": ("graded", 0)}
    for platform in ("canvas", "moodle"):
        path = class_of_two / f"{platform}.csv"
        headway("class", "export", platform, "--to", path, "--course", class_of_two)
        (line,) = [line for line in path.read_text().splitlines() if "ann" in line]
        assert ",24" not in line
        assert ",0" not in line
    pool.change = lambda student, result: result
    assert grade()[::2] == ((0, ["ann"]) if again else (1, []))
    assert report_of(class_of_two)["ann"]["score"] == (24 if again else None)


@pytest.mark.usefixtures("pool")
def test_submissions_are_graded_against_the_release_that_was_handed_out(headway, class_of_two):
    headway("grade", "01", "--course", class_of_two, "--only", "ann")
    edit_source(class_of_two, lambda nb: cell_named(nb, "title").update(source="# Last year's"))
    result = headway("grade", "01", "--course", class_of_two)
    assert result.code == 0
    assert "differs from this checkout's" in result.err
    assert headway("grade", "01", "--course", class_of_two).err == "", "it is said once"
    assert "# Last year's" in (class_of_two / "source" / CHAPTER.notebook).read_text()
    edit_source(class_of_two, lambda nb: nb.cells.append(graded_cell("extra")))
    before = (class_of_two / "report.json").read_bytes()
    result = headway("grade", "01", "--course", class_of_two)
    assert result.code == 2
    assert "Cannot add or remove cells" in result.err
    assert "grade in a fresh course folder" in result.err
    assert (class_of_two / "report.json").read_bytes() == before


@pytest.mark.usefixtures("pool")
def test_an_unknown_student_is_answered_with_those_there_are(headway, class_of_two):
    result = headway("grade", "01", "--course", class_of_two, "--only", "eve")
    assert result.code == 2
    assert "There is no submission of 'eve'" in result.err
    assert "ann, bob" in result.err


@contextlib.contextmanager
def unprivileged():
    """Without root's right to write everywhere."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_course_folder_that_cannot_be_written_is_said_and_left_alone(headway):
    with tempfile.TemporaryDirectory() as folder:
        course = Path(folder)
        hand_in(course, "ann")
        headway("grade", "01", "--course", course / "none")  # everything is imported now
        for path in [course, *course.rglob("*")]:
            path.chmod(0o555)
        try:
            with unprivileged():
                result = headway("grade", "01", "--course", course)
            left = [path.name for path in course.iterdir()]
        finally:
            course.chmod(0o755)
    assert result.code == 2
    assert "cannot be written (Permission denied)" in result.err
    assert "Traceback" not in result.err
    assert left == ["submitted"]


@pytest.mark.usefixtures("pool")
def test_a_damaged_gradebook_is_said_and_left_alone(headway, class_of_two):
    (class_of_two / "gradebook.db").write_text("this is no database, " * 100)
    result = headway("grade", "01", "--course", class_of_two)
    assert result.code == 2
    assert "gradebook" in result.err
    assert "file is not a database" in result.err
    assert (class_of_two / "gradebook.db").read_text().startswith("this is no database")
    assert not (class_of_two / "report.json").exists()


def test_the_course_folder_s_own_configuration_holds(headway, class_of_two):
    config = class_of_two / "nbgrader_config.py"
    config.write_text("c = get_config()\nc.CourseDirectory.submitted_directory = 'handed_in'\n")
    result = headway("grade", "01", "--course", class_of_two)
    assert result.code == 2
    assert "handed_in/STUDENT/01-one-hot" in result.err
    config.write_text("1 / 0")
    result = headway("grade", "01", "--course", class_of_two)
    assert result.code == 2
    assert "nbgrader_config.py raises ZeroDivisionError" in result.err
    assert config.read_text() == "1 / 0"


def test_a_write_that_fails_leaves_the_old_file_whole(tmp_path):
    path = tmp_path / "report.json"
    path.write_text("old")

    def write_half(new: Path):
        new.write_text("ne")
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        write_atomically(path, write_half)
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["report.json"]
    write_atomically(path, lambda new: new.write_text("new"))
    assert path.read_text() == "new"


def test_the_source_is_the_checkout_s_at_first(class_of_two):
    course = Course.open(class_of_two, NAME, hidden_modules())
    solution = course_root() / "solutions" / CHAPTER.notebook
    assert take_in(course.files, course.gradebook, course.config, solution)
    assert course.files.source == class_of_two / "source" / CHAPTER.notebook


PENALTY = """
from headway.chapters import hidden_modules
from headway.grading.settings import configure
from nbgrader.plugins import LateSubmissionPlugin


class TwoPoints(LateSubmissionPlugin):
    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return 2.0


c = get_config()
configure(c, hidden_modules())
c.AssignLatePenalties.plugin_class = TwoPoints
"""


@pytest.mark.jupyter
@pytest.mark.usefixtures("pool")
def test_a_late_penalty_counts_and_what_is_withdrawn_has_no_score(headway, class_of_two):
    hand_in(class_of_two, "ann")
    (class_of_two / "submitted" / "ann" / NAME / "timestamp.txt").write_text("2026-03-02 00:00:00")
    (class_of_two / "nbgrader_config.py").write_text(PENALTY)
    with Course.open(class_of_two, NAME, hidden_modules()).gradebook.opened() as gradebook:
        gradebook.update_or_create_assignment(NAME, duedate="2026-03-01 00:00:00")
    assert headway("grade", "01", "--course", class_of_two).code == 0
    assert report_of(class_of_two)["ann"]["score"] == 22
    assert statuses_and_scores(class_of_two) == {"ann": ("graded", 22), "bob": ("graded", 0)}
    page = (class_of_two / "report.html").read_text("utf-8")
    assert "1 d late, 2 taken off<" in page
    assert "nothing answered<" in page

    (class_of_two / "submitted" / "ann").rename(class_of_two / "withdrawn")
    with Course.open(class_of_two, NAME, hidden_modules()).gradebook.opened() as gradebook:
        gradebook.find_grade("check-lookup", NAME, NAME, "bob").manual_score = 1.0
        gradebook.db.commit()
    assert headway("grade", "01", "--course", class_of_two).code == 0
    assert report_of(class_of_two)["ann"]["status"] == "missing"
    assert statuses_and_scores(class_of_two) == {"ann": ("missing", None), "bob": ("graded", 1)}
    assert "+1 by hand, nothing answered<" in (class_of_two / "report.html").read_text("utf-8")


@pytest.mark.usefixtures("pool")
def test_no_submission_stops_the_others(headway, class_of_two, monkeypatch):
    def fail_for_ann(files, gradebook, config, graded):
        if "ann" in graded:
            raise ConversionError("of ann")
        record(files, gradebook, config, graded)

    with monkeypatch.context() as patch:
        patch.setattr("headway.grading.class_run.record", fail_for_ann)
        assert headway("grade", "01", "--course", class_of_two).code == 1
    rows = report_of(class_of_two)
    assert rows["ann"]["reason"] == "nbgrader could not record it. of ann"
    assert statuses_and_scores(class_of_two) == {"ann": ("set-aside", None), "bob": ("graded", 0)}
    assert headway("grade", "01", "--course", class_of_two).code == 0
    assert report_of(class_of_two)["ann"]["status"] == "graded", "the next run tries again"


@pytest.mark.usefixtures("pool")
def test_a_second_run_on_the_same_folder_is_refused(headway, class_of_two):
    pytest.importorskip("fcntl")
    with Course.open(class_of_two, NAME, hidden_modules()).at_work():
        result = headway("grade", "01", "--course", class_of_two)
    assert result.code == 2
    assert "Another headway grade is at work in" in result.err
    assert not (class_of_two / "report.json").exists()


@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600)])
def test_a_written_file_has_the_rights_that_the_umask_leaves(tmp_path, umask, mode):
    before = os.umask(umask)
    try:
        write_atomically(tmp_path / "grades.csv", lambda new: new.write_text("x"))
    finally:
        os.umask(before)
    assert (tmp_path / "grades.csv").stat().st_mode & 0o777 == mode


@pytest.mark.full
@pytest.mark.jupyter
def test_a_score_from_outside_the_sandbox_is_marked_until_it_is_decided_inside(headway, tmp_path):
    hand_in(tmp_path, "bob", "release")
    warning = "⚠ Graded with --trust-submissions"

    headway("grade", "01", "--course", tmp_path, "--trust-submissions", "--workers", "1")
    assert warning in (tmp_path / "report.html").read_text(encoding="utf-8")

    headway("grade", "01", "--course", tmp_path, "--workers", "1")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert warning not in page
    assert "What changed" not in page, "it is the same score"
