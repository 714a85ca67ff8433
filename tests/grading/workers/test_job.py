"""One submission, graded: whatever it does to the worker is its own affair."""

import nbformat
import pytest

from headway.chapters import ASSIGNMENTS, course_root, hidden_modules
from headway.grading.allowance import Allowance
from headway.grading.workers import job as module
from headway.grading.workers.job import SandboxCache, grade_submission
from headway.imports import imported_names, own_imports
from tests.full import full_but
from tests.hostile.conftest import run_cell


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


@pytest.mark.parametrize(
    "name",
    full_but(lambda name: name[:2] in ("01", "13"), [one.name for one in ASSIGNMENTS]),
)
def test_what_a_notebook_imports_is_there_before_it_runs_but_for_what_is_hidden(name):
    path = course_root() / "exercises" / name / f"{name}.ipynb"
    cells = nbformat.read(path, as_version=4).cells
    sources = [cell.source for cell in cells if cell.cell_type == "code"]
    hidden = hidden_modules().get(name, ())
    sandboxes = SandboxCache()
    try:
        sessions = sandboxes.sessions(sources, list(hidden), Allowance())
        with sessions.session() as session:
            loaded = run_cell(session, "import sys; print(*sys.modules)").split()
    finally:
        sandboxes.close()
    imported = {name for source in sources for name in imported_names(source)}
    own = imported & own_imports().modules
    assert "headway.tasks.check" in own
    assert own <= set(loaded)
    assert not (set(hidden) - imported) & set(loaded)
    assert sessions.note == ""  # so they were forked, which many threads would have prevented
