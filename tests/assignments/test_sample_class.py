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
    agree = sample_class.compare(chapter.name, tmp_path, chosen, no_feedback=True, workers=1)
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


def test_what_is_not_as_written_down_is_found_and_said():
    task = {"score": 0, "misconception": None}
    noted = "Cells of the assignment were changed"
    told = f"{noted}; those handed out are used: check-dot, setup."
    got = {"status": "graded", "score": 3, "tasks": {"a/b": task}, "notes": [told]}
    wanted = {**got, "notes": {noted: ["check-dot", "setup"]}}
    assert sample_class.differences(wanted, got) == []
    tasks = {"a/b": {**task, "misconception": "known"}, "a/c": {**task, "score": 1}}
    wanted = {"status": "graded", "score": 4, "tasks": tasks, "notes": {noted: ["check-sum"]}}
    assert sample_class.differences(wanted, got) == [
        "score is 3, expected 4",
        "a/b: misconception is None, expected known",
        "a/c is not in the report",
        f"no note says: {noted}: check-sum",
        f"a note was not expected: {told}",
    ]
