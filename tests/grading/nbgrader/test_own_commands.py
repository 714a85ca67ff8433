"""nbgrader's own commands run this course's submissions in the sandbox, or they don't run them."""

import json
import shutil
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.apps.api import NbGraderAPI
from nbgrader.converters import Autograde, GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from headway.chapters import CHAPTERS, course_root, hidden_modules
from headway.errors import UserError
from headway.grading.nbgrader import guard, own_commands
from headway.grading.nbgrader.config_file import CONFIG_FILE
from headway.grading.nbgrader.convert import ConversionError, convert
from headway.nbgrader_config import COURSE_CONFIG
from tests.grading.classroom import gradebook_of, hand_in
from tests.grading.nbgrader.test_config_file import PLUG_INS
from tests.grading.nbgrader.test_plugin import nbgrader

NAME = CHAPTERS[0].name
SETTINGS = Path(guard.__file__).with_name("environment.json")

pytestmark = [pytest.mark.jupyter, pytest.mark.usefixtures("guarded")]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """A course folder that somebody made with plain nbgrader; eve's submission writes a file."""
    course = tmp_path_factory.mktemp("course")
    (course / CONFIG_FILE).write_text(PLUG_INS)
    shutil.copytree(course_root() / "solutions" / NAME, course / "source" / NAME)
    hand_in(course, "eve", "release")
    directory = CourseDirectory(root=str(course), assignment_id=NAME)
    convert(GenerateAssignment, directory, Config())
    return course


@pytest.fixture
def course(recorded, tmp_path):
    course = tmp_path / "tf101"
    shutil.copytree(recorded, course)

    def escape(notebook):
        notebook.cells.insert(1, new_code_cell(f"open({str(course / 'escaped')!r}, 'w').close()"))

    hand_in(course, "eve", "release", escape)
    return course


def test_with_other_settings_in_the_course_folder_nothing_is_run(course):
    done = nbgrader(course, "autograde", NAME)
    assert done.returncode != 0
    assert f"Nothing was graded: {CONFIG_FILE} of the course folder {course} " in done.stderr
    assert not (course / "escaped").exists()
    assert not (course / "autograded").exists()


def test_a_broken_file_or_another_folder_changes_nothing_about_it(course, tmp_path):
    (course / CONFIG_FILE).write_text("from headway import no_such_name\n")
    done = nbgrader(tmp_path, "autograde", NAME, "--course-dir", str(course))
    assert done.returncode != 0
    assert "Nothing was graded" in done.stderr
    assert not (course / "escaped").exists()


def test_the_formgrader_s_button_says_so_and_runs_nothing(course):
    config = own_commands._read_by_nbgrader(course)
    formgrader = NbGraderAPI(CourseDirectory(root=str(course)), config=config)
    answer = formgrader.autograde(NAME, "eve")
    assert not answer["success"]
    assert "Nothing was graded" in answer["log"]
    assert not (course / "escaped").exists()


def autograde(course: Path, folder: Path) -> None:
    """What `nbgrader autograde`, started in a folder, does with a course folder."""
    directory = CourseDirectory(root=str(course), assignment_id=NAME)
    convert(Autograde, directory, own_commands._read_by_nbgrader(folder))


def test_a_gradebook_of_ours_names_no_kernel_in_which_plain_nbgrader_could_run_anything(
    course, guarded
):
    (guarded / "nbgrader_config.json").unlink()
    (course / CONFIG_FILE).write_text(COURSE_CONFIG)
    directory = CourseDirectory(root=str(course), assignment_id=NAME)
    with gradebook_of(course) as book:
        assert json.loads(book.find_notebook(NAME, NAME).kernelspec)["name"] == "python3"
    convert(GenerateAssignment, directory, own_commands._read_by_nbgrader(course))
    (course / CONFIG_FILE).write_text(PLUG_INS)
    with pytest.raises(ConversionError, match=r"NoSuchKernel: .*see-headway-doctor"):
        autograde(course, course)
    assert not (course / "escaped").exists()


def test_in_the_environment_other_courses_are_graded_as_ever(tmp_path):
    (tmp_path / "source" / NAME).mkdir(parents=True)
    metadata = {"grade_id": "test", "grade": True, "locked": True, "solution": False, "points": 1}
    metadata |= {"schema_version": 3, "task": False}
    cell = new_code_cell("# headway\nassert True", metadata={"nbgrader": metadata})
    spec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    other = new_notebook(cells=[cell], metadata={"kernelspec": spec})
    for folder in (tmp_path / "source", tmp_path / "submitted" / "ann"):
        (folder / NAME).mkdir(parents=True, exist_ok=True)
        nbformat.write(other, folder / NAME / f"{NAME}.ipynb")
    directory = CourseDirectory(root=str(tmp_path), assignment_id=NAME)
    convert(GenerateAssignment, directory, Config())
    autograde(tmp_path, tmp_path)
    with gradebook_of(tmp_path) as book:
        assert book.find_submission(NAME, "ann").score == 1


def test_what_they_lack_is_what_nbgrader_would_not_read(course, guarded):
    lack = own_commands.what_they_lack(course, hidden_modules())
    assert lack[0] == "Autograde.exporter_class"
    assert "Execute.timeout" in lack
    (course / CONFIG_FILE).write_text(COURSE_CONFIG)
    assert own_commands.what_they_lack(course, hidden_modules()) == []
    (course / "nbgrader_config.json").write_text(SETTINGS.read_text())
    assert own_commands.what_they_lack(course, hidden_modules()) == ["Autograde.exporter_class"]
    (course / CONFIG_FILE).write_text("1 / 0")
    with pytest.raises(UserError, match="raises ZeroDivisionError"):
        own_commands.what_they_lack(course, hidden_modules())


def test_they_are_guarded_where_the_package_is_installed(guarded):
    assert own_commands.are_guarded()
    (guarded / "nbgrader_config.json").unlink()
    (guarded / CONFIG_FILE).write_text(COURSE_CONFIG)
    assert own_commands.are_guarded(), "everywhere in the sandbox is as good"
    (guarded / CONFIG_FILE).write_text("c.Autograde.exporter_class = 'mine.Mine'\n")
    assert not own_commands.are_guarded()


def test_a_folder_without_settings_is_read_without_a_word(tmp_path, capsys):
    own_commands._read_by_nbgrader(tmp_path)
    assert capsys.readouterr().err == ""
