"""The syllabus: every chapter once and in order, and times that follow from pages and tasks."""

import pytest
from headway_book.reading import reading_minutes
from headway_book.syllabus import loads, syllabus_lines
from headway_book.weeks import weeks

from headway.chapters import ASSIGNMENTS, CHAPTERS
from headway.tasks.engine.find import tasks_of


def test_eighteen_weeks_hold_every_assignment_once_and_in_order():
    found = weeks()
    assert [week.number for week in found] == list(range(1, 19))
    assert [one for week in found for one in week.assignments] == list(ASSIGNMENTS)


def test_the_pages_are_those_of_the_table_of_contents_in_its_order(root):
    toc = (root / "_toc.yml").read_text("utf-8").split("Reference")[0]
    listed = [line.split("book/")[1].split()[0] for line in toc.splitlines() if "- file:" in line]
    read = [name for week in weeks() for name in week.pages]
    assert set(read) == set(listed)
    chapters = {chapter.name for chapter in CHAPTERS}
    assert [n for n in read if n in chapters] == [n for n in listed if n in chapters]


def test_times_are_those_of_the_pages_and_the_tasks(root):
    third = loads(root / "book")[2]
    page = (root / "book" / "03-skip-bigrams.md").read_text("utf-8")
    tasks = tasks_of("03-skip-bigrams")
    assert third.reading == reading_minutes(page)
    assert third.work == sum(task.minutes for task in tasks if not task.bonus)
    assert third.bonus == sum(task.minutes for task in tasks if task.bonus)


def test_the_sums_below_the_table_are_those_of_its_rows(root):
    found = loads(root / "book")
    *rows, last = syllabus_lines(found)
    assert any(row.startswith("| 5 |") and "05 tokens, 06 embeddings" in row for row in rows)
    hours = [load.hours for load in found]
    assert max(hours) < 2 * sum(hours) / len(hours), "one week is as long as two others"
    assert f"{sum(hours) / 18:.1f} hours a week" in last
    assert f"bonus tasks take {sum(load.bonus for load in found) / 60:.0f} hours more" in last
    assert f"is week {hours.index(max(hours)) + 1}, with {max(hours):.1f} hours" in last


@pytest.mark.book
def test_the_page_has_a_row_for_each_week(built_book):
    html = (built_book / "book" / "syllabus.html").read_text("utf-8")
    assert html.count("<tr") == 19
