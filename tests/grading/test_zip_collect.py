"""nbgrader's own `zip_collect` on archives of Canvas and Moodle, in a course folder."""

import subprocess
import sys
import zipfile
from collections import defaultdict

import pytest

from headway.grading.settings import COURSE_CONFIG
from headway.grading.times import read_moment, to_nbgrader
from tests.grading.classroom import gradebook_of

NAME = "01-one-hot"
PLUG_INS = """
c.ZipCollectApp.extractor_plugin = "headway.grading.collectors.ArchiveExtractor"
c.ZipCollectApp.collector_plugin = "headway.grading.collectors.{}Collector"
"""
WORKSHEET = (
    '\ufeffIdentifier,"Full name","Email address",Status,"Last modified (submission)",Grade\n'
    'Participant 12345,"Ada Lovelace",ada@x.example,'
    '"Submitted for grading - Submitted late","Wednesday, 1 April 2026, 12:30 AM",\n'
    'Participant 678,"Emmy Noether",emmy@x.example,"Submitted for grading",'
    '"Tuesday, 31 March 2026, 11:00 PM",\n'
    'Participant 9,"Eve",../../eve@x.example,"Submitted for grading",-,\n'
)
ARCHIVE = f"downloaded/{NAME}/archive/submissions.zip"
DUE = to_nbgrader(read_moment("2026-03-31 23:59 Europe/Berlin"))

pytestmark = pytest.mark.jupyter


@pytest.fixture
def course(tmp_path):
    """A course folder with a class list and a due date."""
    (tmp_path / "release" / NAME).mkdir(parents=True)
    (tmp_path / "release" / NAME / f"{NAME}.ipynb").write_text("{}")
    (tmp_path / "downloaded" / NAME / "archive").mkdir(parents=True)
    with gradebook_of(tmp_path) as book:
        book.add_student("ada", lms_user_id="41234", email="Ada@x.example")
        book.add_student("emmy", lms_user_id="41235", email="emmy@x.example")
        book.add_assignment(NAME, duedate=DUE)
    return tmp_path


def collected(course, platform, settings="", *options, archive=None):
    """Runs the command; gives what it said, and by student the files and the time."""
    (course / "nbgrader_config.py").write_text(COURSE_CONFIG + PLUG_INS.format(platform) + settings)
    if archive:
        with zipfile.ZipFile(course / ARCHIVE, "w") as file:
            for name, text in archive.items():
                file.writestr(name, text)
    command = [sys.executable, "-m", "nbgrader", "zip_collect", NAME, *options]
    done = subprocess.run(command, cwd=course, capture_output=True, text=True, timeout=120)
    found = defaultdict(dict)
    for path in sorted(course.glob(f"submitted/*/{NAME}/*")):
        found[path.parts[-3]][path.name] = path.read_text()
    return done, found


def test_canvas_s_archive_with_late_marks(course):
    archive = {
        "lovelaceada_LATE_41234_98765_01-one-hot.ipynb": "ada",
        "noetheremmy_41235_98766_01-one-hot.ipynb": "emmy",
        "noetheremmy_41235_98767_01-one-hot.ipynb": "again",
        "newnick_41299_5_01-one-hot.ipynb": "new",
        "mallory_41300_6_x.zip": "never opened",
        "../../outside_1_2_01-one-hot.ipynb": "never written",
    }
    done, found = collected(course, "Canvas", archive=archive)
    assert done.returncode == 0, done.stderr
    assert found == {
        "ada": {"01-one-hot.ipynb": "ada", "timestamp.txt": "2026-03-31 21:59:01"},
        "emmy": {"01-one-hot.ipynb": "emmy", "01-one-hot (2).ipynb": "again"},
        "41299": {"01-one-hot.ipynb": "new"},
    }
    assert "Canvas marks the submission of ada as late" in done.stderr
    assert "leads out of it" in done.stderr
    assert not list(course.parent.glob("outside*"))


@pytest.mark.full
@pytest.mark.parametrize(
    ("platform", "name", "said"),
    [
        ("Canvas", "ada_LATE_41234_98765_", "c.CanvasCollector.late_at"),
        ("Moodle", "Ada_12345_assignsubmission_file/", "Download the assignment's grading worksh"),
    ],
)
def test_what_is_needed_to_read_an_archive_is_said(course, platform, name, said):
    settings = 'c.CanvasCollector.late_at = "2026-04-01 12:00 Nowhere"\n'
    done, found = collected(course, platform, settings, archive={f"{name}01-one-hot.ipynb": "ada"})
    assert (done.returncode != 0, found) == (True, {})
    assert said in done.stderr


