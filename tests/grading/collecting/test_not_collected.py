"""What was handed in and could not be collected makes nobody missing, here or on a platform."""

import csv
import json

import pytest

from headway.grading.desk.overview import read_overview
from tests.grading.classroom import gradebook_of, statuses_and_scores
from tests.grading.collecting.conftest import NAME, NOTEBOOK, OF_EMMY, version

pytestmark = pytest.mark.jupyter
CLEVER = "lovelace_41234_7_8_01-one-hot.ipynb"


def reasons(course):
    report = json.loads((course / "reports" / f"{NAME}.json").read_text(encoding="utf-8"))
    return {name: (row["status"], row["reason"]) for name, row in report["students"].items()}


def test_whose_file_is_not_clear_or_cannot_be_read_is_set_aside_and_not_missing(
    collect, archive, course, pool, headway
):
    with gradebook_of(course) as book:
        book.add_student("zoe")
    collect(archive({f"{OF_EMMY}01-one-hot.html": "", CLEVER: NOTEBOOK}))
    done = headway("grade", "01", "--course", course)
    assert done.code == 1
    assert "0 graded, 2 set aside, 1 missing." in done.out
    told = reasons(course)
    assert told["ada"][0] == "set-aside"
    assert told["ada"][1].startswith(f"{CLEVER} was handed in, and it is not certain by whom")
    assert told["ada"][1].endswith(f"Put it into submitted/STUDENT/{NAME}/.")
    assert "Handed in 01-one-hot.html: a web page, not a notebook." in told["emmy"][1]
    assert told["zoe"] == ("missing", "Nothing was handed in.")
    assert statuses_and_scores(course)["ada"] == ("set-aside", None)
    work = read_overview(course).work
    assert [work[name, NAME].status for name in ("ada", "emmy", "zoe")] == [
        *("set-aside", "set-aside", "overdue")
    ]
    to = course / "moodle.csv"
    headway("class", "export", "moodle", "--course", course, "--to", to)
    with to.open(encoding="utf-8") as file:
        said = {row["Username"]: row[f"{NAME} (feedback)"] for row in csv.DictReader(file)}
    assert said["ada"] == (
        "Not graded yet: it is not certain who handed in a file that may be yours."
    )
    assert said["emmy"] == "Not graded yet: a web page was handed in, 01-one-hot.html."
    assert said["zoe"] == "Not graded: Nothing was handed in."


def test_once_the_file_is_where_it_belongs_nothing_is_unclear_any_more(
    collect, archive, course, pool, headway
):
    collect(archive({CLEVER: NOTEBOOK}))
    folder = course / "submitted" / "ada" / NAME
    folder.mkdir(parents=True)
    (folder / f"{NAME}.ipynb").write_text(NOTEBOOK, encoding="utf-8")
    assert headway("grade", "01", "--course", course).code == 0
    assert reasons(course)["ada"] == ("graded", None)


def test_another_archive_does_not_make_it_forgotten(collect, archive, course, pool, headway):
    collect(archive({CLEVER: NOTEBOOK}))
    collect(archive({f"{OF_EMMY}01-one-hot.ipynb": version(1)}, "other.zip"))
    assert headway("grade", "01", "--course", course).code == 1
    assert reasons(course)["ada"][0] == "set-aside"
