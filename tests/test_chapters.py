"""The table of chapters and the capstone against everything that must agree with it."""

import re
from importlib.util import find_spec

import nbformat
import pytest
import yaml

from headway.chapters import (
    ASSIGNMENTS,
    CAPSTONE,
    CHAPTERS,
    UnknownChapterError,
    explaining,
    find_chapter,
)
from headway.figures.machine.parts import PARTS
from headway.grading.notebooks.assignment import check_cells
from headway.grading.notebooks.task_cells import write_tasks
from headway.tasks.engine.find import tasks_of
from tests.chapter_files import missing, page_of
from tests.each import each_assignment, each_chapter

PAGE_NAME = re.compile(r"\d\d-[a-z0-9-]+")


@each_assignment
def test_a_chapter_has_all_its_files(root, chapter):
    if found := missing(root, chapter):
        pytest.fail("\n".join(found), pytrace=False)


def test_all_nineteen_chapters_are_there_before_the_capstone():
    assert [c.number for c in ASSIGNMENTS] == list(range(1, 21))
    assert len({c.slug for c in ASSIGNMENTS}) == 20


def test_each_part_of_the_machine_has_a_chapter_that_explains_it():
    for part in PARTS:
        assert explaining(part), f"No chapter explains the machine's {part}."
    for chapter in CHAPTERS:
        unknown = set(chapter.parts) - set(PARTS)
        assert not unknown, f"{chapter.name} explains {unknown}, which the machine does not have."
        assert chapter.parts or chapter.number == 16, f"{chapter.name} names no part of it."


def test_the_table_of_contents_lists_the_chapters_in_order_and_then_the_capstone(root):
    toc = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    entries = [entry for part in toc["parts"] for entry in part["chapters"]]
    files = [entry["file"] for entry in entries]
    listed = [
        (entry["file"], entry["title"])
        for entry in entries
        if PAGE_NAME.fullmatch(entry["file"].removeprefix("book/"))
    ]
    assert listed == [(f"book/{c.name}", f"{c.number} · {c.title}") for c in CHAPTERS]
    page = page_of(CAPSTONE).removesuffix(".md")
    assert files[files.index(page) - 1] == f"book/{CHAPTERS[-1].name}"


@pytest.mark.parametrize(
    ("folder", "table"),
    [("book", CHAPTERS), ("solutions", ASSIGNMENTS), ("exercises", ASSIGNMENTS)],
)
def test_book_and_assignments_hold_no_chapter_that_the_table_lacks(root, folder, table):
    found = {path.stem for path in (root / folder).iterdir() if PAGE_NAME.fullmatch(path.stem)}
    assert sorted(found - {chapter.name for chapter in table}) == []


@each_assignment
def test_a_page_has_the_chapter_s_title_and_it_and_the_assignment_name_each_other(root, chapter):
    page = (root / page_of(chapter)).read_text(encoding="utf-8")
    assert re.search(r"^# (.+)$", page, re.MULTILINE)[1] == chapter.title
    assert ":::{assignment}" in page
    notebook = nbformat.read(root / "exercises" / chapter.notebook, as_version=4)
    assert f"*{chapter.title}*" in notebook.cells[0].source, (
        f"exercises/{chapter.notebook} does not begin with the title of its page."
    )


def is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # nor is there a package around it
        return False


@each_chapter
def test_the_modules_of_a_chapter_exist(chapter):
    assert chapter.modules, "Name those that the page explains."
    assert [m for m in (*chapter.modules, *chapter.also_hidden) if not is_module(m)] == []


@each_assignment
def test_check_cells_match_the_tasks(root, chapter):
    notebook = nbformat.read(root / "solutions" / chapter.notebook, as_version=4)
    tasks, cells = tasks_of(chapter.name), check_cells(notebook)
    assert list(cells) == [task.id for task in tasks], "in the order of TASKS"
    for task in tasks:
        cell, marks = cells[task.id], cells[task.id].metadata.nbgrader
        assert cell.source.strip() == f'check("{task.id}", {task.answer})'
        assert (marks.grade, marks.locked, marks.solution) == (True, True, False)
    assert not write_tasks(notebook, chapter.name), (
        f"Titles, points and minutes are written by: headway release {chapter.number:02d}"
    )


@pytest.mark.parametrize("text", ["1", "01", "one-hot", "01-one-hot", " 01 ", "One-Hot"])
def test_a_chapter_is_found_by_number_and_by_name(text):
    assert find_chapter(text).name == "01-one-hot"
    assert find_chapter("20") is find_chapter("capstone") is CAPSTONE


@pytest.mark.parametrize("text", ["99", "", "one hot", "-1", "1.0", "²"])
def test_an_unknown_chapter_is_answered_with_those_there_are(text):
    with pytest.raises(UnknownChapterError, match="The chapters are: 01-one-hot"):
        find_chapter(text)


def test_a_near_miss_gets_a_suggestion():
    with pytest.raises(UnknownChapterError, match=r"Did you mean 01-one-hot\?"):
        find_chapter("01-onehot")
