"""The twenty worst of the hostile class beside twenty who are honest, graded three times.

Limits are those of the hostile class, a thirtieth of the usual ones for a cell: what never ends is
stopped by the same wall. The memory is that of the worker, who judges, makes the page and has the
sandbox below it.
"""

import json

import pytest

from headway.commands.grade import grade
from tests.hostile.programs import PeakMemory, alive_below, orphans_kept
from tests.hostile.submissions import CLASS, HUNGRY
from tests.hostile.submissions.course import course_folder
from tests.hostile.submissions.honest import honest

pytestmark = [pytest.mark.full, pytest.mark.jupyter]

MEMORY_MB, WORKER_MB = 512, 400  # what a submission may use here, and what stands around it
ALSO = ("attack-dense-markup", "attack-kills", "attack-large-arrays", "attack-names")
WORST = [*HUNGRY, *(CLASS[name] for name in (*ALSO, "attack-neighbors"))]
BESIDE = [one for number in range(4) for one in honest(f"-{number}")]
RUNS = {"two workers": 2, "one worker": 1, "two workers again": 2}


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """The report of each run, the most memory that one worker held, and what was alive after it."""
    found = {}
    for name, workers in RUNS.items():
        course = course_folder(tmp_path_factory.mktemp("twenty"), [*WORST, *BESIDE])
        before = alive_below()
        with orphans_kept(), PeakMemory() as peak, pytest.MonkeyPatch.context() as patch:
            # Which of the hidden cases fails first is said, and its sizes.
            patch.setattr("headway.grading.journal.secrets.randbits", lambda bits: 13)
            assert grade("01", course, workers=workers) == 0
            left = alive_below() - before
        rows = json.loads((course / "report.json").read_text(encoding="utf-8"))["students"]
        found[name] = rows, peak.bytes, left
        slowest = max(rows, key=lambda student: rows[student]["seconds"])
        print(f"{name}: {slowest} {rows[slowest]['seconds']} s, {peak.bytes / 1e6:,.0f} MB")
    return found


def test_everyone_gets_what_was_written_down_in_each_run(runs):
    wanted = {one.student: one.score for one in (*WORST, *BESIDE)}
    for rows, _, _ in runs.values():
        assert {student: row["score"] for student, row in rows.items()} == wanted


def test_scores_and_reasons_are_the_same_in_each_run(runs):
    first, *others = (
        {student: {**row, "seconds": 0} for student, row in rows.items()}
        for rows, _, _ in runs.values()
    )
    for other in others:
        assert other == first


def test_the_worst_of_them_stays_within_its_memory(runs):
    for _, most, _ in runs.values():
        assert MEMORY_MB / 2 < most / (1 << 20) < MEMORY_MB + WORKER_MB


def test_nothing_of_them_is_alive_after_a_run(runs):
    assert not set().union(*(left for _, _, left in runs.values()))
