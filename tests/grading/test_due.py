"""`headway class due`: when an assignment is due, for all and for some, in several zones."""

import shutil

import pytest

from tests.commands.sentences import assert_sentence
from tests.grading.classroom import CHAPTER, gradebook_of, hand_in, statuses_and_scores

NAME = CHAPTER.name
ZERO = '\nc.LateSubmissionPlugin.penalty_method = "zero"\n'

pytestmark = pytest.mark.jupyter


@pytest.fixture
def course(graded, tmp_path):
    """A graded course folder, in which what comes late counts nothing."""
    course = shutil.copytree(graded, tmp_path / "course")
    stamp = course / "submitted" / "ann" / NAME / "timestamp.txt"
    stamp.write_text("2026-03-02 00:30 Europe/Berlin")
    with (course / "nbgrader_config.py").open("a") as file:
        file.write(ZERO)
    return course


@pytest.fixture
def due(headway, course):
    def run(*arguments: object):
        return headway("class", "due", "01", "--course", course, *arguments)

    return run


@pytest.mark.full
def test_a_due_date_is_set_in_a_zone_and_shown_in_several(due):
    assert due().out == f"{NAME} has no due date.\n"
    said = due("2026-03-01 23:59", "--zone", "Europe/Berlin")
    assert said.code == 0
    assert "is due 2026-03-01 23:59 Europe/Berlin (2026-03-01 22:59 UTC)." in said.out
    assert "Penalties follow at the next: headway grade 01 --course" in said.out
    said = due("--zone", "Asia/Tokyo", "--zone", "America/New_York").out
    shown = "2026-03-02 07:59 Asia/Tokyo, 2026-03-01 17:59 America/New_York (2026-03-01 22:59 UTC)."
    assert f"is due {shown}" in said
    assert "is due 2026-03-01 23:59 Europe/Berlin (" in due().out
    assert "is due 2026-03-01 22:59 UTC." in due("--zone", "UTC").out
    assert due("none").out.startswith(f"{NAME} has no due date.")


@pytest.mark.full
@pytest.mark.usefixtures("pool")
def test_an_extension_takes_the_penalty_of_one_student_away(due, headway, course):
    due("2026-03-01 23:59 Europe/Berlin")
    assert headway("grade", "01", "--course", course).code == 0
    assert statuses_and_scores(course)["ann"] == ("graded", 0)
    assert "ann was late by 31 min." in due().out
    said = due("--for", "ann", "2026-03-02 12:00 Europe/Berlin").out
    assert "ann has 12 h 1 min more, until 2026-03-02 12:00 Europe/Berlin (" in said
    assert "ann was late" not in said
    assert headway("grade", "01", "--course", course).code == 0
    assert statuses_and_scores(course)["ann"] == ("graded", 24)
    assert "ann has 20 min more" in due("--for", "ann", "+20m").out
    assert headway("grade", "01", "--course", course).code == 0
    assert statuses_and_scores(course)["ann"] == ("graded", 0)
    assert "has" not in due("--for", "ann", "none").out


@pytest.mark.usefixtures("pool")
def test_who_has_not_handed_in_yet_can_be_given_longer(due, headway, course):
    due("2026-03-01 23:59 Europe/Berlin")
    with gradebook_of(course) as gradebook:
        gradebook.add_student("zoe", first_name="Zoe", last_name="Late")
    assert "zoe (Zoe Late) has 2 d more" in due("--for", "zoe", "+2d").out
    assert headway("grade", "01", "--course", course).code == 0
    assert statuses_and_scores(course)["zoe"] == ("missing", None)
    hand_in(course, "zoe")
    stamp = course / "submitted" / "zoe" / NAME / "timestamp.txt"
    stamp.write_text("2026-03-03 12:00 UTC")
    assert headway("grade", "01", "--course", course).code == 0
    assert statuses_and_scores(course)["zoe"] == ("graded", 24)


@pytest.fixture
def due_of_bob(headway, tmp_path):
    """Set and show the due date of a course in which nobody but Bob has begun."""
    with gradebook_of(tmp_path) as gradebook:
        gradebook.add_student("bob")

    def run(*arguments: object):
        return headway("class", "due", "01", "--course", tmp_path, *arguments)

    return run


