"""The sample class of each assignment gets what was written down in its students' files."""

import pytest

from headway.chapters import ASSIGNMENTS
from tests.assignments import sample_class
from tests.assignments.student import Student
from tests.each import each_chapter
from tests.full import FULL, full_but

LEAST_STUDENTS = 2


def enough_students(chapter) -> dict[str, Student]:
    students = sample_class.students_of(chapter.name)
    where = f"tests/assignments/{chapter.name}"
    assert len(students) >= LEAST_STUDENTS, (
        f"{where} has {len(students)} students; a class has {LEAST_STUDENTS} at least."
    )
    return students


@pytest.mark.jupyter
@pytest.mark.parametrize(
    "chapter",
    full_but(lambda chapter: chapter.name == "08-attention", ASSIGNMENTS),
    ids=lambda chapter: chapter.name,
)
def test_a_submission_gets_what_was_written_down(chapter, tmp_path, capsys):
    students = enough_students(chapter)
    mistaken, _ = sample_class.two_of(students)
    chosen = students if FULL else {mistaken: students[mistaken]}
    # One worker: the other core has tests of its own.
    agree = sample_class.compare(chapter.name, tmp_path, chosen, feedback=False, workers=1)
    assert agree, capsys.readouterr().out


@each_chapter
def test_two_students_show_known_mistakes_for_a_part_of_the_points_and_another_right_style(chapter):
    two = [*sample_class.two_of(enough_students(chapter)).values()]
    assert len(two) == 2, (
        f"tests/assignments/{chapter.name} needs a student with known mistakes, and another one "
        "with right answers of their own."
    )
    mistaken, right = two
    answers = mistaken.answers.values()
    assert any(one.score for one in answers), "no student has a part of a task's points"
    names = {one.misconception for one in answers if one.misconception}
    assert len(names) >= 3, f"{mistaken.name} has {len(names)} known mistakes; three at least"
    own = [one for one in right.answers.values() if one.text is not None]
    assert len(own) >= 5, f"{right.name} has {len(own)} right answers of their own; five at least"
    assert not [one for one in own if one.score is not None or one.misconception]


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
