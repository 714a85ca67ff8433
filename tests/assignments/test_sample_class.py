"""The sample class of each assignment gets what was written down in its students' files."""

import pytest

from headway.chapters import CHAPTERS
from headway.tasks.engine.find import tasks_of
from tests.assignments import sample_class
from tests.full import FULL

each_chapter = pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)

LEAST_STUDENTS, LEAST_MISTAKES, LEAST_OWN = 6, 3, 5


@pytest.mark.jupyter
@each_chapter
def test_a_submission_gets_what_was_written_down(chapter, tmp_path, capsys):
    students = sample_class.students_of(chapter.name)
    chosen = students if FULL else sample_class.two_of(students)
    agree = sample_class.compare(chapter.name, tmp_path, chosen, feedback=False)
    assert agree, capsys.readouterr().out


@each_chapter
def test_a_class_has_six_students_and_two_of_them_show_what_matters(chapter):
    students = sample_class.students_of(chapter.name)
    where = f"tests/assignments/{chapter.name}"
    assert len(students) >= LEAST_STUDENTS, (
        f"{where} has {len(students)} students; a class has {LEAST_STUDENTS} at least."
    )
    two = list(sample_class.two_of(students).values())
    assert len(two) == 2, (
        f"{where} has nobody with answers of their own, right ones and wrong ones."
    )
    mistaken, right = two
    rows = mistaken.expected()["tasks"]
    points = {task.id: task.points for task in tasks_of(chapter.name)}
    named = {row["misconception"] for row in rows.values() if row["misconception"]}
    in_part = [name for name, row in rows.items() if 0 < row["score"] < points[name]]
    assert in_part and len(named) >= LEAST_MISTAKES, (  # noqa: PT018 - one sentence for both
        f"{where}/{mistaken.name}.toml has {len(named)} known mistakes, and {len(in_part)} answers "
        f"worth part of their points; one student has {LEAST_MISTAKES} and 1 at least."
    )
    own = [name for name, answer in right.answers.items() if answer.text is not None]
    assert len(own) >= LEAST_OWN, (
        f"{where}/{right.name}.toml has {len(own)} right answers of their own; one student has "
        f"{LEAST_OWN} at least."
    )
    for name in own:
        task_id = f"{chapter.name}/{name}"
        assert right.expected()["tasks"][task_id]["score"] == points[task_id]


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