def test_moodle_s_archive_with_the_times_of_its_worksheet(course):
    (course / "downloaded" / NAME / "worksheet.csv").write_text(WORKSHEET, encoding="utf-8")
    archive = {
        "Ada Lovelace_12345_assignsubmission_file/01-one-hot.ipynb": "ada",
        "Emmy Noether_678_assignsubmission_file/01-one-hot.ipynb": "emmy",
        "Emmy Noether_678_assignsubmission_onlinetext/onlinetext.html": "",
        "Eve_9_assignsubmission_file/01-one-hot.ipynb": "never written",
    }
    settings = 'c.MoodleCollector.zone = "Europe/Berlin"\n'
    done, found = collected(course, "Moodle", settings, archive=archive)
    assert done.returncode == 0, done.stderr
    assert found == {
        "ada": {"01-one-hot.ipynb": "ada", "timestamp.txt": "2026-03-31 22:30:00"},
        "emmy": {"01-one-hot.ipynb": "emmy", "timestamp.txt": "2026-03-31 21:00:00"},
    }
    assert "cannot be the id of a student" in done.stderr


@pytest.mark.full
def test_an_archive_that_was_taken_apart_is_copied_and_no_student_s_is_opened(course):
    archive = course / "downloaded" / NAME / "archive"
    (archive / "lovelaceada_41234_1_01-one-hot.ipynb").write_text("ada")
    with zipfile.ZipFile(archive / "mallory_41300_6_x.zip", "w") as file:
        file.writestr("noetheremmy_41235_9_01-one-hot.ipynb", "in emmy's name")
    _, found = collected(course, "Canvas")
    assert found == {"ada": {"01-one-hot.ipynb": "ada"}}
    (archive / "lovelaceada_41234_1_01-one-hot.ipynb").unlink()
    done, _ = collected(course, "Canvas", "", "--force")
    assert done.returncode != 0
    assert "named like what one student handed in" in done.stderr


def test_what_one_student_named_or_damaged_stops_and_takes_nobody_s_but_their_own(course):
    place = course / ARCHIVE
    with zipfile.ZipFile(place, "w") as file:
        # A folder, and what Windows takes for one; the name of a copy that was taken before.
        file.writestr("mallory_7_8_x\\noetheremmy_41235_9_01-one-hot.ipynb", "mallory")
        file.writestr("mallory_7_8_x/noetheremmy_41235_9_01-one-hot.ipynb", "mallory")
        for number, name in enumerate(("a", "a", "a (2)", "a\x1b[31m")):
            file.writestr(f"mallory_7_{number}_{name}.ipynb", "mallory")
        # Where names are not shown, a sign that looks like somebody's number.
        file.writestr("anonymous_41235_9_01-one-hot.ipynb", "mallory")
        file.writestr(f"mallory_7_8_{'n' * 300}.ipynb", "too long")
        file.writestr(zipfile.ZipInfo(""), "without a name")
        file.writestr("mallory_7_8_damaged.ipynb", "DAMAGED")
        file.writestr("noetheremmy_41235_98766_01-one-hot.ipynb", "emmy")
        file.writestr("mallory_7_9_pressed.ipynb", "x" * 99, compress_type=zipfile.ZIP_LZMA)
        # A second file of the name, which cannot be opened, leaves the first one there.
        file.writestr("noetheremmy_41235_98766_01-one-hot.ipynb", "ODDLY")
        pressed = file.getinfo("mallory_7_9_pressed.ipynb")
        at = pressed.header_offset + 30 + len(pressed.filename) + 4
    content = bytearray(place.read_bytes())
    content[at : at + 5] = b"\xff" * 5
    place.write_bytes(content.replace(b"ODDLY", b"ODDER"))
    place.write_bytes(place.read_bytes().replace(b"DAMAGED", b"DAMAGES"))
    done, found = collected(course, "Canvas")
    assert done.returncode == 0, done.stderr
    assert found.pop("emmy") == {"01-one-hot.ipynb": "emmy"}
    assert set(found) == {"7"}
    assert set(found["7"].values()) == {"mallory"}
    assert "has a name that cannot be kept" in done.stderr
    assert "cannot be read (Bad CRC-32" in done.stderr
    assert "\x1b[31m" not in done.stderr
    assert "a\\x1b[31m.ipynb" in done.stderr


def test_an_id_that_is_another_student_s_elsewhere_is_nobody_s(course):
    with gradebook_of(course) as book:
        book.add_student("555", lms_user_id="41236")
        book.add_student("twin", lms_user_id="41235")
    archive = {
        "x_555_1_01-one-hot.ipynb": "Canvas's 555, and not the student 555",
        "noetheremmy_41235_2_01-one-hot.ipynb": "emmy, or twin",
        "y_41236_3_01-one-hot.ipynb": "555",
    }
    done, found = collected(course, "Canvas", archive=archive)
    assert found == {"555": {"01-one-hot.ipynb": "555"}}
    assert done.stderr.count("the gradebook does not tell for certain") == 2
