"""The table of chapters against everything that must agree with it."""

import re
from importlib.util import find_spec

import nbformat
import pytest
import yaml

from headway.chapters import CHAPTERS, UnknownChapterError, find_chapter, released_notebook
from headway.grading.notebooks.assignment import check_cells
from headway.tasks.engine.find import tasks_of

PAGE_NAME = re.compile(r"\d\d-[a-z0-9-]+")


def pages_in_order(toc: dict) -> list[tuple[str, str]]:
    """The chapters' pages and their names in the menu, in the order of the table of contents."""
    entries = [entry for part in toc["parts"] for entry in part["chapters"]]
    return [
        (entry["file"], entry["title"])
        for entry in entries
        if PAGE_NAME.fullmatch(entry["file"].removeprefix("book/"))
    ]


def names_in(folder, pattern: str) -> set[str]:
    """Names of chapters among the entries of a folder."""
    return {path.stem for path in folder.glob(pattern) if PAGE_NAME.fullmatch(path.stem)}


NAMES = [chapter.name for chapter in CHAPTERS]
each_chapter = pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)


def test_numbers_rise_and_names_differ():
    assert [c.number for c in CHAPTERS] == sorted({c.number for c in CHAPTERS})
    assert len({c.slug for c in CHAPTERS}) == len(CHAPTERS)


def test_the_table_of_contents_lists_the_chapters_in_order(root):
    toc = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    assert pages_in_order(toc) == [(f"book/{c.name}", f"{c.number} · {c.title}") for c in CHAPTERS]


def test_book_and_assignments_hold_the_chapters_and_no_others(root):
    assert names_in(root / "book", "*.md") == set(NAMES)
    assert names_in(root / "solutions", "*") == set(NAMES)
    assert names_in(root / "exercises", "*") == set(NAMES)


@each_chapter
def test_a_page_has_the_chapter_s_title(root, chapter):
    page = (root / "book" / f"{chapter.name}.md").read_text(encoding="utf-8")
    assert re.search(r"^# (.+)$", page, re.MULTILINE)[1] == chapter.title


@each_chapter
def test_the_modules_of_a_chapter_exist(chapter):
    assert chapter.modules
    assert all(find_spec(module) for module in chapter.modules)


@each_chapter
@pytest.mark.parametrize("folder", ["solutions", "exercises"])
def test_check_cells_match_the_tasks(root, chapter, folder):
    notebook = nbformat.read(root / folder / chapter.notebook, as_version=4)
    tasks = tasks_of(chapter.name)
    cells = check_cells(notebook)
    assert list(cells) == [task.id for task in tasks]
    for task in tasks:
        marks = cells[task.id].metadata.nbgrader
        assert marks.grade
        assert marks.locked
        assert not marks.solution
        assert marks.points == (0 if task.bonus else task.points), task.id


@each_chapter
def test_check_cells_hold_the_answers_that_the_tasks_name(root, chapter):
    notebook = nbformat.read(root / "solutions" / chapter.notebook, as_version=4)
    cells = check_cells(notebook)
    for task in tasks_of(chapter.name):
        assert cells[task.id].source.strip() == f'check("{task.id}", {task.answer})'


@each_chapter
def test_an_assignment_has_twenty_points_and_up_to_four_bonus(chapter):
    tasks = tasks_of(chapter.name)
    assert sum(task.points for task in tasks if not task.bonus) == 20
    assert 0 < sum(task.points for task in tasks if task.bonus) <= 4


@each_chapter
def test_the_kinds_come_in_order(chapter):
    order = ["predict", "build", "debug", "train", "stretch"]
    kinds = [order.index(task.kind) for task in tasks_of(chapter.name)]
    assert kinds == sorted(kinds)
    assert set(kinds) == set(range(len(order)))


@each_chapter
def test_page_and_assignment_link_to_each_other(root, chapter):
    config = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
    address = f"{config['html']['baseurl']}book/{chapter.name}.html"
    notebook = nbformat.read(released_notebook(chapter), as_version=4)
    assert address in "".join(cell.source for cell in notebook.cells)
    page = (root / "book" / f"{chapter.name}.md").read_text(encoding="utf-8")
    assert "{assignment}" in page


@pytest.mark.parametrize("text", ["1", "01", "one-hot", "01-one-hot", " 01 ", "One-Hot"])
def test_a_chapter_is_found_by_number_and_by_name(text):
    assert find_chapter(text).name == "01-one-hot"


@pytest.mark.parametrize("text", ["99", "", "one hot", "-1", "1.0", "²"])
def test_an_unknown_chapter_is_answered_with_those_there_are(text):
    with pytest.raises(UnknownChapterError, match="The chapters are: 01-one-hot"):
        find_chapter(text)


def test_a_near_miss_gets_a_suggestion():
    with pytest.raises(UnknownChapterError, match=r"Did you mean 01-one-hot\?"):
        find_chapter("01-onehot")
