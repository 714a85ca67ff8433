"""One submission, graded: whatever it does to the worker is its own affair."""

import pytest

from headway.grading.workers import job as module
from headway.grading.workers.job import SandboxCache, grade_submission


@pytest.mark.parametrize(
    ("error", "status"), [(MemoryError(), "set-aside"), (OSError("no room"), "fault")]
)
def test_memory_that_a_submission_eats_is_no_fault_of_the_machine(monkeypatch, error, status):
    def fail(*arguments):
        raise error

    monkeypatch.setattr(module, "choose_release", fail)
    result = grade_submission({"releases": [], "notebook": b"{}"}, SandboxCache())
    assert result["status"] == status
    assert ("takes more memory" in result["reason"]) == (status == "set-aside")
