"""`headway class collect`: everything gets to its student, or is named; nothing is lost."""

import shutil
import zipfile

import pytest

from tests.commands.sentences import assert_sentence
from tests.grading.classroom import gradebook_of
from tests.grading.collecting.conftest import NAME, NOTEBOOK, OF_ADA, OF_EMMY, WORKSHEET, version

pytestmark = pytest.mark.jupyter
TIME_OF_LATE = "2026-03-31 21:59:01 UTC\n"


def test_canvas_s_archive_with_late_marks(collect, archive, submitted, tmp_path):
    files = {
        "lovelaceada_LATE_41234_98765_01-one-hot.ipynb": NOTEBOOK,
        # Two of the same name: the one that was handed in later has the higher number.
        "noetheremmy_41235_98767_01-one-hot.ipynb": version(2),
        "noetheremmy_41235_98766_01-one-hot.ipynb": version(1),
        "newnick_41299_5_01-one-hot.ipynb": NOTEBOOK,
        "newnick_41299_6_../../outside.ipynb": "within",
        "newnick_41299_7_timestamp.txt": "2020-01-01 00:00:00 UTC",
        "mallory_41300_6_x.zip": "not opened here",
        "text_41301_text.html": "<p>My answer</p>",
    }
    done = collect(archive(files))
    assert submitted() == {
        "ada": {"01-one-hot.ipynb": NOTEBOOK, "timestamp.txt": TIME_OF_LATE},
        "emmy": {"01-one-hot.ipynb": version(2), "01-one-hot (2).ipynb": version(1)},
        "41299": {"01-one-hot.ipynb": NOTEBOOK, "_timestamp.txt": "2020-01-01 00:00:00 UTC"},
        "41300": {"x.zip": "not opened here"},
        "41301": {"text.html": "<p>My answer</p>"},
    }
    assert done.code == 1
    assert "Canvas's archive.\n5 new, 0 newer, 0 as they were." in done.out
    assert "counts from 2026-03-31 21:59:01 UTC: ada (Ada Lovelace)" in done.err
    assert "Not in the class list: 41299, 41300, 41301" in done.err
    assert "41300: Handed in x.zip: an archive that cannot be read." in done.out
    assert "41301: Handed in text.html: a web page, not a notebook." in done.out
    assert "Nobody's for certain: newnick_41299_6_../../outside.ipynb" in done.out
    assert not list(tmp_path.parent.glob("**/outside*"))


def test_another_assignment_s_archive_is_refused_before_anything_is_written(
    collect, archive, submitted, course
):
    other = NOTEBOOK.replace(f"{NAME}/", "02-markov/")
    files = {f"{OF_ADA}02-markov.ipynb": other, f"{OF_EMMY}page.html": "<html>"}
    said = "are of 02-markov, and not of 01-one-hot."
    assert_sentence(collect(archive(files)), "Nothing was collected. The notebooks in ", said)
    assert (submitted(), (course / "collected").exists()) == ({}, False)
    files[f"{OF_EMMY}01-one-hot.ipynb"] = NOTEBOOK
    collect(archive(files))
    assert set(submitted()) == {"ada", "emmy"}


def test_the_time_of_late_work_can_be_given(collect, archive, submitted):
    source = archive({"lovelaceada_LATE_41234_98765_01-one-hot.ipynb": NOTEBOOK})
    assert_sentence(collect(source, "--late-at", "2026-04-01 12:00"), "--late-at: ", "no time zone")
    assert submitted() == {}
    assert collect(source, "--late-at", "2026-04-01 12:00 Europe/Berlin").code == 0
    assert submitted()["ada"]["timestamp.txt"] == "2026-04-01 10:00:00 UTC\n"


def test_without_a_due_date_late_work_counts_as_in_time(collect, archive, course, submitted):
    with gradebook_of(course) as book:
        book.update_or_create_assignment(NAME, duedate=None)
    done = collect(archive({"lovelaceada_LATE_41234_98765_01-one-hot.ipynb": NOTEBOOK}))
    assert done.code == 0, done.err
    assert "counts as in time, because the assignment has no due date here: ada" in done.err
    assert submitted() == {"ada": {"01-one-hot.ipynb": NOTEBOOK}}


def test_a_digit_at_the_beginning_of_a_file_s_name_is_no_riddle_with_a_class_list(
    collect, archive, submitted
):
    done = collect(archive({f"{OF_ADA}01_one_hot.ipynb": NOTEBOOK}))
    assert done.code == 0, done.out
    assert submitted() == {"ada": {"01_one_hot.ipynb": NOTEBOOK}}


