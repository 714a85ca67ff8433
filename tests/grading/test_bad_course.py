"""Courses that cannot be graded, or not to the end: a sentence, nothing lost, and it goes on."""

import os
import shlex
import shutil
import sqlite3
import subprocess
import sysconfig
from contextlib import closing
from datetime import datetime
from errno import ENOSPC

import pytest

from headway.grading import files
from tests.commands.sentences import assert_sentence
from tests.grading.classroom import CHAPTER, gradebook_of, hand_in, statuses_and_scores

NAME = CHAPTER.name
DUE = datetime(2026, 3, 31, 22)
DONE = {"ann": ("graded", 24), "bob": ("graded", 0)}

pytestmark = pytest.mark.jupyter


@pytest.fixture
def course(tmp_path):
    """A course folder with a solved and an untouched notebook."""
    course = tmp_path / "course"
    hand_in(course, "ann")
    hand_in(course, "bob", "release")
    return course


@pytest.fixture
def course_before(course, graded):
    """`course`, as it was graded before."""
    shutil.rmtree(course)
    return shutil.copytree(graded, course)


@pytest.fixture
def grade(headway, course, pool):
    """Grades the course and holds a refusal to its form: a code, a sentence, no traceback."""

    def run(*options: object, code: int = 0, words: str = ""):
        result = headway("grade", "01", "--course", course, "--no-feedback", *options)
        assert result.code == code, result.err
        assert words in result.err
        assert "Traceback" not in result.err
        return result

    return run


@pytest.mark.parametrize(
    ("number", "folder", "said"),
    [
        ("01", "none", "There is no folder"),
        ("01", "file", "no folder"),
        ("01", "why?", "has '?' in it, which means something else to"),
        ("01", ".", f"Nothing was submitted for {NAME}"),
        ("77", ".", "77"),
    ],
)
def test_a_folder_or_an_assignment_that_is_none_is_said(headway, tmp_path, number, folder, said):
    (tmp_path / "file").touch()
    (tmp_path / "why?").mkdir()
    assert_sentence(headway("grade", number, "--course", tmp_path / folder), said)
    assert not (tmp_path / "gradebook.db").exists()


def test_the_course_folder_is_where_a_command_is_given(headway, tmp_path, monkeypatch):
    (tmp_path / "submitted").mkdir()
    monkeypatch.chdir(tmp_path)
    for command in (("grade",), ("class", "similar")):
        assert f"Nothing was submitted for {NAME} in {tmp_path}" in headway(*command, "01").err


def test_a_source_that_is_no_notebook_is_said(course, grade, monkeypatch):
    source = course / "source" / CHAPTER.notebook
    source.parent.mkdir(parents=True)
    source.write_text("{")
    grade(code=2, words=f"nbgrader cannot take {source}")
    assert not (course / "report.json").exists()

    def full(*_):
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr("nbgrader.converters.GenerateAssignment.convert_single_notebook", full)
    grade(code=3, words="There may be no room in")  # and no fault of the source


@pytest.mark.full
@pytest.mark.usefixtures("course_before")
def test_the_gradebook_of_another_course_is_kept_and_added_to(course, grade):
    other = course / "gradebook.db"
    with closing(sqlite3.connect(other)) as database:
        database.execute("update assignment set name = '99-other'")
        database.execute("update student set id = 'zoe' where id = 'bob'")
        database.commit()
    shutil.rmtree(course / ".headway")
    grade()
    assert statuses_and_scores(course) == {**DONE, "zoe": ("missing", None)}
    with closing(sqlite3.connect(other)) as database:
        names = {name for (name,) in database.execute("select name from assignment")}
    assert names == {"99-other", NAME}


def test_a_database_that_is_no_gradebook_is_said_and_left_alone(course, grade):
    path = course / "gradebook.db"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("create table student (name text)")
        database.execute("insert into student values ('kept')")
    grade(code=2, words="gradebook")
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("select name from student").fetchall() == [("kept",)]


def test_a_damaged_gradebook_of_a_new_course_is_said_and_what_to_do(course, grade):
    (course / "gradebook.db").write_bytes(b"no database " * 1000)
    said = " ".join(grade(code=2, words="cannot be used").err.split())
    assert "If it is damaged: No copy of it is kept" in said


