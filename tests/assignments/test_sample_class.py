"""The sample class of each assignment gets what was written down beside each submission."""

import nbformat
import pytest

from headway.chapters import CHAPTERS, released_notebook
from tests.assignments import sample_class

CHANGED_ON_PURPOSE = {("01-one-hot", "charles")}  # and the file of blaise ends in the middle


def locked(path) -> dict[str, str]:
    """The texts of the cells that a student may not change."""
    cells = nbformat.read(path, as_version=4).cells
    marked = {c.source: c.metadata.nbgrader for c in cells if "nbgrader" in c.metadata}
    return {mark.grade_id: text for text, mark in marked.items() if not mark.solution}


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_the_submissions_were_made_from_the_release_of_today(chapter):
    released = locked(released_notebook(chapter))
    for student, row in sample_class.expected(chapter.name).items():
        if row["status"] == "graded" and (chapter.name, student) not in CHANGED_ON_PURPOSE:
            folder = sample_class.HERE / chapter.name / "submitted" / student
            for name, text in locked(folder / chapter.notebook).items():
                assert text == released[name], (student, name)


@pytest.mark.jupyter
@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_every_submission_gets_what_was_written_down(chapter, tmp_path, capsys):
    assert len(sample_class.expected(chapter.name)) >= 6
    agree = sample_class.compare(chapter.name, tmp_path, feedback=False)
    assert agree, capsys.readouterr().out


def test_a_difference_is_found_and_said():
    task = {"status": "failed", "score": 0, "max": 2, "misconception": None, "reason": None}
    got = {"status": "graded", "score": 3, "tasks": {"a/b": task}}
    wanted = {"status": "graded", "score": 3, "tasks": {"a/b": {"score": 0, "misconception": None}}}
    assert sample_class.differences(wanted, got) == []
    wanted["score"] = 4
    wanted["tasks"]["a/b"]["misconception"] = "known"
    wanted["tasks"]["a/c"] = {"score": 1, "misconception": None}
    assert sample_class.differences(wanted, got) == [
        "score is 3, expected 4",
        "a/b: misconception is None, expected known",
        "a/c is not in the report",
    ]
