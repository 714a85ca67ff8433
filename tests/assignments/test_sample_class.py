"""The sample class of each assignment gets what was written down beside each submission."""

import pytest

from headway.chapters import CHAPTERS
from tests.assignments import sample_class


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
