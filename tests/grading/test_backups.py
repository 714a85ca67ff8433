"""Copies of the gradebook: made, kept, and how one comes back."""

import shlex
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from headway.errors import UserError
from headway.grading import backups
from headway.grading.backups import KEPT, back_up


@pytest.fixture
def gradebook(tmp_path):
    """A database of nbgrader's form, which holds one student."""
    path = tmp_path / "gradebook.db"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE student (id TEXT, comment TEXT)")
        database.execute("INSERT INTO student VALUES ('ada', 'by hand')")
    return path


def held(path):
    with closing(sqlite3.connect(path)) as database:
        return database.execute("SELECT * FROM student").fetchall()


def write(gradebook, name):
    with closing(sqlite3.connect(gradebook)) as database, database:
        database.execute("INSERT INTO student VALUES (?, '')", [name])


def test_a_copy_holds_what_the_gradebook_holds_and_is_made_when_that_changed(gradebook, tmp_path):
    folder = tmp_path / "copies"
    first = back_up(gradebook, folder)
    assert held(first) == held(gradebook)
    assert back_up(gradebook, folder) == first
    write(gradebook, "bob")
    second = back_up(gradebook, folder)
    assert second > first
    assert (len(held(first)), len(held(second))) == (1, 2)


@pytest.mark.parametrize("name", ["C# 101", "50%41", "why?"])
def test_a_gradebook_is_read_whatever_its_folder_is_called(gradebook, tmp_path, name):
    folder = tmp_path / name
    folder.mkdir()
    moved = gradebook.rename(folder / "gradebook.db")
    assert held(back_up(moved, folder / "copies")) == [("ada", "by hand")]


def test_where_nothing_is_kept_a_new_course_begins(tmp_path):
    assert back_up(tmp_path / "gradebook.db", tmp_path / "copies") is None
    (tmp_path / "gradebook.db").touch()
    assert back_up(tmp_path / "gradebook.db", tmp_path / "copies") is None


@pytest.mark.parametrize("lost", ["gone", "empty", "damaged"])
def test_without_a_copy_nothing_is_begun_anew_where_something_was_graded(tmp_path, lost):
    path = tmp_path / "gradebook.db"
    if lost != "gone":
        path.write_bytes(b"" if lost == "empty" else b"no database" * 1_000)
    with pytest.raises(UserError, match=f"is {lost}. No copy of it is kept") as refused:
        back_up(path, tmp_path / "copies", graded_before=True)
    assert "Points by hand, comments and dates are nowhere else" in str(refused.value)


def emptied(path):
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("DELETE FROM student")


LOST = {
    "gone": lambda path: path.unlink(),
    "empty": lambda path: path.write_bytes(b""),
    "damaged": lambda path: path.write_bytes(b"no database" * 1_000),
    "empty ": emptied,
}


@pytest.mark.parametrize("lost", LOST)
def test_a_run_stops_and_its_command_brings_everything_back(gradebook, tmp_path, lost):
    before = held(gradebook)
    back_up(gradebook, tmp_path / "two words")
    LOST[lost](gradebook)
    with pytest.raises(UserError, match=f"is {lost.strip()}") as refused:
        back_up(gradebook, tmp_path / "two words")
    _, _, command = str(refused.value).partition("bring it back: ")
    subprocess.run(shlex.split(command.splitlines()[0]), check=True)
    assert held(gradebook) == before
    assert back_up(gradebook, tmp_path / "two words")


KILLED = """
import os, sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("PRAGMA cache_size = 1")
database.execute("BEGIN IMMEDIATE")
database.execute("UPDATE student SET comment = 'half written' || zeroblob(4000)")
os.kill(os.getpid(), 9)
"""


@pytest.fixture
def half_written(gradebook):
    """What a machine leaves that was lost while it wrote: a journal of what has to be undone."""
    for number in range(300):
        write(gradebook, str(number))
    before = held(gradebook)
    copy = back_up(gradebook, gradebook.parent / "copies")
    subprocess.run([sys.executable, "-c", KILLED, gradebook], check=False)
    assert gradebook.with_name("gradebook.db-journal").stat().st_size
    return gradebook, before, copy


def test_what_was_half_written_is_undone(half_written):
    gradebook, before, copy = half_written
    assert back_up(gradebook, copy.parent) == copy
    assert held(gradebook) == before


def test_what_was_half_written_does_not_come_into_the_copy_that_is_brought_back(half_written):
    gradebook, before, copy = half_written
    gradebook.unlink()
    with pytest.raises(UserError, match="is gone") as refused:
        back_up(gradebook, copy.parent)
    command = str(refused.value).partition("bring it back: ")[2].splitlines()[0]
    subprocess.run(command, shell=True, check=True)
    assert held(gradebook) == before
    assert gradebook.read_bytes() == copy.read_bytes()


def test_a_cut_gradebook_is_found(gradebook, tmp_path):
    for number in range(300):
        write(gradebook, "x" * 100 + str(number))
    back_up(gradebook, tmp_path)
    whole = gradebook.read_bytes()
    gradebook.write_bytes(whole[: len(whole) // 2] + bytes(len(whole) // 2))
    with pytest.raises(UserError, match="is damaged"):
        back_up(gradebook, tmp_path)


def test_a_locked_gradebook_is_not_taken_for_a_damaged_one(gradebook, tmp_path, monkeypatch):
    back_up(gradebook, tmp_path)
    opened = backups._opened
    monkeypatch.setattr(backups, "_opened", lambda path: _impatient(opened(path)))
    with closing(sqlite3.connect(gradebook)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(UserError, match=r"is locked.*Close whatever else uses it"):
            back_up(gradebook, tmp_path)


def _impatient(database):
    database.execute("PRAGMA busy_timeout = 10")
    return database


def test_the_oldest_of_many_copies_go(gradebook, tmp_path):
    folder = tmp_path / "copies"
    for number in range(KEPT + 3):
        write(gradebook, str(number))
        newest = back_up(gradebook, folder)
    kept = sorted(folder.iterdir())
    assert len(kept) == KEPT
    assert max(map(len, map(held, kept))) == len(held(newest)) == KEPT + 4
