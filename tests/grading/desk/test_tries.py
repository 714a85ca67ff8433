"""The record of a student's checks: with consent, in the student's hands, a stranger's text."""

import os
from dataclasses import replace

import nbformat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nbformat.v4 import new_code_cell, new_notebook

from headway.chapters import CHAPTERS
from headway.grading.intake.tries import read_tries
from headway.tasks.engine import tries
from headway.tasks.engine.find import tasks_of
from headway.tasks.engine.judge import judge
from headway.tasks.engine.tries import Tries, count_tries
from tests.commands.sentences import assert_sentence

NAME = CHAPTERS[0].name
TASK = tasks_of(NAME)[0]
WRONG, RIGHT = judge(TASK, TASK.misconceptions[0].answers[0]), judge(TASK, TASK.reference)


def line(task_id, status):
    return f"2026-11-03T14:05Z,{task_id},{status},0,,abcd"


@pytest.fixture
def begun(headway, tmp_path):
    """A work folder in which the first assignment was begun."""
    headway("start", "01", "--folder", tmp_path, "--no-open")
    return tmp_path / NAME


def test_a_record_is_begun_shown_and_deleted(headway, begun):
    work = ("--folder", begun.parent)
    said = headway("tries", "on", "01", *work)
    assert said.code == 0
    assert "but never the answer." in said.err
    tries.add(WRONG, "x = 1", begun)
    tries.add(WRONG, "x  =  1", begun)  # the same answer
    tries.add(WRONG, "x = 2", begun)
    tries.add(RIGHT, "x = 3", begun)
    text = (begun / tries.FILE).read_text("utf-8")
    assert text.count("\n") == 4
    assert "x = " not in text
    assert f"{TASK.title}  3  passed" in headway("tries", *work).out
    headway("tries", "on", *work)
    assert (begun / tries.FILE).read_text("utf-8") == text
    assert "Deleted" in headway("tries", "off", *work).out
    assert not (begun / tries.FILE).exists()
    assert "Nothing was recorded." in headway("tries", "off", *work).out


def test_what_is_as_it_was_handed_out_is_no_try_and_an_answer_unknown_is_always_one(begun):
    tries.begin(begun)
    tries.add(replace(WRONG, status="untouched"), "x = 1", begun)
    assert (begun / tries.FILE).read_text("utf-8").count("\n") == 1
    for _ in range(2):
        tries.add(WRONG, "", begun)
    assert read_tries(begun, NAME) == {TASK.id: Tries(2, False)}


def test_without_an_assignment_or_a_record_it_says_how_to_begin(headway, begun):
    assert_sentence(headway("tries", "on", "--folder", begun), "headway start 01")
    said = headway("tries", "on", "02", "--folder", begun.parent)
    assert_sentence(said, f"{CHAPTERS[1].name}.ipynb", "headway start 02")
    assert "headway tries on" in headway("tries", "--folder", begun.parent).err


def test_nothing_is_recorded_unless_the_student_says_so_nor_by_nbgrader(begun, monkeypatch):
    assert not tries.are_recorded(begun)
    tries.add(WRONG, "x = 1", begun)
    assert [path.name for path in begun.iterdir()] == [f"{NAME}.ipynb"]
    tries.begin(begun)
    assert tries.are_recorded(begun)
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert not tries.are_recorded(begun)


def test_a_link_a_folder_and_a_full_record_are_left_alone(begun, tmp_path):
    other = tmp_path / "other"
    other.write_text("mine", encoding="utf-8")
    path = begun / tries.FILE
    path.symlink_to(other)
    tries.add(WRONG, "x", begun)
    assert other.read_text("utf-8") == "mine"
    path.unlink()
    path.mkdir()
    tries.add(WRONG, "x", begun)
    path.rmdir()
    path.write_text("x" * (tries.MOST_BYTES + 1), encoding="utf-8")
    tries.add(WRONG, "x", begun)
    assert path.stat().st_size == tries.MOST_BYTES + 1


@pytest.mark.jupyter
def test_checks_of_a_notebook_are_recorded(headway, begun):
    check = f"check({TASK.id!r}, dot)"
    sources = ("from headway.tasks.check import check", "dot = -2", check, check, "dot = 2", check)
    cells = [new_code_cell(source) for source in sources]
    nbformat.write(new_notebook(cells=cells), begun / "mine.ipynb")
    tries.begin(begun)
    assert f"recorded in {begun / tries.FILE}" in headway("check", begun / "mine.ipynb").err
    assert read_tries(begun, NAME) == {TASK.id: Tries(2, True)}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\x00" * 100,
        line("01-one-hot/no-such-task", "failed"),
        line("<script>", "passed"),
        line(TASK.id, "won"),
        "a,b",
        '"' * 1001,
        "," * 5000,
    ],
)
def test_what_is_no_line_of_a_record_is_passed_over(text):
    assert count_tries(f"{text}\n{line(TASK.id, 'failed')}", NAME) == {TASK.id: Tries(1, False)}


@settings(max_examples=20)
@given(st.text(max_size=200))
def test_no_text_is_more_than_counted(text):
    assert count_tries(text, NAME) == {}


def test_tries_count_up_to_the_first_that_passed_in_a_part_of_a_long_record(monkeypatch):
    states = ["failed", "partial", "passed", "failed"]
    text = "\n".join(line(TASK.id, status) for status in states)
    assert count_tries(text, NAME) == {TASK.id: Tries(3, True)}
    monkeypatch.setattr(tries, "MOST_LINES", 2)
    assert count_tries(text, NAME) == {TASK.id: Tries(2, False)}


def test_what_is_no_plain_file_is_no_record(tmp_path):
    folder = tmp_path / "eve" / NAME
    folder.mkdir(parents=True)
    secret = tmp_path / "secret.csv"
    secret.write_text(line(TASK.id, "passed"), encoding="utf-8")
    path = folder / tries.FILE
    for put in (
        lambda: path.symlink_to(secret),
        lambda: os.mkfifo(path),
        lambda: path.write_bytes(b"\n" * 2_000_000),
    ):
        assert read_tries(folder, NAME) == {}
        path.unlink(missing_ok=True)
        put()
        assert read_tries(folder, NAME) == {}
    path.write_bytes(b"\xff\n" + secret.read_bytes())
    assert read_tries(folder, NAME) == {TASK.id: Tries(1, True)}
    link = tmp_path / "twin"
    link.symlink_to(folder.parent)
    assert read_tries(link / NAME, NAME) == {}
