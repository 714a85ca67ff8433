"""A late copy after a punctual one: what counts, what is said, and what is kept."""

from datetime import timedelta

import pytest

from tests.commands.sentences import assert_sentence
from tests.grading.classroom import gradebook_of
from tests.grading.collecting.conftest import NAME, OF_ADA, version

pytestmark = pytest.mark.jupyter
ZERO = 'c.LateSubmissionPlugin.penalty_method = "zero"'
RULE = "c.Collecting.last_punctual = True"
LATE = "lovelaceada_LATE_41234_98999_01-one-hot.ipynb"


@pytest.fixture
def archives(archive):
    """Ada's punctual copy, and her late one, in two archives."""
    first = archive({f"{OF_ADA}01-one-hot.ipynb": version(1)}, "first.zip")
    return first, archive({LATE: version(2)}, "second.zip")


def notebook(course, *place):
    return course.joinpath(*place, f"{NAME}.ipynb").read_text(encoding="utf-8")


def test_a_late_copy_counts_and_where_that_costs_points_it_is_said(
    collect, archives, course, settings
):
    settings(ZERO)
    done = collect(*archives)
    assert notebook(course, "submitted", "ada", NAME) == version(2)
    assert notebook(course, "collected", NAME, "ada", "1") == version(1)
    assert "ada (Ada Lovelace) handed in again after the due date, and that late copy" in done.err
    assert f"The last punctual one is in collected/{NAME}/ada/1." in done.err
    assert RULE in done.err
    settings()
    assert "handed in again after" not in collect(*archives).err, "it costs nothing"


def test_by_the_rule_the_punctual_copy_counts_and_that_can_be_changed_later(
    collect, archives, course, settings
):
    for archive in archives:
        collect(archive)
    settings(ZERO, RULE)
    done = collect()
    assert "Chose which copy counts, for 1 student." in done.out
    assert notebook(course, "submitted", "ada", NAME) == version(1)
    assert not (course / "submitted" / "ada" / NAME / "timestamp.txt").exists()
    assert f"the later one is kept in collected/{NAME}: ada (Ada Lovelace)" in done.err
    assert list((course / "collected" / NAME / "ada").glob("mine-*")) == []
    # An extension, after which she is not late any more.
    with gradebook_of(course) as book, book.db.no_autoflush:
        book.add_submission(NAME, "ada", extension=timedelta(days=1))
    collect()
    assert notebook(course, "submitted", "ada", NAME) == version(2)


def test_before_anything_was_collected_there_is_nothing_to_choose_from(collect):
    assert_sentence(collect(), f"Nothing was collected for {NAME} yet.")
    assert_sentence(collect("--late-at", "2026-04-01 12:00 UTC"), "Name the archive")


def test_the_same_files_handed_in_again_late_take_nothing_from_the_punctual_copy(
    collect, archive, archives, course, settings
):
    settings(ZERO, RULE)
    collect(archives[0])
    collect(archive({LATE: version(1)}, "same.zip"))
    assert not (course / "submitted" / "ada" / NAME / "timestamp.txt").exists()
    assert (course / "collected" / NAME / "ada" / "2" / "timestamp.txt").exists()


def test_what_canvas_marks_late_keeps_its_time_when_the_due_date_moves(
    collect, archives, course, settings, headway
):
    settings(ZERO)
    stamp = course / "submitted" / "ada" / NAME / "timestamp.txt"
    collect(archives[1])
    before = stamp.read_text(encoding="utf-8")
    assert before.startswith("2026-03-31 21:59:01")
    headway("class", "due", "01", "2026-04-02 23:59 Europe/Berlin", "--course", course)
    done = collect(archives[1])
    assert "0 new, 0 newer, 1 as they were." in done.out
    assert stamp.read_text(encoding="utf-8") == before
    assert done.err == "", "it isn't late any more"
    assert (
        "counts from 2026-04-03 10:00"
        in collect(*(archives[1], "--late-at", "2026-04-03 10:00 UTC")).err
    )


def test_by_the_rule_a_late_copy_counts_if_there_is_no_other(collect, archives, course, settings):
    settings(ZERO, RULE)
    done = collect(archives[1])
    assert notebook(course, "submitted", "ada", NAME) == version(2)
    assert "The last punctual copy counts" not in done.err


def test_a_copy_that_a_teacher_put_back_stays_until_there_is_another(
    collect, archive, archives, course
):
    collect(*archives)
    back = course / "submitted" / "ada" / NAME
    (back / f"{NAME}.ipynb").write_text(version(1))
    (back / "timestamp.txt").unlink()
    assert "It stays as it is." in collect(*archives[1:]).err
    assert notebook(course, "submitted", "ada", NAME) == version(1)


