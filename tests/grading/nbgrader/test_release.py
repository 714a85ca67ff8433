"""Releasing: nothing of a solution is left, the same twice over, and drift is named."""

import re
import shutil

import nbformat
import pytest

from headway.chapters import CHAPTERS
from headway.grading.nbgrader.release import ReleaseFolders, check_release, generate, release
from headway.nbgrader_config import COURSE_CONFIG
from tests.each import each_assignment

NAME = CHAPTERS[0].name
NOTEBOOK = CHAPTERS[0].notebook


@pytest.fixture
def copy(root, tmp_path):
    """A checkout of its own: solutions and exercises."""
    for folder in ("solutions", "exercises"):
        shutil.copytree(root / folder, tmp_path / folder)
    return tmp_path


def edit(path, change):
    notebook = nbformat.read(path, as_version=4)
    change(notebook)
    nbformat.write(notebook, path)


@each_assignment
def test_the_committed_exercises_are_up_to_date(root, chapter):
    assert check_release(ReleaseFolders(root), chapter.name) == []


def test_the_same_solution_gives_the_same_bytes(root, tmp_path):
    for folder in ("one", "two"):
        generate(ReleaseFolders(root), NAME, tmp_path / folder)
    one, two = ((tmp_path / folder / NOTEBOOK).read_bytes() for folder in ("one", "two"))
    assert one == two


def test_no_line_of_a_solution_is_released(root):
    source = nbformat.read(root / "solutions" / NOTEBOOK, as_version=4)
    text = "\n".join(cell.source for cell in source.cells)
    open_parts = re.sub(r"### BEGIN SOLUTION.*?### END SOLUTION", "", text, flags=re.DOTALL)
    released = nbformat.read(root / "exercises" / NOTEBOOK, as_version=4)
    shown = {line.strip() for cell in released.cells for line in cell.source.splitlines()}
    hidden = {line.strip() for line in text.splitlines()}
    hidden -= {line.strip() for line in open_parts.splitlines()}
    assert len(hidden) > 20, "the solution is there to be hidden"
    assert not shown & hidden


def test_no_output_is_released(root):
    notebook = nbformat.read(root / "exercises" / NOTEBOOK, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells)


def test_release_leaves_no_gradebook_behind(copy):
    release(ReleaseFolders(copy), NAME)
    assert sorted(path.name for path in copy.iterdir()) == ["exercises", "solutions"]


def test_release_mends_what_drifted_and_keeps_nothing_else(copy):
    exercise = copy / "exercises" / NOTEBOOK
    fresh = exercise.read_bytes()
    exercise.write_text("{}")
    (exercise.parent / "stray.txt").write_text("x")
    assert release(ReleaseFolders(copy), NAME)
    assert exercise.read_bytes() == fresh
    assert [path.name for path in exercise.parent.iterdir()] == [exercise.name]
    assert not release(ReleaseFolders(copy), NAME), "nothing is left to change"


def test_data_beside_the_solution_is_released_with_it(copy):
    (copy / "solutions" / NAME / "data.csv").write_text("1,2\n")
    assert check_release(ReleaseFolders(copy), NAME) == [
        f"{copy / 'exercises' / NAME / 'data.csv'} is missing."
    ]
    release(ReleaseFolders(copy), NAME)
    assert (copy / "exercises" / NAME / "data.csv").read_text() == "1,2\n"


def set_source(notebook):
    notebook.cells[3].source = "other"


def set_points(notebook):
    notebook.cells[5].metadata.nbgrader.points = 9


def drop_last_cell(notebook):
    notebook.cells.pop()


def set_metadata(notebook):
    notebook.metadata.extra = 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (set_source, "cell 4 (ask-dot) differs in its source"),
        (set_points, "cell 6 (check-dot) differs in its metadata"),
        (drop_last_cell, "cells, the solution gives"),
        (set_metadata, "its notebook metadata or layout differs"),
    ],
)
def test_drift_names_the_notebook_and_the_first_cell(copy, change, said):
    edit(copy / "exercises" / NOTEBOOK, change)
    (sentence,) = check_release(ReleaseFolders(copy), NAME)
    assert NOTEBOOK in sentence
    assert said in sentence


def test_the_command_reports_drift_with_an_exit_code_and_changes_nothing(
    copy, headway, monkeypatch
):
    monkeypatch.setattr("headway.commands.release.course_root", lambda: copy)
    assert headway("release", "--check").code == 0
    exercise = copy / "exercises" / NOTEBOOK
    exercise.write_text("broken")
    result = headway("release", "01", "--check")
    assert result.code == 1
    assert "it cannot be read as a notebook" in result.err
    assert "headway release" in result.err
    assert exercise.read_text() == "broken"
    assert headway("release").code == 0
    assert headway("release", "--check").code == 0


def of_other_points(notebook):
    notebook.cells[3].source = notebook.cells[3].source.replace("*1 point,", "*2 points,")
    notebook.cells[5].metadata.nbgrader.points = 2


