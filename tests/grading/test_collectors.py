"""What Canvas and Moodle give for download: whose it is, and nobody makes it another's."""

import pytest

from headway.errors import UserError
from headway.grading.collectors import CanvasCollector, MoodleCollector

FOLDER = "downloaded/01-one-hot"


def found(collector, *path: str):
    got = collector.collect("/".join(path))
    return got and tuple(got[name] for name in ("student_id", "file_id"))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("lovelaceada_41234_98765_01-one-hot.ipynb", ("41234", "01-one-hot.ipynb")),
        ("lovelaceada_LATE_41234_98765_01-one-hot-1.ipynb", ("41234", "01-one-hot-1.ipynb")),
        ("çelikcem_7_8_my own_2.ipynb", ("7", "my own_2.ipynb")),
        # Another's number, in the name of the file and at the end of one's own.
        ("mallory_7_8_41234_9_01-one-hot.ipynb", None),
        ("mallory_41234_7_8_01-one-hot.ipynb", None),
        ("mallory_7_8_x_41234_9_01-one-hot.ipynb", ("7", "x_41234_9_01-one-hot.ipynb")),
    ],
)
def test_canvas_s_number_is_the_student(name, expected):
    assert found(CanvasCollector(), "/c", FOLDER, "extracted", name) == expected
    assert found(CanvasCollector(), "/c", FOLDER, "extracted", "submissions", name) == expected


def test_canvas_s_test_student_and_anonymous_ones_hand_nothing_in(caplog):
    for name in ("studenttest_1999_7_01-one-hot.ipynb", "studenttest_LATE_1999_7_01-one-hot.ipynb"):
        assert found(CanvasCollector(), "/c", FOLDER, "extracted", name) is None
        assert f"{name} is of Canvas's Test Student, and was left out." in caplog.text
    assert found(CanvasCollector(), "/c", FOLDER, "extracted", "anon_12345_7_a.ipynb") is None
    longer = "studenttester_1999_7_01-one-hot.ipynb"
    assert found(CanvasCollector(), "/c", FOLDER, "extracted", longer)[0] == "1999"


def test_a_file_whose_name_begins_with_a_number_is_told_of(caplog):
    name = "lovelaceada_41234_98765_01_one_hot.ipynb"
    assert CanvasCollector().collect(f"/c/{FOLDER}/extracted/{name}") is None
    assert "cannot be told for certain: its name begins with a number and _" in caplog.text


def test_what_canvas_marks_as_late_is_said_and_its_time_can_be_given(caplog):
    path = f"/c/{FOLDER}/extracted/ada_LATE_41234_9_01-one-hot.ipynb"
    assert "timestamp" not in CanvasCollector().collect(path)
    assert "Canvas marks the submission of 41234 as late" in caplog.text
    collector = CanvasCollector(late_at="2026-04-01 12:00 Europe/Berlin")
    assert collector.collect(path)["timestamp"] == "2026-04-01 10:00:00"


@pytest.fixture
def moodle(tmp_path):
    """A collector and the folder in which its worksheet lies."""
    folder = tmp_path / FOLDER
    folder.mkdir(parents=True)
    (folder / "worksheet.csv").write_text(
        '\ufeffIdentifier,"Full name","Email address",Status,"Last modified (submission)"\n'
        'Participant 12345,"Ada Lovelace",ada@x.example,Submitted,'
        '"Tuesday, 31 March 2026, 11:59 PM"\n'
        'Participant 678,"Bob _1_",bob@x.example,Submitted,-\n',
        encoding="utf-8",
    )
    return MoodleCollector(zone="Europe/Berlin"), folder / "extracted"


def test_moodle_s_worksheet_tells_who_it_is_and_when(moodle):
    collector, place = moodle
    path = f"{place}/Ada Lovelace_12345_assignsubmission_file/01-one-hot.ipynb"
    ada = {"student_id": "ada@x.example", "file_id": "01-one-hot.ipynb"}
    assert collector.collect(path) == ada | {"timestamp": "2026-03-31 21:59:00"}
    collector = MoodleCollector()  # the same file once more would be a second one
    assert collector.collect(path.replace("_file/", "_file_/")) == ada
    bob = collector.collect(f"{place}/all/Bob  1 _678_assignsubmission_file/mine.ipynb")
    assert bob == {"student_id": "bob@x.example", "file_id": "mine.ipynb"}


def test_the_worksheet_may_hold_long_texts_and_is_read_once(moodle):
    collector, place = moodle
    sheet = place.parent / "worksheet.csv"
    header, *rows = sheet.read_text(encoding="utf-8-sig").splitlines()
    lines = [f"{header},Online text", *(f'{row},"{"x" * 200_000}"' for row in rows)]
    sheet.write_text("\n".join(lines), encoding="utf-8")
    path = f"{place}/Ada Lovelace_12345_assignsubmission_file/01-one-hot.ipynb"
    assert collector.collect(path)["student_id"] == "ada@x.example"
    sheet.write_text("not read again", encoding="utf-8")
    assert collector.collect(path)["file_id"] == "01-one-hot (2).ipynb"


def test_a_worksheet_in_another_encoding_is_refused_in_a_sentence(moodle):
    collector, place = moodle
    (place.parent / "worksheet.csv").write_bytes("Identifier,Übung\n1,2\n".encode("latin-1"))
    with pytest.raises(UserError, match="is not text in UTF-8"):
        collector.collect(f"{place}/Ada_12345_assignsubmission_file/a.ipynb")


@pytest.mark.parametrize(
    "path",
    [
        "Bob_678_assignsubmission_file/Ada_12345_assignsubmission_file/01-one-hot.ipynb",
        "Bob_678_assignsubmission_file/extracted/Ada_12345_assignsubmission_file/a.ipynb",
        "Bob_99_assignsubmission_file/a.ipynb",
    ],
)
def test_a_folder_within_a_submission_names_nobody(moodle, path):
    collector, place = moodle
    assert collector.collect(f"{place}/{path}") is None