@pytest.mark.parametrize(
    "path",
    [
        "mallory_41234_7_8_01-one-hot.ipynb",  # who is called "mallory_41234", and is 7
        "x_41234_9_z_7_8_01-one-hot.ipynb",
        "mallory_7_8_x_41234_9_01-one-hot.ipynb",
        "mallory_7_8_41234_text.html",
    ],
)
@pytest.mark.parametrize("is_listed", [True, False])
def test_nobody_hands_in_for_another_by_a_clever_name(
    collect, archive, course, submitted, path, is_listed
):
    if is_listed:
        with gradebook_of(course) as book:
            book.add_student("mallory", lms_user_id="7", last_name="Mallory")
    done = collect(archive({path: "in ada's name"}))
    assert done.code == 1
    assert "ada" not in submitted()
    assert f"Nobody's for certain: {path}, because its name can be read in more than" in done.out


def test_names_that_canvas_hides_are_nobody_s(collect, archive, submitted):
    done = collect(archive({"anon_41235_9_a.ipynb": "x", "anon_x1y2z_9_a.ipynb": "x"}))
    assert (done.code, submitted()) == (1, {})
    assert done.out.count("because Canvas hides the names.") == 2


def test_canvas_s_test_student_hands_nothing_in(collect, archive, course, submitted):
    of_nobody = "studenttest_1999_7_01-one-hot.ipynb", "studenttest_LATE_1999_8_01-one-hot.ipynb"
    done = collect(archive(dict.fromkeys(of_nobody, NOTEBOOK)))
    assert (done.code, submitted()) == (0, {})
    assert "Left out: Canvas's Test Student." in done.err
    with gradebook_of(course) as book:
        book.add_student("tess", lms_user_id="1999")
    collect(archive(dict.fromkeys(of_nobody, NOTEBOOK)))
    assert "tess" in submitted()


def test_an_id_that_is_another_student_s_elsewhere_is_nobody_s(collect, archive, course, submitted):
    with gradebook_of(course) as book:
        book.add_student("555", lms_user_id="41236")
        book.add_student("twin", lms_user_id="41235")
    files = {
        "x_555_1_01-one-hot.ipynb": "Canvas's 555, and not the student 555",
        "noetheremmy_41235_2_01-one-hot.ipynb": "emmy, or twin",
        "y_41236_3_01-one-hot.ipynb": NOTEBOOK,
    }
    done = collect(archive(files))
    assert submitted() == {"555": {"01-one-hot.ipynb": NOTEBOOK}}
    assert done.out.count("the gradebook does not say for certain who") == 2


def test_what_one_student_named_or_damaged_takes_nobody_s_but_their_own(
    collect, archive, submitted
):
    place = archive({})
    with zipfile.ZipFile(place, "w") as file:
        for number, name in enumerate(("a", "a", "a (2)", "a\x1b[31m")):
            file.writestr(f"mallory_7_{number}_{name}.ipynb", "mallory")
        # A folder, and what Windows takes for one.
        file.writestr("mallory_7_8_x\\y_a.ipynb", "mallory")
        file.writestr("mallory_7_8_x/noetheremmy_41235_9_01-one-hot.ipynb", "mallory")
        file.writestr(f"mallory_7_8_{'n' * 300}.ipynb", "too long")
        file.writestr(zipfile.ZipInfo(""), "without a name")
        file.writestr("lovelaceada_41234_8_damaged.ipynb", "DAMAGED")
        file.writestr(f"{OF_EMMY}01-one-hot.ipynb", NOTEBOOK)
        file.writestr("mallory_7_9_pressed.ipynb", "x" * 99, compress_type=zipfile.ZIP_LZMA)
        pressed = file.getinfo("mallory_7_9_pressed.ipynb")
        at = pressed.header_offset + 30 + len(pressed.filename) + 4
    content = bytearray(place.read_bytes())
    content[at : at + 5] = b"\xff" * 5
    place.write_bytes(content.replace(b"DAMAGED", b"DAMAGES"))
    done = collect(place)
    found = submitted()
    assert done.code == 1, done.err
    assert found.pop("emmy") == {"01-one-hot.ipynb": NOTEBOOK}
    assert set(found) == {"7"}
    assert set(found["7"].values()) == {"mallory"}
    assert len(found["7"]) == 5
    assert "which has a name that cannot be kept (File name too long). Not collected." in done.out
    assert "ada (Ada Lovelace): Handed in damaged.ipynb, which cannot be read (Bad CRC" in done.out
    assert "\x1b[31m" not in done.out + done.err


