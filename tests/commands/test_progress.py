"""`headway progress`: what saved notebooks say, without running anything."""

import json
import shutil

import nbformat
import pytest

from headway.chapters import ASSIGNMENTS
from headway.grading.notebooks.assignment import check_cells
from headway.grading.notebooks.nodes import new_output
from headway.tasks.check import bundle
from headway.tasks.engine.find import tasks_of
from headway.tasks.engine.judge import judge
from tests.commands.sentences import assert_sentence

FIRST = ASSIGNMENTS[0]


@pytest.fixture
def work(tmp_path, root):
    """A work folder in which the first assignment was begun."""
    folder = tmp_path / "work" / FIRST.name
    shutil.copytree(root / "exercises" / FIRST.name, folder)
    return folder.parent


def save_verdicts(work, *verdicts):
    """Save the first assignment's notebook as if its checks had said so."""
    path = work / FIRST.notebook
    notebook = nbformat.read(path, as_version=4)
    cells = check_cells(notebook)
    for verdict in verdicts:
        cells[verdict.task.id].outputs = [new_output("display_data", data=bundle(verdict))]
    nbformat.write(notebook, path)


def test_what_was_passed_missed_and_not_tried_is_shown(headway, work):
    dot, shapes = tasks_of(FIRST.name)[:2]
    mistake = dot.misconceptions[0]
    save_verdicts(work, judge(dot, mistake.answers[0]), judge(shapes, shapes.reference))
    result = headway("progress", "--folder", work)
    assert result.code == 0
    lines = {line.split("  ")[1].strip(): line for line in result.out.splitlines() if "  " in line}
    assert lines[dot.title].startswith("✗")
    assert mistake.name in lines[dot.title]
    assert lines[shapes.title].startswith("✓")
    assert sum("not checked yet" in line for line in lines.values()) == len(lines) - 2
    assert f"01 · {FIRST.title}: 1 of 20 points" in result.out
    assert "Go on with: headway start 01" in result.out


def test_nothing_is_run_and_no_file_is_touched(headway, work):
    path = work / FIRST.notebook
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[1].source = "import pathlib; pathlib.Path(__file__).write_text('ran')"
    nbformat.write(notebook, path)
    before = path.read_bytes()
    assert headway("progress", "--folder", work).code == 0
    assert path.read_bytes() == before
    assert [p.name for p in work.rglob("*") if p.is_file()] == [path.name]


def test_a_finished_assignment_counts_as_done(headway, work):
    tasks = tasks_of(FIRST.name)
    save_verdicts(work, *(judge(task, task.reference) for task in tasks if not task.bonus))
    result = headway("progress", "--folder", work, "--json")
    chapter = json.loads(result.out)["chapters"][FIRST.name]
    assert (chapter["score"], chapter["max"], chapter["bonus"]) == (20, 20, 0)
    assert f"1 of {len(ASSIGNMENTS)} assignments done." in headway("progress", "--folder", work).out


def test_a_forged_score_is_no_verdict(headway, work):
    dot = tasks_of(FIRST.name)[0]
    verdict = judge(dot, dot.reference)
    path = work / FIRST.notebook
    save_verdicts(work, verdict)
    path.write_text(path.read_text("utf-8").replace('"score": 1', '"score": 1000'), "utf-8")
    report = json.loads(headway("progress", "--folder", work, "--json").out)
    assert report["chapters"][FIRST.name]["score"] == 0


def test_what_was_not_begun_is_no_fault_but_a_missing_folder_is(headway, tmp_path):
    result = headway("progress", "--folder", tmp_path)
    assert result.code == 0
    assert result.out.count("not begun") == len(ASSIGNMENTS)
    assert f"0 of {len(ASSIGNMENTS)} assignments done." in result.out
    result = headway("progress", "--folder", tmp_path / "no")
    assert_sentence(result, "There is no folder", "headway start 01")


def test_a_damaged_notebook_is_named_and_the_rest_is_shown(headway, work):
    path = work / FIRST.notebook
    path.write_text("{", encoding="utf-8")
    result = headway("progress", "--folder", work)
    assert result.code == 2
    assert f"01 · {FIRST.title}: cannot be read" in result.out
    assert f"{path} is no Jupyter notebook" in result.err
    assert path.read_text(encoding="utf-8") == "{"
