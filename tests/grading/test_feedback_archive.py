"""Archives of feedback, read by the rules by which Canvas and Moodle take them apart."""

import json
import re
import zipfile
from pathlib import PurePosixPath

import nbformat
import pytest
from nbgrader.api import Student

from headway.errors import UserError
from headway.grading.copies import Collected, write_collected
from headway.grading.exports.places import places_in
from headway.grading.intake.repair import repair
from tests.grading.classroom import CHAPTER, gradebook_of, notebook_of, path_of

NAME = CHAPTER.name
# Canvas's number of each student, and those of the files handed in, with the names shown.
IN_CANVAS = {
    "41234": {"98765": "01-one-hot.ipynb", "98700": "scratch.ipynb"},
    "41235": {"98766": "01-one-hot-2.ipynb"},
}
DOWNLOADED = (
    "ann_LATE_41234_98765_01-one-hot.ipynb",
    "ann_LATE_41234_98700_scratch.ipynb",
    "bob_41235_98766_01-one-hot-2.ipynb",
)
WORKSHEET = (
    '\ufeffIdentifier,"Full name","Email address",Status,Grade\n'
    'Participant 12345,"Ann",Ann@x.example,"Submitted for grading",\n'
    'Participant 678,"Bob",bob@x.example,"Submitted for grading",\n'
    'Participant 9,"Eve",eve@x.example,"No submission",\n'
)


def canvas_reads(archive, submissions):
    """What Canvas makes of an archive: by student, the names shown and the files; and the rest.

    `AbstractAssignment#infer_comment_context_from_filename` of canvas-lms: what is not a file of
    the student's submission is ignored, and the comment's file is shown under that file's name.
    """
    taken, ignored = {}, []
    with zipfile.ZipFile(archive) as file:
        for path in file.namelist():
            name = PurePosixPath(path).name
            parts = [part for part in name.split("_") if part != "LATE"]
            numbers = [part for part in parts if re.fullmatch(r"\d+", part)][:2]
            user, attachment = numbers if len(numbers) == 2 else (None, None)
            if parts[-1].startswith("link") or name.startswith("._") or parts[0] == "anon":
                attachment = None
            if attachment in submissions.get(user, {}):
                shown = submissions[user][attachment]
                taken.setdefault(user, {})[shown] = file.read(path).decode()
            else:
                ignored.append(path)
    return taken, ignored


def moodle_reads(archive, participants):
    """What Moodle makes of an archive: by participant, the names and the files; and the rest.

    `assignfeedback_file_zip_importer::is_valid_filename_for_import` of Moodle.
    """
    taken, ignored = {}, []
    with zipfile.ZipFile(archive) as file:
        for path in file.namelist():
            parts = f"/import/{path}".split("/")
            while parts and not parts[-1].startswith((".", "~")):
                info = parts.pop(0).split("_", 4)
                if len(info) < 4 or not info[1].isdecimal() or int(info[1]) not in participants:
                    continue
                if (info[2], info[3]) not in (("assignsubmission", "file"),):
                    continue
                name = "/".join([*(info[4:] or [""]), *parts])
                taken.setdefault(int(info[1]), {})[name] = file.read(path).decode()
                break
            else:
                ignored.append(path)
    return taken, ignored


def archive_of(path, *names):
    with zipfile.ZipFile(path, "w") as file:
        for name in names:
            file.writestr(name, "{}")
    return path


@pytest.fixture(scope="module")
def course(graded):
    """A course of two graded students with the platforms' ids."""
    with gradebook_of(graded) as book:
        book.update_or_create_student("ann", lms_user_id="41234", email="ann@x.example")
        book.update_or_create_student("bob", lms_user_id="41235", email="bob@x.example")
    return graded


@pytest.mark.jupyter
def test_canvas_gives_each_student_a_notebook_that_can_be_handed_in_again(
    headway, course, tmp_path
):
    theirs = archive_of(tmp_path / "submissions.zip", *DOWNLOADED)
    to = tmp_path / "back.zip"
    done = headway("class", "feedback", "01", theirs, "--to", to, "--course", course)
    assert (done.code, done.err) == (0, "")
    assert "2 students" in done.out
    taken, ignored = canvas_reads(to, IN_CANVAS)
    assert (set(taken), ignored) == ({"41234", "41235"}, [])
    assert [[*files] for files in taken.values()] == [["01-one-hot.ipynb"], ["01-one-hot-2.ipynb"]]
    (text,) = taken["41234"].values()
    notebook = nbformat.reads(text, as_version=4)
    nbformat.validate(notebook)
    assert "**Score: 24 of 20**" in notebook.cells[0].source
    assert "bonus" in notebook.cells[0].source
    cards = [o.data for cell in notebook.cells for o in cell.get("outputs", []) if "data" in o]
    assert any("Passed: The product without the product" in d["text/plain"] for d in cards)
    assert "seed" not in text, "it would draw the hidden cases again"
    handed_in = json.loads(path_of(course, "ann").read_text())
    again = repair(text.encode(), notebook_of(CHAPTER, "release"))
    first = repair(json.dumps(handed_in).encode(), notebook_of(CHAPTER, "release"))
    answers = [cell.source for cell in again.notebook.cells if "nbgrader" in cell.metadata]
    assert answers == [cell.source for cell in first.notebook.cells if "nbgrader" in cell.metadata]


