"""What a row of the report remarks on a score."""

from headway.grading.nbgrader.recorded import RecordedSubmission
from headway.grading.notebooks.task_result import TaskResult
from headway.grading.reporting import _remarks

LOOPED = "The cell was stopped: it computed or slept for more than 120 seconds."


def test_answers_that_were_stopped_are_named():
    tasks = {
        "01-one-hot/dot": TaskResult("passed", 1.0, 1.0),
        "01-one-hot/vocabulary": TaskResult("failed", 0.0, 3.0, None, LOOPED),
    }
    assert _remarks(RecordedSubmission(1.0, 20.0), tasks) == "stopped: vocabulary"
    tasks.pop("01-one-hot/vocabulary")
    assert _remarks(RecordedSubmission(1.0, 20.0), tasks) == ""
