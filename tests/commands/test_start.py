"""`headway start`: a copy of the release, and never over existing work."""

import subprocess

from headway.chapters import CHAPTERS, released_notebook
from tests.commands.sentences import assert_sentence


def test_start_copies_the_released_assignment(headway, tmp_path):
    result = headway("start", "01", "--folder", tmp_path / "work", "--no-open")
    copy = tmp_path / "work" / CHAPTERS[0].notebook
    assert result.code == 0
    assert str(copy) in result.out
    assert copy.read_bytes() == released_notebook(CHAPTERS[0]).read_bytes()


def test_start_says_how_to_check_what_it_copied(headway, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said = {
        folder: headway("start", "05", "--folder", folder, "--no-open").out.rstrip()
        for folder in ("work", "mine", "my work")
    }
    assert said["work"].endswith("with: headway check 05")
    assert said["mine"].endswith("with: headway check 05 --folder mine")
    assert said["my work"].endswith('with: headway check 05 --folder "my work"')


def test_start_never_overwrites_work(headway, tmp_path):
    work = tmp_path / CHAPTERS[0].notebook
    work.parent.mkdir()
    work.write_text("mine")
    result = headway("start", "one-hot", "--folder", tmp_path, "--no-open")
    assert result.code == 0
    assert "Nothing was overwritten" in result.out
    assert work.read_text() == "mine"


def test_start_goes_on_with_what_was_fetched(headway, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    fetched = tmp_path / CHAPTERS[0].notebook
    fetched.parent.mkdir()
    fetched.write_text("mine")
    assert "Nothing was overwritten" in headway("start", "01", "--no-open").out
    assert not (tmp_path / "work").exists(), "a second copy would hide the first"
    headway("start", "02", "--no-open")
    assert (tmp_path / "work" / CHAPTERS[1].notebook).is_file()


def test_start_does_not_mix_with_a_folder_that_is_something_else(headway, tmp_path):
    other = tmp_path / "01-one-hot" / "notes.txt"
    other.parent.mkdir()
    other.write_text("mine")
    result = headway("start", "01", "--folder", tmp_path, "--no-open")
    assert_sentence(result, "holds no 01-one-hot.ipynb")
    assert [path.name for path in other.parent.iterdir()] == ["notes.txt"]


def test_start_says_when_nothing_was_released(headway, tmp_path, monkeypatch):
    missing = tmp_path / "exercises" / "x.ipynb"
    monkeypatch.setattr("headway.commands.start.released_notebook", lambda chapter: missing)
    result = headway("start", "01", "--folder", tmp_path / "work", "--no-open")
    assert_sentence(result, "There is no released notebook", "headway release")
    assert not (tmp_path / "work").exists()


def test_start_without_jupyterlab_still_copies(headway, tmp_path, monkeypatch):
    monkeypatch.setattr("headway.commands.start.find_spec", lambda name: None)
    result = headway("start", "01", "--folder", tmp_path)
    assert_sentence(
        result, "JupyterLab is not installed", 'pip install -c constraints.txt -e ".[notebook]"'
    )
    assert (tmp_path / CHAPTERS[0].notebook).is_file()


def test_start_hands_options_on_to_jupyterlab(headway, tmp_path, monkeypatch):
    calls = []

    def run(command, cwd, check):
        calls.append((command[1:], cwd))
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr("headway.commands.start.subprocess.run", run)
    headway("start", "01", "--folder", tmp_path, "--no-browser", "--", "--port", "9999")
    options = ["--port", "9999", "--no-browser"]
    assert calls == [(["-m", "jupyter", "lab", CHAPTERS[0].notebook, *options], tmp_path)]