@pytest.mark.jupyter
def test_moodle_gives_each_student_the_page(headway, course, tmp_path):
    sheet = tmp_path / "worksheet.csv"
    sheet.write_text(WORKSHEET, encoding="utf-8")
    to = tmp_path / "back.zip"
    done = headway("class", "feedback", "01", sheet, "--to", to, "--course", course)
    assert (done.code, done.err) == (0, "")
    taken, ignored = moodle_reads(to, {12345, 678, 9})
    assert (set(taken), ignored) == ({12345, 678}, [])
    page = (course / "feedback" / "ann" / NAME / f"{NAME}.html").read_text()
    assert taken[12345] == {f"/{NAME}.html": page}


@pytest.fixture
def in_a_group(course):
    """Ann and bob handed in together, as `headway class collect` remembers."""
    state = course / ".headway" / NAME
    write_collected(state, Collected(groups={"ann": "Team 1", "bob": "Team 1"}))
    yield
    write_collected(state, Collected())


@pytest.mark.jupyter
def test_a_group_of_canvas_gets_one_file_where_the_archive_has_it(
    headway, course, in_a_group, tmp_path
):
    theirs = archive_of(tmp_path / "submissions.zip", *DOWNLOADED[:2])
    to = tmp_path / "back.zip"
    arguments = ("class", "feedback", "01", theirs, "--to", to, "--course", course)
    done = headway(*arguments)
    assert done.code == 0
    assert "1 student," in done.out
    said = " ".join(done.err.split())
    assert said.startswith("One file for the whole group, which Canvas shows to each of them")
    assert said.endswith(": bob with ann.")
    assert canvas_reads(to, IN_CANVAS)[0].keys() == {"41234"}
    done = headway(*arguments, "--student", "bob")
    assert done.code == 2
    assert "goes with that of ann, which isn't there: bob" in " ".join(done.err.split())


@pytest.mark.jupyter
def test_each_of_a_group_of_moodle_gets_a_page(headway, course, in_a_group, tmp_path):
    sheet = tmp_path / "worksheet.csv"
    sheet.write_text(
        'Identifier,"Full name","Email address",Status,Group,Grade\n'
        'Participant 12345,"Ann",ann@x.example,"Submitted for grading","Team 1",\n'
        'Participant 678,"Bob",bob@x.example,"Submitted for grading","Team 1",\n',
        encoding="utf-8",
    )
    to = tmp_path / "back.zip"
    done = headway("class", "feedback", "01", sheet, "--to", to, "--course", course)
    assert (done.code, done.err) == (0, "")
    taken, ignored = moodle_reads(to, {12345, 678})
    assert (set(taken), ignored) == ({12345, 678}, [])


@pytest.mark.jupyter
def test_who_cannot_be_told_is_named_and_left_out(headway, course, tmp_path):
    theirs = archive_of(tmp_path / "submissions.zip", *DOWNLOADED[:2], "bob_41235_9_x.pdf")
    to = tmp_path / "back.zip"
    done = headway("class", "feedback", "01", theirs, "--to", to, "--course", course)
    assert done.code == 1
    assert "under the name of what they handed in, 'x.pdf': bob" in done.err
    assert set(canvas_reads(to, IN_CANVAS)[0]) == {"41234"}
    report = course / "reports" / f"{NAME}.json"
    before = report.read_text()
    aside = json.loads(before)
    aside["students"]["ann"] |= {"status": "set-aside", "score": None}
    report.write_text(json.dumps(aside))
    to.unlink()
    done = headway("class", "feedback", "01", theirs, "--to", to, "--course", course)
    report.write_text(before)
    assert (done.code, to.exists()) == (2, False)
    assert "ann" not in done.err, "what was set aside has no feedback"


