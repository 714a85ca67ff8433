"""A course folder's settings are complete from the first command on, and no line is lost."""

import sys

import pytest
from traitlets.config import Config

from headway.chapters import ASSIGNMENTS, hidden_modules
from headway.errors import UserError
from headway.grading.nbgrader.config_file import (
    CONFIG_FILE,
    complete_config,
    lacking,
    read_config,
)
from headway.nbgrader_config import COURSE_CONFIG, COURSE_LINES, WORK_CONFIG
from tests.commands.sentences import assert_sentence
from tests.grading.classroom import hand_in

PLUG_INS = (
    'c.ZipCollectApp.extractor_plugin = "headway.grading.collectors.ArchiveExtractor"\n'
    'c.ZipCollectApp.collector_plugin = "headway.grading.collectors.CanvasCollector"\n'
)
ROSTER = "Student,ID,SIS Login ID,Section\n    Points Possible,,,\nAda,1,ada,A\n"


def config_of(folder) -> Config:
    return read_config(folder / CONFIG_FILE)


def is_complete(folder) -> bool:
    return not lacking(config_of(folder), hidden_modules())


@pytest.mark.parametrize(
    ("above", "own"),
    [
        ("", PLUG_INS),
        ("", "# mine\n" + PLUG_INS.rstrip("\n")),
        ("", "c = get_config()\r\nc.LateSubmissionPlugin.penalty_method = 'zero'\r\n"),
        ("# coding: latin-1\n", "c.Exchange.root = '/srv/exchänge'\n"),
        ('"""Mine."""\nfrom __future__ import (\n    annotations,\n)\n', PLUG_INS),
        ("\ufeff'''Mine.'''", ""),
        ("\ufeff", PLUG_INS),
        ("", "c.Autograde.autograde_preprocessors.append('mine.Mine')\n"),
        ("", "if True:\n    c.Execute.timeout = 5\n"),
        ("", ""),
    ],
)
def test_the_course_s_settings_come_before_lines_that_stay_as_they_are(tmp_path, above, own):
    encoding = "latin-1" if "latin" in above else "utf-8"
    path = tmp_path / CONFIG_FILE
    path.write_bytes((above + own).encode(encoding))
    path.chmod(0o640)
    before = config_of(tmp_path)
    complete_config(tmp_path, hidden_modules())
    assert is_complete(tmp_path)
    text = path.read_bytes()
    assert text.startswith(above.encode(encoding))
    assert text.endswith(own.encode(encoding))
    assert path.stat().st_mode & 0o777 == 0o640
    assert (b"\r\n" in text) == ("\r\n" in own)
    now = config_of(tmp_path)
    for section in set(before) - {"Autograde"}:
        assert before[section].items() <= now[section].items(), "the instructor's lines win"
    if "append" in own:
        assert now.Autograde.autograde_preprocessors[-1] == "mine.Mine"
        assert "RecordScores" in "".join(now.Autograde.autograde_preprocessors)
    complete_config(tmp_path, hidden_modules())
    assert path.read_bytes() == text, "once is enough"


@pytest.mark.parametrize("text", [COURSE_CONFIG, f"{COURSE_LINES}c.Execute.timeout = 5\n"])
def test_a_complete_file_is_not_touched(tmp_path, text):
    path = tmp_path / CONFIG_FILE
    path.write_text(text)
    written = path.stat().st_mtime_ns
    complete_config(tmp_path, hidden_modules())
    assert path.stat().st_mtime_ns == written


def test_settings_that_a_file_takes_from_another_one_count(tmp_path):
    (tmp_path / CONFIG_FILE).write_text("load_subconfig('more.py')\n")
    (tmp_path / "more.py").write_text(COURSE_LINES)
    complete_config(tmp_path, hidden_modules())
    assert (tmp_path / CONFIG_FILE).read_text() == "load_subconfig('more.py')\n"
    (tmp_path / "more.py").write_text(PLUG_INS)
    complete_config(tmp_path, hidden_modules())
    assert is_complete(tmp_path)
    assert config_of(tmp_path).ZipCollectApp.extractor_plugin.endswith("ArchiveExtractor")


def test_a_mention_of_the_settings_is_not_enough(tmp_path):
    (tmp_path / CONFIG_FILE).write_text(f"'''\n{COURSE_LINES}'''\n")
    complete_config(tmp_path, hidden_modules())
    assert is_complete(tmp_path)


