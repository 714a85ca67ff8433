"""The sample class of each assignment gets what was written down in its students' files."""

import pytest

from headway.chapters import CHAPTERS
from tests.assignments import sample_class

LEAST_STUDENTS = 6


@pytest.mark.jupyter
@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_every_submission_gets_what_was_written_down(chapter, tmp_path, capsys):
    students = len(sample_class.students_of(chapter.name))
    assert students >= LEAST_STUDENTS, (
        f"tests/assignments/{chapter.name} has {students} students; {LEAST_STUDENTS} at least."
    )
    agree = sample_class.compare(chapter.name, tmp_path, feedback=False)
    assert agree, capsys.readouterr().out


def test_a_difference_is_found_and_said():
    task = {"status": "failed", "score": 0, "max": 2, "misconception": None, "reason": None}
    got = {"status": "graded", "score": 3, "tasks": {"a/b": task}, "notes": []}
    tasks = {"a/b": {"score": 0, "misconception": None}}
    wanted = {"status": "graded", "score": 3, "tasks": tasks, "notes": {}}
    assert sample_class.differences(wanted, got) == []
    wanted["score"] = 4
    wanted["tasks"]["a/b"]["misconception"] = "known"
    wanted["tasks"]["a/c"] = {"score": 1, "misconception": None}
    assert sample_class.differences(wanted, got) == [
        "score is 3, expected 4",
        "a/b: misconception is None, expected known",
        "a/c is not in the report",
    ]


CHANGED = "Cells of the assignment were changed; those handed out are used: check-dot, setup."


def noted(wanted: dict[str, list[str]], *notes: str) -> list[str]:
    row = {"status": "graded", "score": 3, "tasks": {}}
    return sample_class.differences({**row, "notes": wanted}, {**row, "notes": list(notes)})


def test_a_cell_that_nobody_changed_on_purpose_is_a_difference():
    assert noted({}, CHANGED) == [f"a note was not expected: {CHANGED}"]
    assert noted(
        {"Cells of the assignment were changed": ["setup"]}, CHANGED, "Cells were moved."
    ) == ["a note was not expected: Cells were moved."]


def test_a_cell_that_was_changed_on_purpose_must_be_noted():
    opening = "Cells of the assignment were changed"
    assert noted({opening: ["check-dot", "setup"]}, CHANGED) == []
    assert noted({opening: ["check-dot"]}) == [f"no note says: {opening}: check-dot"]
    assert noted({opening: ["check-sum"]}, CHANGED) == [
        f"no note says: {opening}: check-sum",
        f"a note was not expected: {CHANGED}",
    ]