def test_moodle_s_archive_with_the_times_of_its_worksheet(collect, archive, submitted, tmp_path):
    sheet = tmp_path / "worksheet.csv"
    sheet.write_text(WORKSHEET, encoding="utf-8")
    files = {
        "Ada Lovelace_12345_assignsubmission_file/work/01-one-hot.ipynb": NOTEBOOK,
        "Emmy Noether_678_assignsubmission_file/01-one-hot.ipynb": NOTEBOOK,
        "Emmy Noether_678_assignsubmission_file/.config": "seen",
        "Emmy Noether_678_assignsubmission_onlinetext/onlinetext.html": (
            '<!DOCTYPE html><html><head><meta charset="UTF-8"></head><body><p>&nbsp;</p></body>'
        ),
        "Eve_9_assignsubmission_file/01-one-hot.ipynb": "never written",
        "Zoe_77_assignsubmission_file/01-one-hot.ipynb": "not in the worksheet",
    }
    source = archive(files)
    assert_sentence(collect(source), "Download that as well, and name it with --worksheet.")
    done = collect(source, "--worksheet", sheet)
    assert "When they were handed in was not read." in done.err
    assert "timestamp.txt" not in submitted()["ada"]
    done = collect(source, "--worksheet", sheet, "--zone", "Europe/Berlin")
    assert "0 new, 0 newer, 2 as they were." in done.out
    assert submitted() == {
        "ada": {"work/01-one-hot.ipynb": NOTEBOOK, "timestamp.txt": "2026-03-31 22:30:00 UTC\n"},
        "emmy": {
            "01-one-hot.ipynb": NOTEBOOK,
            "_.config": "seen",
            "timestamp.txt": "2026-03-31 21:00:00 UTC\n",
        },
    }
    assert done.code == 1
    assert "does not say for certain who participant 9 is." in done.out
    assert "does not say for certain who participant 77 is." in done.out


def test_a_text_typed_into_moodle_is_something_handed_in(collect, archive, submitted, tmp_path):
    sheet = tmp_path / "worksheet.csv"
    sheet.write_text(WORKSHEET.replace("Last modified (submission)", "Zuletzt"), encoding="utf-8")
    path = "Ada Lovelace_12345_assignsubmission_onlinetext/onlinetext.html"
    done = collect(archive({path: "<body>See <b>my</b> mail</body>"}), "--worksheet", sheet)
    assert submitted().keys() == {"ada"}
    assert "Handed in onlinetext.html: a web page, not a notebook." in done.out


def test_a_folder_with_what_was_unpacked_is_read_as_well(collect, course, submitted, tmp_path):
    folder = tmp_path / "unpacked" / "submissions"
    folder.mkdir(parents=True)
    (folder / f"{OF_ADA}01-one-hot.ipynb").write_text(NOTEBOOK)
    (folder / f"{OF_EMMY}01-one-hot.ipynb").symlink_to(course / "gradebook.db")
    (folder / ".DS_Store").touch()
    (folder / "notes.txt").touch()
    done = collect(folder.parent)
    assert submitted() == {"ada": {"01-one-hot.ipynb": NOTEBOOK}}
    assert done.code == 1
    assert "Nobody's for certain: submissions/notes.txt, because Canvas" in done.out
    assert done.out.count("Nobody's") == 1, "nor what macOS makes"


