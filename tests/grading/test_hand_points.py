"""Points by hand survive, and the report says when they were given for an earlier answer."""

import pytest
from bs4 import BeautifulSoup

from headway.grading.hand_points import answers_in
from tests.grading.classroom import CHAPTER, cell_named, gradebook_of, hand_in, statuses_and_scores

NAME = CHAPTER.name
SAID = "2 points by hand for lookup were given for an earlier answer (graded 20"

pytestmark = pytest.mark.jupyter


def saved(course, points):
    """What the formgrader saves."""
    with gradebook_of(course) as book:
        grade = book.find_grade("check-lookup", NAME, NAME, "ann")
        grade.manual_score, grade.needs_manual_grade = points, False


def written(texts):
    def change(notebook):
        for name, text in texts.items():
            cell_named(notebook, name).source = text

    return change


@pytest.fixture
def ann(headway, pool, tmp_path):
    """Hands in or not, grades, and gives the remark of the report and what the console said."""

    def graded(*options, **texts):
        if texts:
            hand_in(tmp_path, "ann", "release", written(texts))
        done = headway("grade", "01", "--course", tmp_path, *options)
        assert done.code == 0, done.err
        page = BeautifulSoup((tmp_path / "report.html").read_text(), "html.parser")
        remark = page.select_one(".students .called")
        said = " ".join(done.out.split())
        assert (SAID.split(" were")[0] in said) == ("earlier answer" in str(remark))
        assert ("lookup of ann" in done.err) == ("earlier answer" in str(remark))
        assert bool(page.select(".warnings")) == ("earlier answer" in str(remark))
        return remark.get_text() if remark else ""

    graded.course = tmp_path
    return graded


def test_points_are_for_the_answer_that_was_there(ann):
    ann(lookup="1")
    saved(ann.course, 2.0)  # and no run before the next answer comes
    assert SAID in ann(lookup="2")
    assert statuses_and_scores(ann.course) == {"ann": ("graded", 2.0)}
    assert SAID in ann("--force")
    saved(ann.course, 2.0)
    assert SAID not in ann()
    assert SAID not in ann("--force", lookup="2", dot="9")
    assert SAID in ann(lookup="1")
    assert SAID not in ann(lookup="2"), "the answer that they were given for"
    assert SAID in ann(lookup="1")
    saved(ann.course, None)
    assert ann() == ""


def test_an_answer_is_what_stands_before_its_check(ann):
    ann(lookup="1")
    path = ann.course / "autograded" / "ann" / NAME / f"{NAME}.ipynb"
    first = answers_in(path)
    ann(dot="9")
    changed = {name for name, answer in answers_in(path).items() if answer != first[name]}
    assert changed == {"check-lookup", "check-dot"}
    path.write_text("{")
    assert answers_in(path) == {}


def credited(course, check, points):
    with gradebook_of(course) as book:
        book.find_grade(check, NAME, NAME, "ann").extra_credit = points


def test_extra_credit_by_hand_stays_and_is_shown_unless_a_stretch_task_has_it(
    headway, pool, tmp_path
):
    hand_in(tmp_path, "ann", "release")
    grade = ("grade", "01", "--course", tmp_path, "--no-feedback")
    assert headway(*grade).code == 0
    credited(tmp_path, "check-lookup", 1.5)
    done = headway(*grade, "--force")
    assert "+1.5 by hand" in done.out
    assert "gave way" not in done.err
    credited(tmp_path, "check-pairs", 3.0)
    assert "gave way" not in headway(*grade).err, "no notebook is recorded"
    said = " ".join(headway(*grade, "--force").err.split())
    assert "gave way to what grading gives: pairs of ann (3, now 0). Type it as extra" in said
    assert statuses_and_scores(tmp_path) == {"ann": ("graded", 1.5)}
    assert "gave way" not in headway(*grade, "--force").err
    hand_in(tmp_path, "ann")
    assert "gave way" not in headway(*grade).err, "its own bonus is another now"
