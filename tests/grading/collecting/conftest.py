"""A course folder to collect into, and archives as Canvas and Moodle make them."""

import zipfile
from collections import defaultdict

import pytest

from headway.chapters import CHAPTERS, released_notebook
from headway.grading.times import read_moment, to_nbgrader
from headway.nbgrader_config import COURSE_CONFIG
from tests.grading.classroom import gradebook_of

NAME = CHAPTERS[0].name
DUE = to_nbgrader(read_moment("2026-03-31 23:59 Europe/Berlin"))
NOTEBOOK = released_notebook(CHAPTERS[0]).read_text(encoding="utf-8")
WORKSHEET = (
    '\ufeffIdentifier,"Full name","Email address",Status,"Last modified (submission)",Grade\n'
    'Participant 12345,"Ada Lovelace",ada@x.example,'
    '"Submitted for grading - Submitted late","Wednesday, 1 April 2026, 12:30 AM",\n'
    'Participant 678,"Emmy Noether",emmy@x.example,"Submitted for grading",'
    '"Tuesday, 31 March 2026, 11:00 PM",\n'
    'Participant 9,"Eve",../../eve@x.example,"Submitted for grading",-,\n'
)
OF_ADA, OF_EMMY = "lovelaceada_41234_98765_", "noetheremmy_41235_98766_"


def version(number: int) -> str:
    """The notebook as handed out, with a difference that tells versions apart."""
    return NOTEBOOK + "\n" * number


@pytest.fixture
def course(tmp_path):
    """A course folder with a class list and a due date."""
    course = tmp_path / "course"
    (course / "submitted").mkdir(parents=True)
    with gradebook_of(course) as book:
        for student, number, first, last in (
            ("ada", "41234", "Ada", "Lovelace"),
            ("emmy", "41235", "Emmy", "Noether"),
        ):
            email = f"{first}@x.example"
            names = {"first_name": first, "last_name": last}
            book.add_student(student, lms_user_id=number, email=email, **names)
        book.add_assignment(NAME, duedate=DUE)
    return course


@pytest.fixture
def archive(tmp_path):
    """Makes an archive with these files, and gives its path."""

    def make(files: dict[str, str], name: str = "submissions.zip"):
        with zipfile.ZipFile(tmp_path / name, "w") as file:
            for path, text in files.items():
                file.writestr(path, text)
        return tmp_path / name

    return make


@pytest.fixture
def collect(headway, course):
    """Runs the command in the course folder."""

    def run(*arguments):
        return headway("class", "collect", "01", *arguments, "--course", course)

    return run


@pytest.fixture
def submitted(course):
    """By student, the names and contents of the files in `submitted/`."""

    def read():
        found = defaultdict(dict)
        folder = course / "submitted"
        for path in sorted(folder.glob(f"*/{NAME}/**/*")):
            if path.is_file():
                student, _, *inner = path.relative_to(folder).parts
                found[student]["/".join(inner)] = path.read_text(encoding="utf-8")
        return dict(found)

    return read


@pytest.fixture
def settings(course):
    """Writes lines into the course's configuration."""

    def write(*lines: str):
        (course / "nbgrader_config.py").write_text(COURSE_CONFIG + "\n".join(lines) + "\n")

    return write