@pytest.mark.parametrize(
    ("name", "content", "options", "said"),
    [
        ("mallory_41300_6_x.zip", None, [], "is named like what one student handed in"),
        ("class.zip", None, [], "class.zip is no archive that can be read"),
        ("class.zip", {"ada/01-one-hot.ipynb": "x"}, [], "is not like an archive of Canvas or"),
        ("class.zip", {}, [], "is not like an archive of Canvas or Moodle"),
        ("class.zip", {"ada_1_2_x.ipynb": "x"}, ["--zone", "UTC"], "Name the worksheet: --works"),
        ("class.zip", {"ada_1_2_x.ipynb": "x"}, ["--worksheet", "sheet.csv"], "is Canvas's, and"),
        ("class.zip", {"ada_1_2_x.ipynb": "x"}, ["--worksheet", "other.csv"], "none of the colum"),
        ("class.zip", {"ada_1_2_x.ipynb": "x"}, ["--worksheet", "no.csv"], "There is no file"),
        ("class.zip", {"ada_1_2_x.ipynb": "x"}, ["--worksheet", "list.csv"], "not its class list."),
        ("none.zip", None, [], "none.zip. Expected the archive that the platform gave you."),
    ],
)
def test_what_cannot_be_collected_from_is_said_and_nothing_is_changed(
    collect, archive, submitted, tmp_path, monkeypatch, name, content, options, said
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sheet.csv").write_text(WORKSHEET, encoding="utf-8")
    (tmp_path / "list.csv").write_text("First name,Email address\nAda,a@x\n", encoding="utf-8")
    (tmp_path / "other.csv").write_text("A,B\n1,2\n", encoding="utf-8")
    if content is not None:
        archive(content, name)
    elif name != "none.zip":
        (tmp_path / name).write_text("x")
    assert_sentence(collect(tmp_path / name, *options), said)
    assert submitted() == {}


def test_a_worksheet_in_another_encoding_or_with_long_texts(collect, archive, tmp_path, submitted):
    sheet = tmp_path / "worksheet.csv"
    header, *rows = WORKSHEET.splitlines()
    lines = [f"{header},Online text", *(f'{row},"{"x" * 200_000}"' for row in rows)]
    sheet.write_text("\n".join(lines), encoding="utf-8")
    source = archive({"Ada Lovelace_12345_assignsubmission_file/01-one-hot.ipynb": NOTEBOOK})
    assert collect(source, "--worksheet", sheet).code == 0
    assert submitted().keys() == {"ada"}
    sheet.write_bytes("Identifier,Übung\n1,2\n".encode("latin-1"))
    assert_sentence(collect(source, "--worksheet", sheet), "is not text in UTF-8")


def test_what_a_teacher_corrected_stays_or_moves_and_is_named(collect, archive, submitted, course):
    source = archive({f"{OF_ADA}01-one-hot.ipynb": "{", f"{OF_EMMY}01-one-hot.ipynb": NOTEBOOK})
    assert "ada (Ada Lovelace): The file is no Jupyter notebook" in collect(source).out
    corrected = course / "submitted" / "ada" / NAME / f"{NAME}.ipynb"
    corrected.write_text(NOTEBOOK)
    (corrected.parent / ".ipynb_checkpoints").mkdir()  # as JupyterLab makes it
    done = collect(source)
    assert done.code == 0, done.out
    assert "0 new, 0 newer, 2 as they were." in done.out
    assert f"You changed submitted/ada/{NAME} since it was collected. It stays as it is" in done.err
    assert submitted()["ada"] == {f"{NAME}.ipynb": NOTEBOOK}
    done = collect(archive({"lovelaceada_41234_98770_01-one-hot.ipynb": version(3)}, "later.zip"))
    assert submitted()["ada"] == {f"{NAME}.ipynb": version(3)}
    assert f"It is in collected/{NAME}/ada/mine-1 now" in done.err
    kept = course / "collected" / NAME / "ada"
    assert (kept / "mine-1" / f"{NAME}.ipynb").read_text() == NOTEBOOK
    assert (kept / "1" / f"{NAME}.ipynb").read_text() == "{"


def test_what_is_as_it_was_collected_gives_way_without_a_word(collect, archive, submitted, course):
    collect(archive({f"{OF_ADA}01-one-hot.ipynb": NOTEBOOK}))
    done = collect(archive({f"{OF_ADA}01-one-hot-1.ipynb": version(1)}, "later.zip"))
    assert "0 new, 1 newer, 0 as they were." in done.out
    assert done.err == ""
    assert submitted() == {"ada": {"01-one-hot-1.ipynb": version(1)}}


def test_what_was_put_there_before_anything_was_collected_is_kept(
    collect, archive, submitted, course
):
    for student in ("ada", "emmy"):
        folder = course / "submitted" / student / NAME
        folder.mkdir(parents=True)
        (folder / f"{NAME}.ipynb").write_text(NOTEBOOK)
    done = collect(
        archive(
            {
                f"{OF_ADA}01-one-hot.ipynb": version(1),
                "noetheremmy_LATE_41235_8_01-one-hot.ipynb": NOTEBOOK,
            }
        )
    )
    assert submitted()["ada"] == {f"{NAME}.ipynb": version(1)}
    assert submitted()["emmy"] == {f"{NAME}.ipynb": NOTEBOOK, "timestamp.txt": TIME_OF_LATE}
    assert f"collected/{NAME}/ada/mine-1 now" in done.err
    assert "emmy/mine" not in done.err, "the same files, now with their time"


def test_copies_that_were_taken_away_are_no_proof_that_nothing_was_changed(
    collect, archive, submitted, course
):
    source = archive({f"{OF_ADA}01-one-hot.ipynb": NOTEBOOK})
    collect(source)
    shutil.rmtree(course / "collected")
    (course / "submitted" / "ada" / NAME / f"{NAME}.ipynb").write_text(version(5))
    done = collect(source)
    assert submitted()["ada"] == {f"{NAME}.ipynb": NOTEBOOK}
    assert (course / "collected" / NAME / "ada" / "mine-1" / f"{NAME}.ipynb").exists()
    assert "mine-1" in done.err
