"""Feedback pages come from the workers, and are what nbgrader itself would have written."""

import json
from contextlib import nullcontext

import nbformat
import pytest
from nbformat.v4 import new_markdown_cell, new_notebook
from traitlets.config import Config

from headway.chapters import hidden_modules
from headway.grading import rendering as module
from headway.grading.course import Course
from headway.grading.journal import Entry
from headway.grading.nbgrader.feedback import generate_page, is_ours
from headway.grading.nbgrader.standings import Recorded
from headway.grading.rendering import Rendering
from headway.grading.results.plain_page import plain_page
from headway.grading.settings import configure
from headway.grading.workers.slot import Slot
from tests.grading.classroom import CHAPTER, hand_in
from tests.grading.pages import check_cell, graded

NAME = CHAPTER.name
SLOW = "\\\\(" * 30_000  # minutes, since each of these may begin a formula
GRADES = {
    "score": 1.0,
    "max_score": 2.0,
    "late_penalty": 0.5,
    "cells": {"check-dot": {"score": 1.0, "points": 2.0}},
    "comments": {"dot": "<b>Well</b> done"},
}


def job(*cells, seconds=60.0):
    notebook = json.dumps(new_notebook(cells=list(cells)))
    parts = {"notebook": notebook, "assignment": NAME, "grades": GRADES}
    return {"do": "page", "tries": 1, "seconds": seconds, **parts}


@pytest.fixture(scope="module")
def slot():
    slot = Slot()
    yield slot
    slot.close()


def test_a_worker_is_ended_over_a_text_that_takes_too_long_and_the_next_page_comes(slot):
    # As it stands in a cell's comment, which has no bound of length.
    slow = graded("x", "dot", solution=True)
    grades = GRADES | {"comments": {"dot": SLOW}}
    assert slot.grade(job(slow, seconds=1.0) | {"grades": grades})["status"] == "fault"
    page = slot.grade(job(new_markdown_cell("*fine*"), graded("x", "dot", solution=True)))
    assert page["status"] == "page"
    assert "<em>fine</em>" in page["html"]
    assert "done" in page["html"]


def test_a_plain_page_has_scores_reasons_and_comments_and_nothing_that_acts():
    notebook = new_notebook(cells=[graded("x", "dot", solution=True), check_cell(lambda a, b: 0)])
    reason = {"01-one-hot/dot": {"reason": "<script>alert(1)</script>"}}
    notebook.metadata["headway"] = {"tasks": reason}
    html = plain_page(notebook, NAME, GRADES)
    assert "Score: 1.0 of 2.0, after a late submission penalty of 0.5." in html
    assert "&lt;script&gt;alert(1)" in html
    assert "&lt;b&gt;Well" in html
    assert "<script" not in html


class Pages:
    """In the place of a course: one graded notebook for all."""

    assignment, directory = NAME, None

    def __init__(self, folder):
        self.config, self._path = Config(), folder / "graded.ipynb"
        configure(self.config, {})
        nbformat.write(new_notebook(cells=[check_cell(lambda a, b: 0)]), self._path)

    def gradebook(self):
        return nullcontext()

    def read(self, student):
        """As a journal."""
        return Entry("graded", when="today")

    def autograded(self, student):
        return self._path


@pytest.fixture
def written(monkeypatch):
    """The pages that were written, by student."""
    written = {}
    monkeypatch.setattr(module, "grades_of", lambda *_: GRADES)
    monkeypatch.setattr(module, "recorded_submissions", lambda *_: {})
    monkeypatch.setattr(module, "write_pages", lambda pages, *_: written.update(pages))
    return written


def test_who_gets_no_page_from_a_worker_gets_a_plain_one(tmp_path, written):
    rendering = Rendering(pages := Pages(tmp_path), pages, failed=None)
    rendering.want(["ann", "bob"])
    results = {"ann": {"status": "page", "html": "<p>"}, "bob": {"status": "fault", "reason": "no"}}
    for student, _ in rendering.jobs():
        assert rendering.is_asked(student)
        rendering.take(student, results[student])
        assert not rendering.is_asked(student)
    assert written["ann"].html == "<p>"
    assert "The notebook is not shown here" in written["bob"].html


@pytest.mark.parametrize(
    "damaged",
    [
        *(
            None,
            "",
            "{}",
            "[]",
            "null",
            '{"cells": 1}',
            '{"cells": [], "metadata": []}',
            "[" * 99_999,
        )
    ],
)
def test_whatever_stands_in_a_graded_notebook_s_place_is_one_student_s(damaged, tmp_path, written):
    failed = {}
    pages = Pages(tmp_path)
    path = pages.autograded("ann")
    if damaged is None:
        path.unlink()
        path.mkdir()
    else:
        path.write_text(damaged)
    rendering = Rendering(pages, pages, failed.__setitem__)
    rendering.want(["ann"])
    for student, _ in rendering.jobs():
        rendering.take(student, {"status": "fault", "reason": "no"})
    assert list(failed) == ["ann"]
    assert not written


def test_what_is_written_into_the_gradebook_while_a_page_is_made_makes_it_another(
    tmp_path, written, monkeypatch
):
    told = [{"ann": Recorded(1.0, 2.0)}, {"ann": Recorded(1.5, 2.0, by_hand="more")}]
    entry = Entry("graded", when="today")
    monkeypatch.setattr(module, "recorded_submissions", lambda *_: told[0])
    rendering = Rendering(pages := Pages(tmp_path), pages, failed=None)
    rendering.want(["ann"])
    assert [student for student, _ in rendering.jobs()] == ["ann"]
    monkeypatch.setattr(module, "recorded_submissions", lambda *_: told[1])
    rendering.take("ann", {"status": "page", "html": "<p>"})
    assert rendering.made == {"ann": told[0]["ann"].on_page(*entry.graded)}
    assert rendering.made["ann"] != told[1]["ann"].on_page(*entry.graded)


def test_a_notebook_whose_lines_stand_in_lists_gets_the_same_page(slot):
    # So nbgrader writes what its own autograding gave.
    notebook = new_notebook(cells=[new_markdown_cell("*two*\nlines"), check_cell(lambda a, b: 0)])
    pages = [
        slot.grade(job() | {"notebook": text})
        for text in (json.dumps(notebook), nbformat.writes(notebook))
    ]
    assert pages[0]["status"] == "page"
    assert pages[0] == pages[1]


OWN = """
from traitlets.config import Config

from headway.chapters import hidden_modules
from headway.grading.settings import configure
c = get_config()
configure(c, hidden_modules())
c.FeedbackExporter.exclude_input = True
"""


@pytest.mark.jupyter
@pytest.mark.usefixtures("pool")
def test_a_page_is_the_one_that_nbgrader_makes(headway, tmp_path):
    hand_in(tmp_path, "ann")
    assert headway("grade", "01", "--course", tmp_path).code == 0
    course = Course(tmp_path, NAME, hidden_modules())
    path = course.feedback("ann")
    ours, rights = path.read_text(), path.stat().st_mode
    generate_page("ann", course.directory, course.config)
    assert path.read_text() == ours
    assert path.stat().st_mode == rights

    # With settings of an instructor, nbgrader makes it.
    (tmp_path / "nbgrader_config.py").write_text(OWN)
    assert not is_ours(Course(tmp_path, NAME, hidden_modules()).config)
    path.unlink()
    assert headway("grade", "01", "--course", tmp_path).code == 0
    assert 'class="k">def<' in ours
    assert 'class="k">def<' not in path.read_text()
