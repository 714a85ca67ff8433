"""Notebooks that take too long: what was earned before stays, and the report says what happened."""

import json

import pytest

from headway.commands import grade
from tests.hostile.submissions import CLASS, SLOW
from tests.hostile.submissions.course import course_folder
from tests.hostile.submissions.submission import POINTS

pytestmark = [pytest.mark.full, pytest.mark.jupyter]

STUBBORN = CLASS["hungry-stubborn"]


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    course = course_folder(tmp_path_factory.mktemp("slow"), [SLOW, STUBBORN], seconds=16)
    assert grade.run("01", course) == 0
    return json.loads((course / "report.json").read_text(encoding="utf-8"))["students"]


@pytest.mark.parametrize("one", [SLOW, STUBBORN], ids=lambda one: one.student)
def test_what_was_earned_beside_it_stays(rows, one):
    row = rows[one.student]
    got = {key.partition("/")[2]: task["score"] for key, task in row["tasks"].items()}
    assert (row["status"], row["score"], got) == ("graded", one.score, POINTS | one.tasks)


def test_the_limit_that_was_reached_is_named(rows):
    reasons = [task["reason"] or "" for task in rows[SLOW.student]["tasks"].values()]
    assert sum("16 seconds for the whole notebook" in reason for reason in reasons) == len(
        SLOW.tasks
    )


def test_a_check_names_the_stopped_cell_before_what_followed_from_it(rows):
    reason = rows[STUBBORN.student]["tasks"]["01-one-hot/dot"]["reason"]
    assert reason.startswith("The cell was stopped: it didn't stop when told to. NameError")
