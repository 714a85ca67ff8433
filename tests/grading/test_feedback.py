"""Feedback pages of a class are what nbgrader itself would have written, each student's alone."""

import os

import pytest
from bs4 import BeautifulSoup

from headway.chapters import hidden_modules
from headway.grading.course import Course
from headway.grading.nbgrader.earlier_pages import MOST, earlier_pages, keeping_earlier
from headway.grading.nbgrader.feedback import generate_page, is_ours, write_feedback
from tests.grading.classroom import CHAPTER, hand_in, path_of

NAME = CHAPTER.name
OWN = """
from traitlets.config import Config

from headway.chapters import hidden_modules
from headway.grading.settings import configure
c = get_config()
configure(c, hidden_modules())
c.GenerateFeedback.exporter_class = "nbconvert.exporters.PythonExporter"
"""


@pytest.fixture
def course(headway, pool, tmp_path):
    """A course folder in which two have been graded."""
    for student in ("ann", "bob"):
        hand_in(tmp_path, student)
    assert headway("grade", "01", "--course", tmp_path).code == 0
    return tmp_path


@pytest.mark.jupyter
def test_a_page_is_the_one_that_nbgrader_makes(headway, course):
    ours = Course.open(course, NAME, hidden_modules())
    path = ours.files.feedback("ann")
    page, rights = path.read_text(), path.stat().st_mode
    generate_page("ann", ours.files.directory, ours.config)
    assert path.read_text() == page
    assert path.stat().st_mode == rights

    # With settings of an instructor, nbgrader makes it.
    (course / "nbgrader_config.py").write_text(OWN)
    assert not is_ours(Course.open(course, NAME, hidden_modules()).config)
    path.unlink()
    assert headway("grade", "01", "--course", course).code == 0
    assert path.with_suffix(".py").exists()


@pytest.mark.jupyter
def test_whatever_stands_in_a_graded_notebook_s_place_is_one_student_s(course):
    ours = Course.open(course, NAME, hidden_modules())
    graded = ours.files.autograded("ann")
    for damaged in (None, "", "{}", "[]", '{"cells": 1}', "[" * 99_999):
        if damaged is None:
            graded.unlink()
        else:
            graded.write_text(damaged)
        for student in ("ann", "bob"):
            ours.files.feedback(student).unlink(missing_ok=True)
        with ours.gradebook.opened() as book:
            failed = write_feedback(ours.files, ours.config, book, ["ann", "bob"], {})
        assert list(failed) == ["ann"], damaged
        assert ours.files.feedback("bob").exists()


def listed_pages(course, report="report.html"):
    """The earlier pages that the report links to."""
    page = BeautifulSoup((course / report).read_text(encoding="utf-8"), "html.parser")
    addresses = [link["href"] for link in page.select("a[href*=feedback-earlier]")]
    return [((course / report).parent / address).read_text() for address in addresses]


@pytest.mark.jupyter
def test_a_page_that_changes_is_kept_and_the_new_one_says_what_changed(headway, course):
    page = Course.open(course, NAME, hidden_modules()).files.feedback("ann")
    os.utime(page, (1_777_777_777, 1_777_777_777))
    first = page.read_text()
    assert headway("grade", "01", "--course", course).code == 0
    assert (listed_pages(course), page.stat().st_mtime) == ([], 1_777_777_777)
    hand_in(course, "ann", "release")
    assert headway("grade", "01", "--course", course).code == 0
    second = page.read_text()
    told = BeautifulSoup(second, "html.parser").select_one(".told li").get_text()
    assert told.endswith(": 24 → 0 points, because another version of your file was graded.")
    assert listed_pages(course) == listed_pages(course, f"reports/{NAME}.html") == [first]

    # What is set aside has no score, and so no page.
    path_of(course, "ann").write_text("{")
    assert headway("grade", "01", "--course", course).code == 1
    assert not page.exists()
    assert listed_pages(course) == [first, second]
    hand_in(course, "ann", "release")
    assert headway("grade", "01", "--course", course).code == 0
    assert (page.read_text(), listed_pages(course)) == (second, [first])


def test_the_latest_earlier_pages_are_kept_each_once(tmp_path):
    page, folder = tmp_path / "page.html", tmp_path / "earlier"
    for number in range(MOST + 3):
        with keeping_earlier({page: folder}):
            page.write_text(f"<style>old</style><main>{number}")
        os.utime(page, (number * 60, number * 60))
        with keeping_earlier({page: folder}):  # the same again
            page.unlink()
            page.write_text(f"<style>new</style><main>{number}")
        assert page.stat().st_mtime == number * 60
    kept = [path.read_text().partition("<main>")[2] for path in earlier_pages(folder)]
    assert kept == [str(number) for number in range(2, MOST + 2)]
