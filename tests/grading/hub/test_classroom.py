"""The folder of a classroom: complete, open to those who need it, and never overwritten."""

import os
import pwd
import stat
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from headway.chapters import ASSIGNMENTS, solution_notebook
from headway.commands import hub as command
from headway.errors import UserError
from headway.grading.hub import classroom as module
from headway.grading.hub.classroom import Account, make_classroom

NAME = pwd.getpwuid(os.getuid()).pw_name
ME = Account(NAME, os.getuid(), os.getgid())


@pytest.fixture
def room(tmp_path, monkeypatch):
    # Folders of tests are closed to other accounts.
    monkeypatch.setattr(module, "require_reachable", lambda folder: None)
    folder = tmp_path / "room"
    make_classroom(folder, ME, "http://0.0.0.0:8080")
    return folder


def config_of(path) -> Config:
    return PyFileConfigLoader(path.name, path=str(path.parent)).load_config()


def mode(path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_each_folder_is_complete_and_open_to_those_alone_who_need_it(room):
    for chapter in ASSIGNMENTS:
        assert (room / "course" / "source" / chapter.notebook).is_file()
    assert mode(room / "course") == mode(room / "state") == 0o700
    # What students put there nobody else can take away.
    assert mode(room / "exchange") == 0o1777
    # Whoever made the course's own part would own it, and read what is handed in.
    assert mode(room / "exchange" / "headway" / "inbound") == 0o3733


def test_nbgrader_finds_course_and_exchange_in_both_settings(room):
    teacher = config_of(room / "settings" / "teacher" / "nbgrader_config.py")
    student = config_of(room / "settings" / "student" / "nbgrader_config.py")
    for config in (teacher, student):
        assert config.CourseDirectory.course_id == "headway"
        assert config.Exchange.root == str(room / "exchange")
    assert teacher.CourseDirectory.root == str(room / "course")
    assert teacher.ExchangeFactory.collect == "headway.grading.nbgrader.collect.Collect"
    # The course folder's own settings are the teacher's, too.
    assert "headway" in teacher.Autograde.exporter_class
    assert "root" not in student.CourseDirectory


def test_the_hub_is_where_it_is_told_to_be_and_gives_each_person_their_own_settings(room):
    config = config_of(room / "jupyterhub_config.py")
    assert config.JupyterHub.bind_url == "http://0.0.0.0:8080"
    assert str(room / "state") in config.JupyterHub.db_url
    assert str(room / "state") in config.JupyterHub.cookie_secret_file
    for name, who, folder in [(NAME, "teacher", str(room / "course")), ("ada", "student", "~")]:
        spawner = SimpleNamespace(user=SimpleNamespace(name=name), environment={})
        config.Spawner.pre_spawn_hook(spawner)
        assert spawner.environment["JUPYTER_CONFIG_PATH"] == str(room / "settings" / who)
        assert spawner.notebook_dir == folder


def test_what_is_there_stays(room):
    mine = room / "jupyterhub_config.py"
    mine.write_text("# mine\n", encoding="utf-8")
    (room / "course" / "source" / "01-one-hot" / "01-one-hot.ipynb").unlink()
    assert make_classroom(room, ME) == []
    assert mine.read_text(encoding="utf-8") == "# mine\n"


def test_a_folder_or_a_python_that_others_cannot_get_to_is_refused(tmp_path, monkeypatch):
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    with pytest.raises(UserError, match="is closed to them"):
        make_classroom(closed / "room", ME)
    assert not (closed / "room").exists()
    monkeypatch.setattr(sys, "prefix", str(closed))
    with pytest.raises(UserError, match=f"can't get to {closed}.* is closed to them"):
        module.require_reachable(Path("/room"))


def test_an_exchange_of_which_only_the_folder_is_there_is_made(tmp_path):
    exchange = tmp_path / "exchange"
    exchange.mkdir(mode=0o777)  # as a cluster mounts it
    assert module.make_exchange(exchange, ME) == [str(exchange)]
    assert mode(exchange / "headway" / "inbound") == 0o3733
    assert module.make_exchange(exchange, ME) == []


def test_solutions_that_are_closed_to_an_account_are_none(monkeypatch):
    assert solution_notebook(ASSIGNMENTS[0]).is_file()
    monkeypatch.setattr(os, "access", lambda path, how: Path(path).name != "solutions")
    assert solution_notebook(ASSIGNMENTS[0]) is None


def test_solutions_that_students_can_read_are_said(tmp_path, monkeypatch):
    solutions = tmp_path / "solutions"
    monkeypatch.setattr(command, "checkout", lambda: tmp_path)
    assert command.open_solutions() is None
    solutions.mkdir(mode=0o755)
    assert command.open_solutions() == solutions
    solutions.chmod(0o700)
    assert command.open_solutions() is None