def test_the_tasks_decide_on_points_in_the_checkout(copy, headway, monkeypatch):
    monkeypatch.setattr("headway.commands.release.course_root", lambda: copy)
    solution, exercise = (copy / folder / NOTEBOOK for folder in ("solutions", "exercises"))
    right = solution.read_bytes(), exercise.read_bytes()
    for path in (solution, exercise):
        edit(path, of_other_points)
    wrong = solution.read_bytes(), exercise.read_bytes()
    result = headway("release", "01", "--check")
    assert result.code == 1
    said = f"{solution} is out of date: it differs from the tasks in ask-dot, check-dot."
    assert said in result.err
    assert (solution.read_bytes(), exercise.read_bytes()) == wrong, "it only looks"
    result = headway("release", "01")
    assert f"solutions/{NOTEBOOK}: wrote ask-dot, check-dot from the tasks" in result.out
    assert (solution.read_bytes(), exercise.read_bytes()) == right


def test_the_instructor_decides_on_points_in_a_course_folder(copy, headway, tmp_path):
    course = tmp_path / "course"
    shutil.copytree(copy / "solutions" / NAME, course / "source" / NAME)
    source = course / "source" / NOTEBOOK
    edit(source, set_points)
    before = source.read_bytes()
    result = headway("release", "01", "--course", course)
    assert "01-one-hot/dot counts 9 points instead of 1" in result.err
    assert source.read_bytes() == before
    released = nbformat.read(course / "release" / NOTEBOOK, as_version=4)
    assert released.cells[5].metadata.nbgrader.points == 9


def test_a_course_folder_without_the_solution_is_said(copy, headway, tmp_path):
    (tmp_path / "course").mkdir()
    result = headway("release", "01", "--course", tmp_path / "course")
    assert result.code == 2
    assert "There is no solution notebook" in result.err


def test_a_missing_solution_is_said(copy, headway, monkeypatch):
    monkeypatch.setattr("headway.commands.release.course_root", lambda: copy)
    shutil.rmtree(copy / "solutions" / NAME)
    before = (copy / "exercises" / NOTEBOOK).read_bytes()
    result = headway("release", "01")
    assert result.code == 2
    assert f"There is no file {copy / 'solutions' / NOTEBOOK}." in result.err
    assert (copy / "exercises" / NOTEBOOK).read_bytes() == before


def test_a_broken_solution_is_said_and_nothing_is_lost(copy, headway, monkeypatch):
    monkeypatch.setattr("headway.commands.release.course_root", lambda: copy)
    (copy / "solutions" / NOTEBOOK).write_text("{")
    before = (copy / "exercises" / NOTEBOOK).read_bytes()
    result = headway("release", "01")
    assert result.code == 2
    assert f"{copy / 'solutions' / NOTEBOOK} is no Jupyter notebook" in result.err
    assert (copy / "exercises" / NOTEBOOK).read_bytes() == before


def test_a_check_of_a_task_that_there_is_not_is_said(copy, headway, monkeypatch):
    monkeypatch.setattr("headway.commands.release.course_root", lambda: copy)
    source = copy / "solutions" / NOTEBOOK
    source.write_text(source.read_text("utf-8").replace("01-one-hot/lookup", "01-one-hot/lokup"))
    before = (copy / "exercises" / NOTEBOOK).read_bytes()
    result = headway("release", "01")
    assert result.code == 2
    assert "Did you mean '01-one-hot/lookup'?" in result.err
    assert (copy / "exercises" / NOTEBOOK).read_bytes() == before


def test_an_unclosed_solution_region_is_said(copy, headway, monkeypatch):
    monkeypatch.setattr("headway.commands.release.course_root", lambda: copy)

    def unclose(nb):
        nb.cells[4].source = nb.cells[4].source.replace("### END SOLUTION", "")

    edit(copy / "solutions" / NOTEBOOK, unclose)
    assert "no end solution statement found" in headway("release", "01").err


def test_a_course_folder_is_released_from_its_own_source_by_its_own_configuration(
    copy, headway, tmp_path, monkeypatch
):
    monkeypatch.setattr("headway.commands.release.course_root", lambda: pytest.fail("no checkout"))
    course = tmp_path / "course"
    course.mkdir()
    said = headway("release", "--course", course)
    assert said.code == 2
    assert f"There is no assignment in {course / 'source'}." in said.err
    shutil.copytree(copy / "solutions" / NAME, course / "tasks" / NAME)
    (course / "nbgrader_config.py").write_text(
        f"{COURSE_CONFIG}\nc.CourseDirectory.source_directory = 'tasks'\n"
    )
    assert headway("release", "--course", course, "--check").code == 1
    said = headway("release", "--course", course)
    assert said.out == f"release/{NOTEBOOK}: released\n"
    assert (course / "release" / NOTEBOOK).read_bytes() == (
        copy / "exercises" / NOTEBOOK
    ).read_bytes()
    assert headway("release", "01", "--course", course, "--check").code == 0
    made = {"tasks", "release", "nbgrader_config.py", ".headway"}
    assert {path.name for path in course.iterdir()} == made
