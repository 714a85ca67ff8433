"""The leaderboard in a browser: accessible, quiet, and as wide as the window."""

import pytest

from headway.chapters import CAPSTONE
from headway.grading.notebooks.task_result import TaskResult
from headway.grading.results.leaderboard import LONGEST, leaderboard_page, leaderboard_task
from headway.grading.results.report import Report, Row
from tests.browser.alone import assert_it_reads_well

pytestmark = pytest.mark.browser

TASK = leaderboard_task(CAPSTONE.name)


def class_of(**names: str) -> Report:
    """A class in which each is listed by a name, one less well than the other."""
    rows = {}
    for place, (student, name) in enumerate(names.items()):
        measured = dict.fromkeys(TASK.leaderboard.names, 1.2)
        measured |= {"parameters": 77_240, "the truth": 0.6, "bits per byte": 0.7 + place / 10}
        result = TaskResult("passed", 10.0, 10.0, None, None, measured, name)
        rows[student] = Row("graded", 10.0, 0.0, tasks={TASK.id: result})
    return Report(CAPSTONE.name, rows)


@pytest.mark.parametrize(("mode", "width"), [("light", 390), ("dark", 1400)])
def test_the_leaderboard_is_accessible_quiet_and_fits(alone, mode, width):
    names = class_of(a="Ada", b="<script>alert(1)</script>", c="W" * LONGEST, d="Ada")
    page = alone(leaderboard_page(names), mode, width)
    assert_it_reads_well(page)
    assert page.get_by_role("row", name="4 Ada (2) 1.00 0.40 77,240").is_visible()