@pytest.mark.usefixtures("course_before")
def test_a_damaged_gradebook_is_said_and_left_alone(course, grade):
    path = course / "gradebook.db"
    whole = path.read_bytes()
    for damaged in (
        whole[: len(whole) // 2],
        whole[:4096] + b"\xff" * (len(whole) - 8192) + whole[-4096:],
        b"no database " * 1000,
    ):
        path.write_bytes(damaged)
        said = grade("--force", code=2, words="is damaged").err
        assert path.read_bytes() == damaged
        assert "can be graded again" not in said, "points by hand and comments cannot"
    path.unlink()
    path.touch()
    said = grade(code=2, words="is empty. Its last copy is of").err
    assert path.read_bytes() == b"", "it is not begun anew"
    _, _, command = said.partition("bring it back: ")
    subprocess.run(shlex.split(command.splitlines()[0]), check=True)
    grade()
    assert statuses_and_scores(course) == DONE


@pytest.mark.full
@pytest.mark.usefixtures("course_before")
def test_a_gradebook_that_is_locked_is_said_and_the_next_run_goes_on(course, grade, pool):
    with closing(sqlite3.connect(course / "gradebook.db")) as database:
        database.execute("BEGIN EXCLUSIVE")
        grade(code=2, words="database is locked")
    with closing(sqlite3.connect(course / "gradebook.db")) as database:
        hand_in(course, "bob")

        def lock(student):
            database.execute("BEGIN EXCLUSIVE")

        pool.before = lock
        result = grade(code=2, words="database is locked")
        assert "the same command" in result.err
    pool.before = lambda student: None
    assert pool.students() == ["bob"]
    grade()
    assert pool.students() == [], "it had been graded, and only was not recorded yet"
    assert statuses_and_scores(course) == {"ann": ("graded", 24), "bob": ("graded", 24)}


@pytest.mark.full
@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount a small file system")
def test_a_full_disk_is_said_and_the_next_run_goes_on(tmp_path, headway, pool):
    course = tmp_path / "small"
    course.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", course], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("this system lets nobody mount")
    try:
        for number in range(3):
            hand_in(course, f"s{number}", "solution" if number % 2 else "release")
        filler = course / "filler"
        filler.write_bytes(b"x" * 800_000)
        for room in (0, 200_000, 400_000):
            result = headway("grade", "01", "--course", course)
            assert "Traceback" not in result.err
            assert result.code in (0, 3)
            if result.code == 3:
                assert any(words in result.err for words in ("No space left", "is full"))
            filler.write_bytes(b"x" * max(0, filler.stat().st_size - room))
        filler.unlink()
        subprocess.run(["mount", "-o", "remount,size=30m", course], check=True)
        assert headway("grade", "01", "--course", course).code == 0
        wanted = {f"s{n}": ("graded", 24 if n % 2 else 0) for n in range(3)}
        assert statuses_and_scores(course) == wanted
        with closing(sqlite3.connect(course / "gradebook.db")) as database:
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    finally:
        subprocess.run(["umount", "-l", course], check=True)


@pytest.mark.full
def test_a_write_that_finds_no_room_stops_the_run_and_the_next_one_goes_on(
    course, grade, monkeypatch
):
    write_atomically = files.write_atomically
    kinds = ["editions/*", "run.json", "sheets/*", "journal/*", "grades.csv", "report.html"]

    def no_room(path, write):
        if kinds and path.match(kinds[0]):
            kinds.pop(0)
            raise OSError(28, "No space left on device", str(path))
        write_atomically(path, write)

    with monkeypatch.context() as patch:
        patch.setattr("headway.grading.files.write_atomically", no_room)
        patch.setattr("headway.grading.reporting.write_atomically", no_room)
        while kinds:
            left = len(kinds)
            grade(code=3, words="No space left on device")
            assert len(kinds) == left - 1
        grade()
    assert statuses_and_scores(course) == DONE


DAMAGE = {
    "cut": lambda text: text[: len(text) // 2],
    "garbage": lambda text: "\x00\ufffd[[[",
    **{text: lambda _, text=text: text for text in ("", "[1, 2]", "null")},
}


@pytest.mark.usefixtures("course_before")
@pytest.mark.parametrize("damage", ["cut", "garbage"])
def test_damaged_state_is_made_anew_and_another_assignment_s_report_stops_nothing(
    course, grade, damage
):
    state = course / ".headway" / NAME
    (state / "run.json").write_text('{"seed": 5}')
    (state / "editions" / "000-0123456789abcdef.ipynb").write_text('{"cells": []}')
    for path in (p for p in state.rglob("*") if p.is_file()):
        path.write_text(DAMAGE[damage](path.read_text()))
    for number, text in enumerate(DAMAGE.values()):
        (course / "reports" / f"{number}.json").write_text(text('{"students": {}}'))
    grade()
    assert statuses_and_scores(course) == DONE


def test_a_damaged_graded_notebook_is_made_anew(course, grade, monkeypatch):
    def stop(*arguments):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("headway.grading.class_run.record", stop)
        grade(code=130)
    notebooks = list((course / ".headway" / NAME / "sheets").glob("*"))
    assert notebooks
    for notebook in notebooks:
        notebook.write_text(DAMAGE["cut"](notebook.read_text()))
    grade()
    assert statuses_and_scores(course) == DONE


def test_without_bubblewrap_it_refuses_and_with_trust_it_warns(course, headway, monkeypatch):
    folder = course / "bin"
    folder.mkdir()
    # What nbgrader itself needs is there.
    (folder / "alembic").symlink_to(shutil.which("alembic", path=sysconfig.get_path("scripts")))
    monkeypatch.setenv("PATH", str(folder))
    result = headway("grade", "01", "--course", course)
    assert result.code == 2
    assert "There is no bubblewrap on this system" in result.err
    assert "apt-get install bubblewrap" in result.err
    assert not (course / "report.json").exists()
    result = headway(
        "grade", "01", "--course", course, "--only", "bob", "--trust-submissions", "--workers", "1"
    )
    assert result.code == 0, result.err
    assert "without a sandbox" in result.err
    assert statuses_and_scores(course) == {"bob": ("graded", 0)}
    assert "without a sandbox" in (course / "report.html").read_text()


def test_what_nbgrader_began_before_the_first_run_is_in_no_way(course, grade):
    with gradebook_of(course) as book:
        book.add_assignment(NAME, duedate=DUE)
        book.add_student("ann")
        book.add_submission(NAME, "ann")
    grade()
    assert statuses_and_scores(course) == DONE
    with gradebook_of(course) as book:
        assert book.find_assignment(NAME).duedate == DUE
