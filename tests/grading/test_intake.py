"""What is set aside before it is graded, and the words for it."""

import os

import nbformat
import pytest

from headway.chapters import CHAPTERS, released_notebook
from headway.grading import intake
from headway.grading.intake import problem_with
from tests.grading.classroom import duplicate

NAME = CHAPTERS[0].name


@pytest.fixture
def folder(tmp_path):
    """A submission that is in order."""
    folder = tmp_path / NAME
    folder.mkdir()
    (folder / f"{NAME}.ipynb").write_bytes(released_notebook(CHAPTERS[0]).read_bytes())
    return folder


def edit(folder, change):
    """Change the submitted notebook in place."""
    path = folder / f"{NAME}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    change(notebook)
    nbformat.write(notebook, path)


@pytest.mark.parametrize("student", ["ada", "müller", "a.b-c_d@e+f", "Ada Lovelace", "1234"])
def test_a_submission_in_order_has_no_problem(folder, student):
    (folder / "data.csv").write_text("1,2\n")
    assert problem_with(student, folder, NAME) is None


@pytest.mark.parametrize("student", ["*", "a?", "[ab]", "a,b", "=1", "-x", "a\nb", "<b>", "..", ""])
def test_a_name_that_nbgrader_would_take_for_a_pattern_is_refused(folder, student):
    assert "no student's name" in problem_with(student, folder, NAME)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"{", "not JSON"),
        (b"{}", "not that of a notebook"),
        (b"[]", "not that of a notebook"),
        (b"null", "not that of a notebook"),
        (b'{"cells": [1], "nbformat": 4, "nbformat_minor": 5, "metadata": {}}', "not that of"),
        (b'{"cells": 1, "nbformat": 4, "nbformat_minor": 5, "metadata": {}}', "not that of"),
        (b'{"cells": [], "nbformat": 99, "nbformat_minor": 5, "metadata": {}}', "notebook"),
        (b"\x00\x01\xff", "not UTF-8"),
        (b"[" * 200_000, "no Jupyter notebook"),
    ],
)
def test_what_is_no_notebook_is_refused(folder, content, said):
    (folder / f"{NAME}.ipynb").write_bytes(content)
    problem = problem_with("ada", folder, NAME)
    assert said in problem
    assert str(folder) not in problem, "no path of the instructor's machine"


def test_a_missing_notebook_is_said_with_what_is_there_instead(folder):
    (folder / f"{NAME}.ipynb").rename(folder / f"{NAME} (1).ipynb")
    problem = problem_with("ada", folder, NAME)
    assert problem == f"There is no {NAME}.ipynb. The folder holds: {NAME} (1).ipynb."
    (folder / f"{NAME} (1).ipynb").unlink()
    assert problem_with("ada", folder, NAME) == f"There is no {NAME}.ipynb. The folder is empty."


def test_links_and_special_files_are_refused(folder, tmp_path):
    (tmp_path / "secret").write_text("x")
    link = folder / "link"
    link.symlink_to(tmp_path / "secret")
    assert "link is a link" in problem_with("ada", folder, NAME)
    link.unlink()
    os.mkfifo(folder / "pipe")
    assert "pipe is no plain file" in problem_with("ada", folder, NAME)


def test_a_notebook_that_is_a_link_is_refused(folder):
    path = folder / f"{NAME}.ipynb"
    path.unlink()
    path.symlink_to(released_notebook(CHAPTERS[0]))
    assert "is a link" in problem_with("ada", folder, NAME)


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path):
    (tmp_path / NAME).write_text("x")
    assert "is not a folder" in problem_with("ada", tmp_path / NAME, NAME)


def test_too_much_is_refused(folder, monkeypatch):
    monkeypatch.setattr(intake, "MAX_FOLDER_BYTES", 1_000)
    assert "The folder holds" in problem_with("ada", folder, NAME)
    monkeypatch.setattr(intake, "MAX_FOLDER_BYTES", 10**9)
    monkeypatch.setattr("headway.grading.notebook.MAX_BYTES", 1_000)
    assert "MB large" in problem_with("ada", folder, NAME)
    monkeypatch.setattr("headway.grading.notebook.MAX_BYTES", 10**9)
    monkeypatch.setattr("headway.grading.notebook.MAX_CELLS", 3)
    assert "cells, more than 3" in problem_with("ada", folder, NAME)


def test_a_cell_that_stands_twice_is_named(folder):
    edit(folder, lambda notebook: duplicate(notebook, "dot"))
    assert "The cell 'dot' stands in the notebook twice." in problem_with("ada", folder, NAME)


@pytest.mark.parametrize("marks", ["x", 3, ["a"], {"grade_id": 3}, {"grade_id": ["dot"]}])
def test_damaged_nbgrader_data_is_named(folder, marks):
    edit(folder, lambda notebook: notebook.cells[4].metadata.update(nbgrader=marks))
    assert "Cell 5 carries" in problem_with("ada", folder, NAME)


@pytest.mark.parametrize("points", ["two", None, [1], True, -1, float("nan")])
def test_points_that_are_no_number_are_named(folder, points):
    marks = {"grade_id": "x", "grade": True, "points": points}
    edit(folder, lambda notebook: notebook.cells[4].metadata.update(nbgrader=marks))
    assert "as its nbgrader points" in problem_with("ada", folder, NAME)


def test_a_scored_cell_without_an_id_is_named(folder):
    marks = {"grade": True, "points": 1}
    edit(folder, lambda notebook: notebook.cells[4].metadata.update(nbgrader=marks))
    assert "Cell 5 is marked for nbgrader but has no" in problem_with("ada", folder, NAME)


@pytest.mark.parametrize("content", [b"soon", b"\xff\xfe\x00", b"2026-03-31 12:00:00 99999999999"])
def test_a_broken_timestamp_is_named(folder, content):
    (folder / "timestamp.txt").write_bytes(content)
    assert "timestamp.txt holds no date and time" in problem_with("ada", folder, NAME)


@pytest.mark.parametrize("content", ["", "2026-03-31 12:00:00 UTC", "2026-03-31 12:00:00.5 +0200"])
def test_a_timestamp_in_order_is_no_problem(folder, content):
    (folder / "timestamp.txt").write_text(content)
    assert problem_with("ada", folder, NAME) is None


def test_a_byte_order_mark_is_no_problem(folder):
    path = folder / f"{NAME}.ipynb"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert problem_with("ada", folder, NAME) is None


def test_another_notebook_under_the_right_name_is_refused(folder):
    edit(folder, lambda notebook: notebook.update(cells=[]))
    assert "has none of the assignment's cells" in problem_with("ada", folder, NAME)
