"""What grading takes from nbgrader beyond its documentation: it has to be there, and to do this."""

import json
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from jinja2 import Environment, FileSystemLoader
from nbconvert.writers import FilesWriter
from nbgrader import api
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde
from nbgrader.converters.base import BaseConverter
from nbgrader.coursedir import CourseDirectory
from nbgrader.server_extensions.formgrader.handlers import template_path
from sqlalchemy import create_engine
from traitlets.config import Config

from headway.grading import nbgrader_adapter as adapter
from headway.grading.nbgrader.transaction import one_transaction
from headway.grading.recording import Recorder


@pytest.fixture
def converter(tmp_path):
    """nbgrader's `Autograde` over a course folder with one submission."""
    folder = tmp_path / "submitted" / "ann" / "ps1"
    folder.mkdir(parents=True)
    (folder / "problem.ipynb").write_text("{}")
    directory = CourseDirectory(root=str(tmp_path), assignment_id="ps1")
    made = Autograde(coursedir=directory, config=Config())
    made.assignments = {str(folder): [str(folder / "problem.ipynb")]}
    return made


def test_a_new_gradebook_is_of_the_newest_schema_without_a_program(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "")  # nbgrader's own way runs `alembic`
    url = f"sqlite:///{tmp_path / 'gradebook.db'}"
    with Gradebook(url) as gradebook:
        assert gradebook.students == []
    with create_engine(url).connect() as connection:
        version = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    assert version == adapter.newest_schema()


def students(url: str) -> list[str]:
    with Gradebook(url) as gradebook:
        return [student.id for student in gradebook.students]


def test_gradebooks_that_are_opened_meanwhile_share_one_transaction(tmp_path):
    url, other = (f"sqlite:///{tmp_path / name}.db" for name in ("gradebook", "other"))
    with one_transaction(url):
        with Gradebook(url) as gradebook:
            gradebook.add_student("ann")
        assert students(url) == ["ann"]
        assert students(other) == []
        with sqlite3.connect(tmp_path / "gradebook.db") as outside:
            tables = outside.execute("SELECT name FROM sqlite_master").fetchall()
        assert tables == [], "nothing counts before the end"
    assert students(url) == ["ann"]


def test_nbgrader_is_left_as_it_was_also_after_an_error():
    before = api.create_engine, api.Base.metadata.create_all

    def fail() -> None:
        connection = create_engine("sqlite://").connect()
        with connection, adapter.gradebooks_on(connection, "sqlite://"):
            assert api.create_engine != before[0]
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert (api.create_engine, api.Base.metadata.create_all) == before


def test_submissions_are_found_by_their_folders(converter, tmp_path):
    assert adapter.found_submissions(converter) == {
        str(tmp_path / "submitted" / "ann" / "ps1"): ("ann", "ps1")
    }


def test_a_converter_looks_elsewhere_and_the_course_folder_stays_as_it_is(converter, tmp_path):
    directory = converter.coursedir
    staged = tmp_path / "staged" / "ann" / "ps1"
    staged.mkdir(parents=True)
    (staged / "problem.ipynb").write_text("{}")
    adapter.grade_from(converter, tmp_path / "staged")
    assert [Path(path) for path in converter.assignments] == [staged]
    assert directory.submitted_directory == "submitted"


def steps_of(converter: Autograde, monkeypatch) -> list[tuple[bool, list[str]]]:
    """Whether each step reads what was handed in, and its preprocessors."""
    steps = []

    def note(self, name):
        names = [type(preprocessor).__name__ for preprocessor in self.exporter._preprocessors]
        steps.append((adapter.reads_what_was_handed_in(self), names))

    monkeypatch.setattr(BaseConverter, "convert_single_notebook", note)
    converter.exporter = converter.exporter_class(config=Config(), parent=converter)
    converter.writer = FilesWriter(build_directory="")
    converter.convert_single_notebook("problem.ipynb")
    return steps


def test_autograding_takes_two_steps_and_recording_does_both_at_once(converter, monkeypatch):
    (first, sanitize), (second, autograde) = steps_of(converter, monkeypatch)
    assert (first, second) == (True, False)
    recorder = Recorder(coursedir=converter.coursedir, config=Config())
    ((_, at_once),) = steps_of(recorder, monkeypatch)
    assert at_once == [*sanitize, *autograde]
    assert "SaveAutoGrades" in autograde


MARKUP = '</script><img src=x onerror="alert(1)">'


def test_pages_of_the_formgrader_show_names_as_text_and_scripts_have_them_as_they_are():
    stock = Environment(loader=FileSystemLoader([template_path]))
    given = {"student_id": MARKUP, "assignment_id": "01", "base_url": "/user/a"}
    for name in ("manage_students_assignments.tpl", "manage_students_notebook_submissions.tpl"):
        assert MARKUP in stock.get_template(name).render(given)
        html = adapter.escaping(stock).get_template(name).render(given)
        assert "<img" not in html
        assert json.loads(re.search(r"var student_id = (.*);", html)[1]) == MARKUP
        assert 'href="/user/a/formgrader/manage_students"' in html


def test_a_server_of_the_formgrader_that_reads_the_settings_renders_so_and_lists_everybody(
    tmp_path,
):
    for student, time in {"ada": "2026-03-31 12:00:00 +0200", "eve": "soon"}.items():
        folder = tmp_path / "submitted" / student / "ps1"
        folder.mkdir(parents=True)
        (folder / "timestamp.txt").write_text(time)
    code = (
        "from nbgrader.apps.api import NbGraderAPI\n"
        "from nbgrader.server_extensions.formgrader import base\n"
        "from headway.grading import nbgrader_adapter as adapter\n"
        "assert base.BaseHandler.render is adapter._render\n"
        "api = NbGraderAPI()\n"
        "assert api.get_submitted_timestamp('ps1', 'ada').hour == 10\n"
        "assert api.get_submitted_timestamp('ps1', 'eve') is None"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)
