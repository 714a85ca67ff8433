"""The command line: help, sentences for errors, exit codes."""

import re
import subprocess
import sys
import tomllib

import pytest

from headway.chapters import CHAPTERS, released_notebook
from headway.checkout import course_root
from tests.commands.sentences import assert_sentence

STUDENTS = ("start", "check", "progress", "tries", "try", "book", "generate", "explore", "doctor")
INSTRUCTORS = ("release", "grade", "hub", "class")
OF_CLASS = ("due", "similar", "solutions", "roster", "collect", "export", "feedback", "lti")
MAIN = "from headway.cli import main; main()"


def in_a_process(*arguments: str, before: str = "", cwd=None) -> subprocess.CompletedProcess:
    command = [sys.executable, "-c", before + MAIN, *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("within", "commands"), [((), (*STUDENTS, *INSTRUCTORS)), (("class",), OF_CLASS)]
)
def test_help_lists_every_command(headway, within, commands):
    result = headway(*within, "--help")
    assert result.code == 0
    assert tuple(re.findall(r"^│ ([a-z]+) ", result.out, re.M)) == commands


def test_the_version_is_printed_and_is_the_first_that_doctor_tells(headway):
    version = tomllib.loads((course_root() / "pyproject.toml").read_text("utf-8"))["project"][
        "version"
    ]
    result = headway("--version")
    assert (result.code, result.out) == (0, f"headway-course {version}\n")
    assert f"headway-course {version} everything" in " ".join(headway("doctor").out.split())


@pytest.mark.parametrize(
    ("arguments", "said", "help_of"),
    [
        (("grad",), "No such command 'grad'.", ""),
        (("try",), "Missing argument 'TASK'", "try "),
        (("tries", "sometimes"), "'sometimes' is not one of 'on', 'off', 'show'", "tries "),
        (("class", "due", "01", "-1d"), "No such option: -1.", "class due "),
        (("class", "solutions"), "Missing argument 'DIR'", "class solutions "),
    ],
)
def test_a_wrong_command_line_is_answered_with_a_sentence(headway, arguments, said, help_of):
    assert_sentence(headway(*arguments), said, f"headway {help_of}--help")


def test_the_installed_command_exits_with_the_code_and_no_traceback():
    done = in_a_process("check", "99")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("There is no chapter '99'. The chapters are: 01-one-hot")


@pytest.mark.parametrize("place", [0, 1, 2])
def test_debug_shows_the_traceback_wherever_it_stands(place):
    arguments = ["check", "99"]
    arguments.insert(place, "--debug")
    done = in_a_process(*arguments)
    assert done.returncode != 0
    assert "Traceback" in done.stderr
    assert "UnknownChapterError: There is no chapter '99'" in done.stderr


def test_an_error_of_the_program_itself_is_no_traceback_either(headway, monkeypatch):
    monkeypatch.setattr("headway.commands.release.course_root", lambda: 1 / 0)
    said = "This is an error of headway itself. ZeroDivisionError"
    result = headway("release")
    assert result.code == 3
    assert said in result.err
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
    lacking = f"import sys; sys.modules[{package!r}] = None; "
    done = in_a_process(*command, before=lacking, cwd=tmp_path)
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