def correct(course, number):
    """Correct what is in `submitted/` by hand."""
    path = course / "submitted" / "ada" / NAME / f"{NAME}.ipynb"
    path.write_text(version(number), encoding="utf-8")


def test_a_correction_counts_whenever_the_copy_that_it_was_made_from_does(
    collect, archives, course, settings
):
    settings(ZERO)
    collect(archives[0])
    correct(course, 7)
    done = collect(archives[1])
    assert notebook(course, "submitted", "ada", NAME) == version(2)
    assert f"collected/{NAME}/ada/mine-1 now, because another copy of ada" in done.err
    settings(ZERO, RULE)
    done = collect()
    assert notebook(course, "submitted", "ada", NAME) == version(7)
    assert "ada (Ada Lovelace): the copy that counts now is the one that you had" in done.err
    assert f"your version from collected/{NAME}/ada/mine-1 is in submitted/ada/{NAME}" in done.err
    settings(ZERO)
    collect()
    assert notebook(course, "submitted", "ada", NAME) == version(2)
    settings(ZERO, RULE)
    collect()
    assert notebook(course, "submitted", "ada", NAME) == version(7)
    assert not (course / "collected" / NAME / "ada" / "mine-2").exists(), "it is kept already"


def test_a_correction_that_the_teacher_took_back_does_not_return(
    collect, archives, course, settings
):
    settings(ZERO)
    collect(archives[0])
    correct(course, 7)
    collect(archives[1])
    settings(ZERO, RULE)
    collect()
    correct(course, 1)
    settings(ZERO)
    collect()
    settings(ZERO, RULE)
    done = collect()
    assert notebook(course, "submitted", "ada", NAME) == version(1)
    assert "you had" not in done.err


def test_an_older_archive_again_does_not_bring_back_what_is_older(collect, archives, course):
    collect(*archives)
    collect(archives[0])
    assert notebook(course, "submitted", "ada", NAME) == version(2)


@pytest.mark.parametrize("how", ["the copies alone", "the archive again", "grading"])
def test_what_was_marked_late_before_there_was_a_due_date_is_late_when_there_is_one(
    collect, archives, course, settings, headway, pool, how
):
    settings(ZERO)
    headway("class", "due", "01", "none", "--course", course)
    collect(*archives)
    due = ("class", "due", "01", "2026-04-02 23:59 Europe/Berlin", "--course", course)
    assert headway(*due).code == 0
    if how == "grading":
        headway("grade", "01", "--course", course)
    else:
        done = collect(*(archives[1:] if how == "the archive again" else ()))
        assert "counts from 2026-04-02 21:59:01 UTC: ada (Ada Lovelace)" in done.err
    for place in ("submitted", "ada", NAME), ("collected", NAME, "ada", "2"):
        stamp = course.joinpath(*place, "timestamp.txt")
        assert stamp.read_text(encoding="utf-8").startswith("2026-04-02 21:59:01")
    assert not (course / "collected" / NAME / "ada" / "1" / "timestamp.txt").exists()
    assert not (course / "collected" / NAME / "ada" / "3").exists()
    assert "You changed" not in collect().err


def test_a_copy_that_is_no_longer_marked_gets_no_time_later(collect, archive, course, headway):
    headway("class", "due", "01", "none", "--course", course)
    collect(archive({LATE: version(1)}))
    collect(archive({f"{OF_ADA}01-one-hot.ipynb": version(1)}, "second.zip"))
    headway("class", "due", "01", "2026-04-02 23:59 Europe/Berlin", "--course", course)
    collect()
    assert not (course / "submitted" / "ada" / NAME / "timestamp.txt").exists()


def test_by_the_rule_a_punctual_copy_counts_only_if_it_can_be_graded(
    collect, archive, archives, course, settings
):
    settings(ZERO, RULE)
    page = archive({f"{OF_ADA}01-one-hot.html": "<html>"}, "page.zip")
    done = collect(page, archives[1])
    assert notebook(course, "submitted", "ada", NAME) == version(2)
    assert done.code == 0
    assert f"of ada (Ada Lovelace), in collected/{NAME}/ada/1, can't be graded" in done.err


def test_by_the_rule_an_earlier_punctual_copy_that_can_be_graded_counts_before_a_late_one(
    collect, archive, archives, course, settings
):
    settings(ZERO, RULE)
    page = archive({f"{OF_ADA}01-one-hot.html": "<html>"}, "page.zip")
    collect(archives[0], page, archives[1])
    assert notebook(course, "submitted", "ada", NAME) == version(1)
