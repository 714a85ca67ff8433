"""Honest notebooks get from the sandbox what nbgrader alone would give them, to the point."""

import json
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde, GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from headway.chapters import course_root
from headway.commands.grade import grade
from headway.grading.files import copy_atomically
from headway.grading.nbgrader.convert import convert
from headway.tasks.engine.find import find_task
from tests.assignments import sample_class
from tests.each import each_assignment

# Those that nbgrader alone does not grade rightly: a broken file, checks that were replaced, and
# a cell that writes to standard error.
APART = {"01-one-hot": {"blaise", "charles", "radia"}, "14-decoding": {"mallory"}}


def by_stock(chapter, folder: Path) -> dict[str, float]:
    """The scores that nbgrader gives with its own preprocessors."""
    source = course_root() / "solutions" / chapter.notebook
    copy_atomically(source.parent, folder / "source" / chapter.name)
    directory = CourseDirectory(root=str(folder), assignment_id=chapter.name)
    config = Config()
    config.Execute.timeout = 120
    convert(GenerateAssignment, directory, config)
    convert(Autograde, directory, config)
    with Gradebook(directory.db_url) as gradebook:
        submissions = gradebook.assignment_submissions(chapter.name)
        return {submission.student.id: submission.score for submission in submissions}


def by_us(chapter, folder: Path) -> dict[str, float]:
    """Ours without the bonus, which nbgrader alone does not see."""
    assert grade(chapter.name, folder, no_feedback=True) == 0
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    return {
        student: sum(
            task["score"] for name, task in row["tasks"].items() if not find_task(name).bonus
        )
        for student, row in report["students"].items()
    }


@pytest.mark.full(chapter=False)
@pytest.mark.jupyter
@each_assignment
def test_the_sample_class_gets_the_scores_of_stock_nbgrader(chapter, tmp_path):
    students = sample_class.students_of(chapter.name)
    names = set(students) - APART.get(chapter.name, set())
    for folder in ("ours", "stock"):
        for name in names:
            students[name].hand_in(tmp_path / folder)
    ours = by_us(chapter, tmp_path / "ours")
    assert set(ours) == names
    assert ours == by_stock(chapter, tmp_path / "stock")
