"""A copy without answers that replaced an earlier one: nobody loses points by that unnoticed."""

import shutil

import nbformat
import pytest

from tests.grading.classroom import CHAPTER, notebook_of, statuses_and_scores
from tests.grading.collecting.conftest import NAME, NOTEBOOK, OF_ADA, OF_EMMY

pytestmark = pytest.mark.jupyter
SOLVED = nbformat.writes(notebook_of(CHAPTER, "solution"))
LATEST = "has no answers or can't be graded, and there is an earlier one"


def test_who_hands_in_an_empty_copy_after_a_good_one_is_named_with_where_that_is(
    collect, archive, course, pool, headway
):
    grade = ("grade", "01", "--course", course)
    collect(archive({f"{OF_ADA}01-one-hot.ipynb": SOLVED, f"{OF_EMMY}01-one-hot.ipynb": SOLVED}))
    assert LATEST not in headway(*grade).err
    later = {f"{OF_ADA}01-one-hot-1.ipynb": NOTEBOOK, f"{OF_EMMY}01-one-hot-1.ipynb": ""}
    collect(archive(later, "later.zip"))
    done = headway(*grade)
    who = "ada (Ada Lovelace), emmy (Emmy Noether)"
    assert f"The latest copy of {who} {LATEST} in collected/{NAME}/" in done.err
    assert LATEST in (course / "report.html").read_text(encoding="utf-8").replace("&#39;", "'")
    assert LATEST not in headway(*grade).err, "once is enough"
    shutil.copytree(
        course / "collected" / NAME / "ada" / "1",
        course / "submitted" / "ada" / NAME,
        dirs_exist_ok=True,
    )
    done = headway(*grade)
    assert f"The latest copy of emmy (Emmy Noether) {LATEST}" in done.err
    assert statuses_and_scores(course) == {"ada": ("graded", 24), "emmy": ("set-aside", None)}


def test_an_only_copy_without_answers_and_a_later_one_with_them_are_not_named(
    collect, archive, course, pool, headway
):
    collect(archive({f"{OF_ADA}01-one-hot.ipynb": NOTEBOOK, f"{OF_EMMY}01-one-hot.ipynb": ""}))
    collect(archive({f"{OF_EMMY}01-one-hot-1.ipynb": SOLVED}, "later.zip"))
    assert LATEST not in headway("grade", "01", "--course", course).err
    assert statuses_and_scores(course) == {"ada": ("graded", 0), "emmy": ("graded", 24)}
