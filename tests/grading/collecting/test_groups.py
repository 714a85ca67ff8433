"""One submission of several students: graded once, and each gets score, feedback and grade."""

import csv

import nbformat
import pytest

from headway.chapters import CHAPTERS
from headway.grading.copies import read_collected
from tests.commands.sentences import assert_sentence
from tests.grading.classroom import gradebook_of, hand_in, notebook_of, statuses_and_scores
from tests.grading.collecting.conftest import NAME, NOTEBOOK, OF_ADA, OF_EMMY, version

pytestmark = pytest.mark.jupyter
WORKSHEET = (
    'Identifier,"Full name","Email address",Status,Group,"Last modified (submission)"\n'
    'Participant 77,"Ada Lovelace",ada@x.example,"Submitted","Team_1: A & B",-\n'
    'Participant 2,"Emmy Noether",emmy@x.example,"Submitted","Team_1: A & B",-\n'
    'Participant 3,"Zoe",zoe@x.example,"Submitted","Default group",-\n'
    'Participant 4,"Kim",kim@x.example,"Submitted","A B",-\n'
    'Participant 5,"Kit",kit@x.example,"Submitted","A-B",-\n'
)


@pytest.fixture
def sheet(tmp_path):
    path = tmp_path / "worksheet.csv"
    path.write_text(WORKSHEET, encoding="utf-8")
    return path


@pytest.fixture
def groups(tmp_path):
    path = tmp_path / "groups.csv"
    path.write_text("group,student\nteam 1,ada\nteam 1,emmy\n", encoding="utf-8")
    return path


def test_a_group_of_moodle_is_known_by_its_name_and_never_by_a_participant_s_number(
    collect, archive, submitted, sheet, course
):
    files = {
        # As Moodle writes the name, and with a group's number that is a participant's as well.
        "Team 1 A  B_77_assignsubmission_file/01-one-hot.ipynb": NOTEBOOK,
        "Default group_assignsubmission_file/01-one-hot.ipynb": version(1),
        "A B_5_assignsubmission_file/01-one-hot.ipynb": "of one of two groups",
    }
    done = collect(archive(files), "--worksheet", sheet)
    ours = {f"{NAME}.ipynb": NOTEBOOK}
    assert submitted() == {
        "ada": ours,
        "emmy": ours,
        "zoe@x.example": {f"{NAME}.ipynb": version(1)},
    }
    assert done.code == 1
    assert "does not say for certain who group 'A B' is." in done.out
    together = read_collected(course / ".headway" / NAME).groups
    assert together == dict.fromkeys(("ada", "emmy"), "Team_1: A & B")


def test_a_group_of_canvas_is_one_student_s_and_the_table_says_whose_else(
    collect, archive, submitted, groups
):
    source = archive({f"{OF_ADA}01-one-hot.ipynb": NOTEBOOK})
    collect(source)
    assert submitted().keys() == {"ada"}
    done = collect(source, "--groups", groups)
    assert done.code == 0, done.out
    assert "1 new, 0 newer, 1 as they were." in done.out
    assert submitted()["ada"] == submitted()["emmy"] == {f"{NAME}.ipynb": NOTEBOOK}
    # Where each of them has a copy of the platform's, the newest is everybody's.
    files = {f"{OF_EMMY}01-one-hot.ipynb": version(2), f"{OF_ADA}01-one-hot.ipynb": version(1)}
    collect(archive(files, "both.zip"))  # the table is known by now
    assert submitted()["ada"] == submitted()["emmy"] == {f"{NAME}.ipynb": version(2)}
    groups.write_text("group,student\nteam 1,emmy\n", encoding="utf-8")
    collect(archive({f"{OF_ADA}01-one-hot.ipynb": version(3)}, "own.zip"), "--groups", groups)
    assert submitted()["ada"] == {f"{NAME}.ipynb": version(3)}
    assert submitted()["emmy"] == {f"{NAME}.ipynb": version(2)}, "who is alone from now on"


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("group,student\nteam,ada\nteam,adda\n", "names 'adda', who is not in the class list"),
        ("group,student\na,ada\nb,ada\n", "has 'ada' in the groups 'a' and 'b'"),
        ("team,student\na,ada\n", "has no column 'group'"),
    ],
)
def test_a_table_of_groups_that_is_wrong_is_refused(
    collect, archive, submitted, groups, table, said
):
    groups.write_text(table, encoding="utf-8")
    source = archive({f"{OF_ADA}01-one-hot.ipynb": NOTEBOOK})
    assert_sentence(collect(source, "--groups", groups), said)
    assert submitted() == {}


def test_a_group_is_graded_once_and_everybody_gets_the_result(
    collect, archive, groups, course, pool, headway
):
    solved = nbformat.writes(notebook_of(CHAPTERS[0], "solution"))
    collect(archive({f"{OF_ADA}01-one-hot.ipynb": solved}), "--groups", groups)
    done = headway("grade", "01", "--course", course)
    assert done.code == 0, done.out
    assert pool.students() == ["ada"]
    assert statuses_and_scores(course) == dict.fromkeys(("ada", "emmy"), ("graded", 24))
    for student in ("ada", "emmy"):
        assert (course / "feedback" / student / NAME / f"{NAME}.html").exists()
    to = course / "moodle.csv"
    headway("class", "export", "moodle", "--course", course, "--to", to)
    with to.open(encoding="utf-8") as file:
        assert {row["Username"]: row[NAME] for row in csv.DictReader(file)} == {
            "ada": "24",
            "emmy": "24",
        }
    assert "1 students, 0 pairs" in headway("class", "similar", "01", "--course", course).out
    # One of them gets points by hand, an extension, or another copy: that is hers alone.
    with gradebook_of(course) as book:
        book.find_grade("check-dot", NAME, NAME, "emmy").extra_credit = 1
    headway("grade", "01", "--course", course)
    assert pool.students() == []
    assert statuses_and_scores(course) == {"ada": ("graded", 24), "emmy": ("graded", 25)}
    hand_in(course, "emmy", "release")
    headway("grade", "01", "--course", course)
    assert pool.students() == ["emmy"]
    assert statuses_and_scores(course) == {"ada": ("graded", 24), "emmy": ("graded", 1)}
    for student in ("ada", "emmy"):
        hand_in(course, student, "solution")
    hand_in(course, "bob", "solution")  # who is of no group
    headway("grade", "01", "--course", course, "--force")
    assert pool.students() == ["ada", "bob"]
