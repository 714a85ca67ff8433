"""The command line: help, sentences for errors, exit codes."""

import re
import subprocess
import sys

import pytest

from headway.chapters import CHAPTERS, course_root, released_notebook
from tests.commands.sentences import assert_sentence

STUDENTS = ("start", "check", "progress", "tries", "try", "book", "generate", "doctor")
INSTRUCTORS = ("release", "grade", "hub", "class")
OF_CLASS = ("due", "similar", "solutions", "roster", "export", "lti")


@pytest.mark.parametrize(
    ("within", "commands"), [((), (*STUDENTS, *INSTRUCTORS)), (("class",), OF_CLASS)]
)
def test_help_lists_every_command(headway, within, commands):
    result = headway(*within, "--help")
    assert result.code == 0
    assert tuple(re.findall(r"^│ ([a-z]+) ", result.out, re.M)) == commands


def test_what_is_wrong_in_a_command_line_ends_before_the_way_to_help(headway):
    said = headway("class", "due", "01", "-1d").err
    assert "No such option: -1. See: headway class due --help" in said


def test_a_command_goes_by_its_old_name_and_says_the_new_one(headway):
    old = headway("solutions")
    assert old.code == 2
    assert old.err.startswith("`headway solutions` is called `headway class solutions` now.")
    assert "See: headway class solutions --help" in old.err


def test_an_unknown_command_is_answered_with_a_sentence(headway):
    assert_sentence(headway("grad"), "No such command 'grad'.", "headway --help")


def test_a_missing_argument_is_answered_with_a_sentence(headway):
    assert_sentence(headway("try"), "Missing argument 'TASK'", "headway try --help")


def test_a_wrong_word_is_answered_in_the_words_of_its_command(headway):
    said = headway("tries", "sometimes")
    assert_sentence(said, "'sometimes' is not one of 'on', 'off', 'show'", "headway tries --help")
    assert "Value error" not in said.err


def test_the_installed_command_exits_with_the_code_and_no_traceback():
    command = [sys.executable, "-c", "from headway.cli import main; main()", "check", "99"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("There is no chapter '99'. The chapters are: 01-one-hot")


@pytest.mark.parametrize("place", [0, 1, 2])
def test_debug_shows_the_traceback_wherever_it_stands(place):
    arguments = ["check", "99"]
    arguments.insert(place, "--debug")
    command = [sys.executable, "-c", "from headway.cli import main; main()", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "Traceback" in done.stderr
    assert "UnknownChapterError: There is no chapter '99'" in done.stderr


def test_an_error_of_the_program_itself_is_no_traceback_either(headway, monkeypatch):
    monkeypatch.setattr("headway.commands.release.course_root", lambda: 1 / 0)
    result = headway("release")
    assert result.code == 3
    assert "This is an error of headway itself. ZeroDivisionError" in result.err
    assert "--debug" in result.err


@pytest.mark.parametrize(
    ("command", "package", "extra"),
    [
        (["check", "01"], "nbformat", "notebook"),
        (["release", "--check"], "nbgrader", "notebook"),
        (["grade", "01", "--course", "."], "nbgrader", "grade"),
    ],
)
def test_a_missing_extra_is_answered_with_the_command_that_installs_it(
    tmp_path, command, package, extra
):
    work = tmp_path / "work" / CHAPTERS[0].notebook
    work.parent.mkdir(parents=True)
    work.write_bytes(released_notebook(CHAPTERS[0]).read_bytes())
    code = f"import sys; sys.modules[{package!r}] = None; from headway.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, *command],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert f"needs the package {package!r}, which is not installed." in done.stderr
    root = course_root()
    assert f'-m pip install -c "{root}/constraints.txt" -e "{root}[{extra}]"' in done.stderr
    assert "Traceback" not in done.stderr


def test_a_missing_book_extra_is_answered_with_the_command_that_installs_it(headway, monkeypatch):
    monkeypatch.setattr("headway.book.NEEDED", {"no_such_module": "jupyter-book"})
    assert_sentence(headway("book"), "jupyter-book", 'pip install -c constraints.txt -e ".[book]"')


def test_a_course_folder_is_where_one_is_unless_one_is_named(headway, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for command in (["grade", "01"], ["class", "due", "01"], ["class", "export", "moodle"]):
        assert_sentence(headway(*command), "is not a course folder", "no submitted", "--course")
    assert not list(tmp_path.iterdir())
    named = headway("class", "--course", tmp_path / "named", "due", "01")
    assert_sentence(named, str(tmp_path / "named"))
    (tmp_path / "submitted").mkdir()
    assert_sentence(headway("grade", "01"), "Nothing was submitted for 01-one-hot")