def test_a_student_s_settings_become_an_instructor_s(tmp_path):
    (tmp_path / CONFIG_FILE).write_text(WORK_CONFIG)
    assert lacking(config_of(tmp_path), hidden_modules()) == ["SandboxExporter.hidden_modules"]
    complete_config(tmp_path, hidden_modules())
    assert (tmp_path / CONFIG_FILE).read_text() == COURSE_CONFIG


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("from __future__ import annotations; c.Execute.timeout = 5\n", "holds two statements"),
        ("c.SandboxExporter.hidden_modules = {}\n", "changes SandboxExporter.hidden_modules"),
        ("c.clear()\n", "itself changes"),
        ("c.Autograde.exporter_class = (\n", "raises SyntaxError"),
        ("import no_such_module\n", "raises ModuleNotFoundError"),
    ],
)
def test_what_cannot_be_completed_is_refused_and_stays(headway, tmp_path, text, why):
    hand_in(tmp_path, "ann", "release")
    (tmp_path / CONFIG_FILE).write_text(text)
    for command in (["grade", "01"], ["class", "due", "01"], ["class"]):
        said = headway(*command, "--course", tmp_path)
        assert said.code == 2
        assert why in said.err
        assert ("raises" in why) != (COURSE_LINES in said.err)
        if "raises" in why:
            assert_sentence(said)
    assert {path.name for path in tmp_path.iterdir()} == {"submitted", CONFIG_FILE}
    assert (tmp_path / CONFIG_FILE).read_text() == text


def test_a_folder_in_the_place_of_the_file_is_refused(tmp_path):
    (tmp_path / CONFIG_FILE).mkdir()
    with pytest.raises(UserError, match="is no file"):
        complete_config(tmp_path, hidden_modules())


@pytest.fixture
def folder(root, tmp_path):
    """A course folder in which no command was given yet."""
    course = tmp_path / "course"
    hand_in(course, "ann", "release")
    source = root / "solutions" / ASSIGNMENTS[0].name
    (course / "source").mkdir()
    (course / "source" / source.name).symlink_to(source)
    (tmp_path / "list.csv").write_text(ROSTER)
    return course


COMMANDS = {
    "roster": ["class", "roster", "list.csv", "--course", "course"],
    "due": ["class", "due", "01", "--course", "course"],
    "class": ["class", "--course", "course"],
    "similar": ["class", "similar", "01", "--course", "course"],
    "export": ["class", "export", "moodle", "--course", "course"],
    "lti": ["class", "lti", "--course", "course"],
    "release": ["release", "01", "--course", "course"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_whichever_command_comes_first_completes_the_settings(
    headway, folder, monkeypatch, command
):
    monkeypatch.chdir(folder.parent)
    (folder / CONFIG_FILE).write_text(PLUG_INS)
    said = headway(*COMMANDS[command])
    assert said.code == 0, said.err
    assert f"{folder / CONFIG_FILE} lacked the course's settings" in said.err
    assert is_complete(folder)
    assert "lacked" not in headway(*COMMANDS[command]).err
    (folder / CONFIG_FILE).unlink()
    assert "lacked" not in headway(*COMMANDS[command]).err, "a new file needs no words"
    assert (folder / CONFIG_FILE).read_text() == COURSE_CONFIG


@pytest.mark.parametrize(("command", "option"), [("roster", "--dry-run"), ("release", "--check")])
def test_what_only_looks_leaves_the_settings_alone(headway, folder, monkeypatch, command, option):
    monkeypatch.chdir(folder.parent)
    headway(*COMMANDS[command], option)
    assert not (folder / CONFIG_FILE).exists()
    (folder / CONFIG_FILE).write_text(PLUG_INS)
    said = headway(*COMMANDS[command], option)
    assert "lacked" not in said.err
    assert (folder / CONFIG_FILE).read_text() == PLUG_INS


def test_elsewhere_than_in_a_course_folder_nothing_is_written(headway, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for command in (["class"], ["class", "due", "01"], ["class", "due", "01", "--course", "."]):
        headway(*command)
    assert CONFIG_FILE not in {path.name for path in tmp_path.iterdir()}


def test_an_empty_folder_becomes_a_course_folder_with_its_settings(headway, tmp_path):
    (tmp_path / "course").mkdir()
    done = headway("class", "due", "01", "2026-03-31 23:59 UTC", "--course", tmp_path / "course")
    assert done.code == 0
    assert (tmp_path / "course" / CONFIG_FILE).read_text() == COURSE_CONFIG
    assert str(tmp_path) not in sys.path