def test_a_day_more_ends_at_the_same_time_although_the_clocks_change(due_of_bob):
    due_of_bob("2026-10-24 23:59 Europe/Berlin")
    day = "bob has 1 d more, until 2026-10-25 23:59 Europe/Berlin (2026-10-25 22:59 UTC)."
    assert day in due_of_bob("--for", "bob", "+1d").out
    half = "bob has 1 d 12 h more, until 2026-10-26 11:59 Europe/Berlin (2026-10-26 10:59 UTC)."
    assert half in due_of_bob("--for", "bob", "+1d12h").out
    assert "2026-10-25 10:59 Europe/Berlin" in due_of_bob("--for", "bob", "+12h").out
    due_of_bob("--for", "bob", "+1d")
    moved = "bob has 1 d more, until 2026-11-01 23:59 Europe/Berlin"
    assert moved in due_of_bob("2026-10-31 23:59 Europe/Berlin").out
    moved = "bob has 1 d more, until 2027-03-28 23:59 Europe/Berlin (2027-03-28 21:59 UTC)."
    assert moved in due_of_bob("2027-03-27 23:59 Europe/Berlin").out


def test_days_are_those_of_the_zone_that_is_given_where_nbgrader_set_the_date(due_of_bob, tmp_path):
    with gradebook_of(tmp_path) as gradebook:
        gradebook.update_or_create_assignment(NAME, duedate="2026-10-24 21:59 UTC")
    assert "until 2026-10-25 21:59 UTC." in due_of_bob("--for", "bob", "+1d").out
    said = due_of_bob("--for", "bob", "+1d", "--zone", "Europe/Berlin").out
    assert "bob has 1 d more, until 2026-10-25 23:59 Europe/Berlin (2026-10-25 22:59 UTC)." in said


def test_of_a_time_that_comes_twice_the_later_one_is_taken_and_said(due_of_bob):
    done = due_of_bob("2026-10-25 02:30 Europe/Berlin")
    assert "is due 2026-10-25 02:30 Europe/Berlin (2026-10-25 01:30 UTC)." in done.out
    assert "comes twice in Europe/Berlin, because the clocks go back." in done.err
    earlier = "2026-10-25 02:30+02:00"
    assert f"For the earlier one, write {earlier}." in done.err
    done = due_of_bob(earlier)
    assert "is due 2026-10-25 02:30 +02:00 (2026-10-25 00:30 UTC)." in done.out
    assert not done.err
    assert "comes twice" in due_of_bob("--for", "bob", "2026-10-25 02:30 Europe/Berlin").err


def test_to_look_at_the_due_date_writes_nothing(headway, tmp_path):
    said = headway("class", "due", "01", "--course", tmp_path).out
    assert said == f"{NAME} has no due date.\n"
    assert not list(tmp_path.iterdir())


def test_a_due_date_can_be_set_before_anybody_handed_in(headway, tmp_path, pool):
    assert headway("class", "due", "01", "--course", tmp_path, "2026-03-01 12:00 UTC").code == 0
    hand_in(tmp_path, "ann")
    (tmp_path / "submitted" / "ann" / NAME / "timestamp.txt").write_text("2026-03-01 12:01 UTC")
    assert headway("grade", "01", "--course", tmp_path, "--no-feedback").code == 0
    assert "ann was late by 1 min." in headway("class", "due", "01", "--course", tmp_path).out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["2026-03-01 23:59"], "names no time zone"),
        (["2026-03-01 23:59 CEST"], "'CEST' is no time zone we know"),
        (["2026-03-01 23:59", "--zone", "PST"], "'PST' is no time zone we know"),
        (["tomorrow"], "Expected a date, a time and a zone"),
        (["2026-03-29 02:30 Europe/Berlin"], "does not exist"),
        (["2026-03-01 12:00", "--zone", "CET", "--zone", "UTC"], "Give one --zone"),
        (["9999-12-31 23:59 UTC"], 'is too far away. For no due date write "none"'),
        (["--for", "ann"], "How long does ann have"),
        (["--for", "ann", "+2d"], "has no due date that could be extended"),
    ],
)
def test_what_cannot_be_meant_is_refused_and_changes_nothing(due, arguments, words):
    assert_sentence(due(*arguments), words)
    assert due().out == f"{NAME} has no due date.\n"


@pytest.mark.usefixtures("pool")
def test_an_extension_is_later_and_for_somebody_and_a_gradebook_is_there(due, headway, course):
    due("2026-03-01 23:59 UTC")
    assert_sentence(due("--for", "ann", "2026-03-01 12:00 UTC"), "An extension is later")
    assert_sentence(due("--for", "nobody", "+1d"), "There is no student 'nobody'")
    assert "Did you mean" not in due("--for", "nobody", "+1d").err
    assert headway("grade", "01", "--course", course, "--no-feedback").code == 0
    assert_sentence(due("--for", "Anne", "+1d"), "Did you mean ann?")
    (course / "gradebook.db").write_bytes(b"")
    assert_sentence(due(), "is empty. Its last copy")
