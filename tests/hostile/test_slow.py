"""A notebook that takes longer than a whole notebook may: what was earned before stays."""

import json

import pytest

from headway.commands import grade
from tests.hostile.submissions import SLOW
from tests.hostile.submissions.course import course_folder
from tests.hostile.submissions.submission import POINTS

pytestmark = pytest.mark.jupyter


def test_what_was_earned_before_the_time_was_up_stays(tmp_path):
    course = course_folder(tmp_path, [SLOW], seconds=10)
    assert grade.run("01", course) == 0
    report = json.loads((course / "report.json").read_text(encoding="utf-8"))
    row = report["students"][SLOW.student]
    got = {key.partition("/")[2]: task["score"] for key, task in row["tasks"].items()}
    assert (row["status"], row["score"], got) == ("graded", SLOW.score, POINTS | SLOW.tasks)
    said = " ".join(task["reason"] or "" for task in row["tasks"].values())
    assert all(word in said for word in SLOW.words)
