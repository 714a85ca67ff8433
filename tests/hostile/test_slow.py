"""Notebooks that take too long: a loop takes nothing from other tasks, nor from the score."""

import json

import pytest

from headway.commands.grade import grade
from headway.errors import NOT_PASSED
from tests.hostile.submissions import CLASS, SLOW
from tests.hostile.submissions.course import course_folder
from tests.hostile.submissions.submission import POINTS

pytestmark = [pytest.mark.full, pytest.mark.jupyter]

STUBBORN = CLASS["hungry-stubborn"]


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    course = course_folder(tmp_path_factory.mktemp("slow"), [SLOW, STUBBORN], seconds=16)
    assert grade("01", course) == NOT_PASSED
    return json.loads((course / "report.json").read_text(encoding="utf-8"))["students"]


def test_what_was_earned_beside_a_loop_stays(rows):
    row = rows[STUBBORN.student]
    got = {key.partition("/")[2]: task["score"] for key, task in row["tasks"].items()}
    assert (row["status"], row["score"]) == ("graded", STUBBORN.score)
    assert got == POINTS | STUBBORN.tasks


def test_who_takes_too_long_is_set_aside_and_has_no_score(rows):
    row = rows[SLOW.student]
    assert (row["status"], row["score"], row["tasks"]) == ("set-aside", None, {})
    assert SLOW.words[0] in row["reason"]


def test_a_check_names_the_stopped_cell_before_what_followed_from_it(rows):
    reason = rows[STUBBORN.student]["tasks"]["01-one-hot/dot"]["reason"]
    assert reason.startswith(
        "The cell was stopped: it computed or slept for more than 4 seconds. NameError"
    )
