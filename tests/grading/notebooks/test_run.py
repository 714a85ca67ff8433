"""Running a notebook: nothing that a cell does stops the run of the others."""

import pytest
from nbconvert.preprocessors import ExecutePreprocessor
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from traitlets.config import Config

from headway.errors import UserError
from headway.grading.notebooks.run import CELL_SECONDS, run_notebook, seconds_of
from headway.grading.settings import configure

pytestmark = pytest.mark.jupyter


def text_of(cell) -> str:
    return "".join(output.get("text", "") + output.get("evalue", "") for output in cell.outputs)


def test_a_cell_that_raises_or_hangs_does_not_stop_the_rest(tmp_path, monkeypatch):
    monkeypatch.setattr(
        "headway.grading.notebooks.run.seconds_of",
        lambda cell: 2 if cell.source.startswith("while") else CELL_SECONDS,
    )
    sources = ["import os\nprint(os.getcwd())", "1 / 0", "while True: pass", "print('still here')"]
    notebook = new_notebook(cells=[new_markdown_cell("# A"), *map(new_code_cell, sources)])
    steps = []
    assert run_notebook(notebook, tmp_path, lambda: steps.append(1))
    assert len(steps) == 5
    _, folder, raised, hung, last = notebook.cells
    assert text_of(folder).strip() == str(tmp_path)
    assert text_of(raised) == "division by zero"
    assert hung.outputs[-1].ename in ("KeyboardInterrupt", "CellTimeoutError")
    assert text_of(last).strip() == "still here"


def test_a_dead_kernel_is_told_and_old_outputs_are_gone(tmp_path):
    old = new_code_cell(
        "print('never')", outputs=[{"output_type": "stream", "name": "stdout", "text": "old"}]
    )
    notebook = new_notebook(cells=[new_code_cell("import os; os._exit(1)"), old])
    assert not run_notebook(notebook, tmp_path, seconds=20)
    assert notebook.cells[1].outputs == []


def test_why_a_kernel_does_not_start_is_told(tmp_path, monkeypatch):
    (tmp_path / "zmq.py").write_text("raise SystemExit('no messages \x1b[2J here')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(UserError, match=r"does not start.*\n?.*no messages \\x1b\[2J here"):
        run_notebook(new_notebook(cells=[new_code_cell("1")]), tmp_path)


def test_a_check_may_take_as_long_as_its_task_allows_where_others_are_at_work():
    """Three languages, 25 seconds of a processor for each of two functions, four times over."""
    capstone = new_code_cell('check("20-capstone/model", model)')
    assert seconds_of(capstone) == CELL_SECONDS + 4 * 3 * 2 * 25
    for source in ('check("01-one-hot/dot", 2)', "x = 1", 'check("99-none/x", 1)'):
        assert seconds_of(new_code_cell(source)) == CELL_SECONDS
    config = Config()
    configure(config, {})
    made = ExecutePreprocessor(config=Config(ExecutePreprocessor=config.Execute))
    assert made._get_timeout(capstone) == seconds_of(capstone)
