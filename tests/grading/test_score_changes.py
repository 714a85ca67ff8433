"""What students read about changes of their scores."""

import pytest

from headway.grading.journal import CurrentScore, EarlierScore, Entry, Journal
from headway.grading.score_changes import CAUSES, OTHERWISE, changes_of


def told(tmp_path, *steps: tuple[float, float, str]) -> tuple[str, ...]:
    """The sentences on scores after (score, penalty, cause of the next one)."""
    *earlier, last = (
        EarlierScore(f"2026-03-0{day} 12:00+01:00", score, why, off)
        for day, (score, off, why) in enumerate(steps, 1)
    )
    current = CurrentScore(last.score, last.penalty, {}, last.when)
    journal = Journal(tmp_path)
    journal.write("ann", Entry("graded", earlier=tuple(earlier), current=current))
    return changes_of(journal, ["ann"])["ann"]


@pytest.mark.parametrize(
    ("causes", "said"),
    [
        (["submission"], "another version of your file was graded"),
        (["due", "penalty"], "the due date changed"),
        (["penalty", "hand"], "points were given by hand"),
        (["extension"], "your due date changed"),
        (["penalty"], "the rule for late work changed"),
        (["tasks", "package"], "it was graded again"),
    ],
)
def test_a_student_reads_one_reason_in_plain_words(tmp_path, causes, said):
    why = " and ".join(CAUSES[name] for name in causes)
    (sentence,) = told(tmp_path, (22, 0, why), (24, 0, ""))
    assert sentence == f"2026-03-02: 22 → 24 points, because {said}."


def test_a_student_reads_of_the_last_change_alone(tmp_path):
    steps = (22, 0, CAUSES["submission"]), (24, 0, CAUSES["hand"]), (25, 0, "")
    (sentence,) = told(tmp_path, *steps)
    assert sentence == "2026-03-03: 24 → 25 points, because points were given by hand."


def test_a_student_reads_nothing_of_what_left_the_score_as_it_was(tmp_path):
    steps = (22, 0, CAUSES["penalty"]), (22, 2, OTHERWISE), (20, 0, "")
    (sentence,) = told(tmp_path, *steps)
    assert sentence == "2026-03-03: 22 → 20 points, because it was graded again."
