"""`headway check`: every task of a notebook, and the file left alone."""

import json
import shutil

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from headway.chapters import CHAPTERS
from headway.commands.work import WORK, work_on
from headway.tasks.engine.right_value import coded
from tests.commands.sentences import assert_sentence


@pytest.fixture
def notebook(tmp_path):
    """Writes a notebook of code cells and gives its path."""

    def write(*sources: str):
        path = tmp_path / "mine.ipynb"
        setup = "from headway.tasks.check import check"
        cells = [new_code_cell(source) for source in (setup, *sources)]
        nbformat.write(new_notebook(cells=cells), path)
        return path

    return write


@pytest.mark.jupyter
def test_check_holds_to_the_numbers_that_the_notebook_s_own_check_brings(headway, notebook):
    path = notebook("dot = 4", f'check("01-one-hot/dot", dot, "{coded(4)}")')
    rows = json.loads(headway("check", path, "--json").out)["tasks"]
    assert rows["01-one-hot/dot"]["status"] == "passed"


@pytest.mark.jupyter
def test_check_shows_every_task_and_leaves_the_file_alone(headway, notebook):
    path = notebook(
        "dot = -2",
        'check("01-one-hot/dot", dot)',
        "shapes = (-2",
        'check("01-one-hot/shapes", shapes)',
        'check("01-one-hot/lookup", look_up)',
    )
    before = path.read_bytes()
    result = headway("check", path, "--json")
    report = json.loads(result.out)
    tasks = report["tasks"]
    assert result.code == 1
    assert path.read_bytes() == before
    assert len(tasks) == 12
    assert tasks["01-one-hot/dot"]["misconception"] == "signs-lost"
    assert tasks["01-one-hot/shapes"]["reason"].startswith("Python can't read this cell, so ")
    assert tasks["01-one-hot/lookup"]["reason"] == "NameError: name 'look_up' is not defined"
    assert "no cell that checks this task" in tasks["01-one-hot/pairs"]["reason"]
    assert (report["score"], report["max"], report["bonus"]) == (0, 20, 0)


@pytest.mark.jupyter
def test_check_names_the_file_that_an_answer_did_not_find(headway, notebook):
    path = notebook(
        "dot = float(open('dot.txt').read())",
        'check("01-one-hot/dot", dot)',
        "import numpy as np; shapes = np.loadtxt('my/shapes.csv')",
        'check("01-one-hot/shapes", shapes)',
        "open('nowhere.txt')",
        "mixture = [-0.5, 2.25]",
        'check("01-one-hot/mixture", mixture)',
    )
    tasks = json.loads(headway("check", path, "--json").out)["tasks"]
    undefined = "NameError: name '{}' is not defined"
    for name, file in (("dot", "directory: 'dot.txt'"), ("shapes", "my/shapes.csv not found")):
        reason = tasks[f"01-one-hot/{name}"]["reason"]
        assert reason.startswith("This cell did not find a file: "), reason
        hint = f"{file}. Code sees only what is handed in with the notebook. "
        assert reason.endswith(hint + undefined.format(name)), reason
    assert tasks["01-one-hot/mixture"]["status"] == "passed", "the file was not needed"


@pytest.mark.jupyter
def test_check_shows_what_a_card_shows_and_the_line_that_raises(headway, notebook):
    path = notebook(
        "def look_up(ids, table):\n    return table[ids] + 1",
        'check("01-one-hot/lookup", look_up)',
        "def one_hot(ids, size):\n    row = [0] * size\n    return row[size]",
        'check("01-one-hot/one-hot", one_hot)',
    )
    said = headway("check", path).out
    assert "What was called:\n    ids = np.array(" in said
    assert "\nexpected, shape (" in said
    assert "line 3 of `one_hot` (`return row[size]`)" in " ".join(said.split())


@pytest.mark.jupyter
def test_check_passes_the_solution(headway, root):
    result = headway("check", root / "solutions" / CHAPTERS[0].notebook)
    assert result.code == 0
    assert "20 of 20 points, and 4 bonus" in result.out


@pytest.mark.jupyter
def test_check_finds_the_work_that_start_made(headway, tmp_path):
    headway("start", "01", "--folder", tmp_path, "--no-open")
    result = headway("check", "01", "--folder", tmp_path)
    assert result.code == 1
    assert "0 of 20 points" in result.out
    assert "There is no answer here yet." in result.out


def test_check_before_start_or_without_checks_says_so(headway, tmp_path):
    result = headway("check", "01", "--folder", tmp_path)
    assert_sentence(result, "Start with: headway start 01")
    path = tmp_path / "other.ipynb"
    nbformat.write(new_notebook(cells=[new_markdown_cell("hello"), new_code_cell("1 +")]), path)
    assert_sentence(headway("check", path), "has no check of this course")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"{not json", "its text is not JSON"),
        (b"[1, 2]", "its text is JSON but not that of a notebook"),
        (b"\xff\xfe\x00", "its bytes are not UTF-8 text"),
        (b"[" * 100_000, "is no Jupyter notebook"),
    ],
)
def test_check_of_what_is_no_notebook_says_why(headway, tmp_path, content, said):
    path = tmp_path / "broken.ipynb"
    path.write_bytes(content)
    assert_sentence(headway("check", path), said, str(path))
    assert path.read_bytes() == content


def test_check_of_no_file_says_so(headway, tmp_path):
    assert_sentence(headway("check", tmp_path / "no.ipynb"), "There is no file")
    (tmp_path / "folder.ipynb").mkdir()
    assert_sentence(headway("check", tmp_path / "folder.ipynb"), "is not a plain file")


@pytest.mark.jupyter
def test_check_and_progress_find_what_the_exchange_put_here(headway, tmp_path, root, monkeypatch):
    chapter = CHAPTERS[0]
    shutil.copytree(root / "exercises" / chapter.name, tmp_path / chapter.name)
    monkeypatch.chdir(tmp_path)
    result = headway("check", "01", "--json")
    assert json.loads(result.out)["notebook"] == chapter.notebook
    result = headway("progress")
    assert result.code == 0
    assert f"01 · {chapter.title}: 0 of 20 points" in result.out
    # What was begun with `headway start` goes before, and another folder is another folder.
    shutil.copytree(tmp_path / chapter.name, tmp_path / "work" / chapter.name)
    assert work_on(chapter, WORK) == WORK / chapter.notebook
    assert_sentence(headway("check", "01", "--folder", "other"), "Start with: headway start 01")