def test_no_name_of_a_student_or_a_file_leads_to_another(tmp_path):
    names = (
        "mallory_7_8_link.ipynb",  # Canvas leaves out names that end so
        "carl_9_10_41235_98766_01-one-hot.ipynb",
        "x_41235_1_2_01-one-hot.ipynb",
        "41234_11_12_01-one-hot.ipynb",
        "anon_41234_98765_01-one-hot.ipynb",
        "bob_41235_98766_01-one-hot.ipynb",
        "eve_13_14_a_41234_98765_.ipynb",
        "dora_15_16_01-one-hot.HTML",
        "fay_17_18_x_1_assignsubmission_file.ipynb",  # as Moodle writes
        "lovelaceada_19_20_01_hot.ipynb",  # clear, as the class list has the name
        "turingalan_LATE_22_23_2_final.ipynb",
    )
    numbers = ("41234", "41235", "7", "9", "11", "13", "15", "17", "22", "19")
    students = [Student(id=f"s{n}", lms_user_id=n) for n in numbers]
    students[-1].first_name, students[-1].last_name = "Ada", "Lovelace"
    students[-2].first_name, students[-2].last_name = "Alan", "Turing"
    places = places_in(archive_of(tmp_path / "theirs.zip", *names), NAME, students, {})
    assert set(places.names) == {"s41235", "s7", "s11", "s15", "s17", "s19", "s22"}
    assert {"s41234", "s9", "s13"} == set(places.wrong), "their names can be read in two ways"
    assert places.names["s15"].endswith(".html"), "it is shown under that name, so it is a page"
    back = archive_of(tmp_path / "back.zip", *places.names.values())
    handed_in = {"41234": {"98765": ""}, "41235": {"98766": ""}, "7": {"8": ""}, "11": {"12": ""}}
    handed_in |= {"9": {"10": ""}, "13": {"14": ""}, "15": {"16": ""}}
    handed_in |= {"17": {"18": ""}, "19": {"20": ""}, "22": {"23": ""}}
    taken, ignored = canvas_reads(back, handed_in)
    assert (set(taken), ignored) == ({"41235", "7", "11", "15", "17", "19", "22"}, [])

    sheet = tmp_path / "worksheet.csv"
    sheet.write_text('Identifier,"Email address"\nParticipant 1,x_678\nParticipant 678,é_9\n')
    students = [Student(id="x_678"), Student(id="é_9")]
    places = places_in(sheet, NAME, students, {})
    back = archive_of(tmp_path / "again.zip", *places.names.values())
    taken, ignored = moodle_reads(back, {1, 678})
    assert (set(taken), ignored) == ({1, 678}, [])
    assert [name.split("_")[1] for name in places.names.values()] == ["1", "678"]


def test_two_who_could_be_meant_are_left_out(tmp_path):
    theirs = archive_of(tmp_path / "theirs.zip", *DOWNLOADED)
    students = [Student(id="41234"), Student(id="twin", lms_user_id="41234")]
    with pytest.raises(UserError, match="names no student of the gradebook"):
        places_in(theirs, NAME, students, {})
    sheet = tmp_path / "worksheet.csv"
    sheet.write_text('Identifier,"Email address"\nParticipant 1,ann\nParticipant 2,ann\n')
    places = places_in(sheet, NAME, [Student(id="ann")], {})
    assert (places.names, [*places.wrong]) == ({}, ["ann"])


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("anon.zip", "anon_x1_98765_01-one-hot.ipynb", "While students are anonymous"),
        ("moodle.zip", "Ann_1_assignsubmission_file/01-one-hot.ipynb", "grading worksheet instead"),
        ("blind.csv", "Identifier,Status\nParticipant 1,Submitted\n", "it names nobody"),
        ("grades.csv", "Student,ID\nann,3\n", "has none of the columns Username"),
        ("gone.csv", None, "There is no file"),
    ],
)
def test_a_file_that_tells_nobody_is_refused_with_what_is_needed(tmp_path, name, content, said):
    path = tmp_path / name
    if name.endswith(".zip"):
        archive_of(path, content)
    elif content:
        path.write_text(content)
    with pytest.raises(UserError, match=said):
        places_in(path, NAME, [Student(id="ann")], {})


@pytest.mark.jupyter
def test_the_platform_s_own_file_is_not_overwritten(headway, course, tmp_path):
    theirs = archive_of(tmp_path / "submissions.zip", *DOWNLOADED)
    before = theirs.read_bytes()
    done = headway("class", "feedback", "01", theirs, "--to", theirs, "--course", course)
    assert (done.code, theirs.read_bytes()) == (2, before)
