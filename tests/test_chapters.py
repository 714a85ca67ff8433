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
    PLANNED,
    UnknownChapterError,
    explaining,
    find_chapter,
    released_notebook,
)
from headway.figures.machine.parts import PARTS
from headway.grading.notebooks.assignment import check_cells
from headway.tasks.engine.find import tasks_of
from tests.chapter_files import left_to_write, missing, page_of
from tests.each import each_assignment, each_chapter

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


CHAPTER_NAMES = {chapter.name for chapter in CHAPTERS}
ASSIGNMENT_NAMES = {chapter.name for chapter in ASSIGNMENTS}


@each_assignment
def test_a_chapter_has_all_its_files(root, chapter):
    if sentences := missing(root, chapter):
        pytest.fail("\n".join(sentences), pytrace=False)


@each_assignment
def test_nothing_is_left_to_write(root, chapter):
    if found := left_to_write(root, chapter):
        places = "\n  ".join(found)
        pytest.fail(f"{chapter.name} still has to write\n  {places}", pytrace=False)


def test_numbers_rise_and_names_differ():
    assert [c.number for c in ASSIGNMENTS] == sorted({c.number for c in ASSIGNMENTS})
    assert len({c.slug for c in ASSIGNMENTS}) == len(ASSIGNMENTS)


def test_a_chapter_is_written_or_planned_and_all_sixteen_are_there():
    assert sorted(c.number for c in (*CHAPTERS, *PLANNED)) == list(range(1, 17))
    assert len({c.slug for c in (*CHAPTERS, *PLANNED)}) == 16


def test_each_part_of_the_machine_has_a_chapter_that_explains_it():
    for part in PARTS:
        assert explaining(part), f"No chapter explains the machine's {part}."
    for chapter in (*CHAPTERS, *PLANNED):
        unknown = set(chapter.parts) - set(PARTS)
        assert not unknown, f"{chapter.name} explains {unknown}, which the machine does not have."


@each_chapter
def test_a_written_chapter_explains_a_part(chapter):
    assert chapter.parts or chapter.number == 16, f"{chapter.name} names no part of the machine."


def test_the_table_of_contents_lists_the_chapters_in_order(root):
    toc = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    listed = pages_in_order(toc)
    for place, chapter in enumerate(CHAPTERS):
        entry = (f"book/{chapter.name}", f"{chapter.number} · {chapter.title}")
        found = listed[place] if place < len(listed) else "nothing"
        assert found == entry, f"_toc.yml has {found} where {entry} belongs"
    assert len(listed) == len(CHAPTERS), "_toc.yml lists a page that is no chapter's"


def test_the_page_of_the_capstone_stands_behind_the_last_chapter_s(root):
    toc = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    files = [entry["file"] for part in toc["parts"] for entry in part["chapters"]]
    page = page_of(CAPSTONE).removesuffix(".md")
    assert files[files.index(page) - 1] == f"book/{CHAPTERS[-1].name}"


def test_book_and_assignments_hold_no_chapter_that_the_table_lacks(root):
    for folder, pattern, names in (
        ("book", "*.md", CHAPTER_NAMES),
        ("solutions", "*", ASSIGNMENT_NAMES),
        ("exercises", "*", ASSIGNMENT_NAMES),
    ):
        strangers = sorted(names_in(root / folder, pattern) - names)
        assert not strangers, f"{folder}/ has {strangers}, which are not in the table of chapters."


@each_assignment
def test_a_page_has_the_chapter_s_title(root, chapter):
    page = (root / page_of(chapter)).read_text(encoding="utf-8")
    title = re.search(r"^# (.+)$", page, re.MULTILINE)[1]
    assert title == chapter.title, (
        f"{page_of(chapter)} is called {title!r}; src/headway/chapters.py says {chapter.title!r}."
    )


def is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # nor is there a package around it
        return False


@each_chapter
def test_the_modules_of_a_chapter_exist(chapter):
    row = f"The row of {chapter.name} in src/headway/chapters.py"
    assert chapter.modules, f"{row} names no module; name those that the page explains."
    for module in (*chapter.modules, *chapter.also_hidden):
        assert is_module(module), f"{row} names {module}, which there is not."


@each_assignment
@pytest.mark.parametrize("folder", ["solutions", "exercises"])
def test_check_cells_match_the_tasks(root, chapter, folder):
    notebook = nbformat.read(root / folder / chapter.notebook, as_version=4)
    tasks = tasks_of(chapter.name)
    cells = check_cells(notebook)
    path = f"{folder}/{chapter.notebook}"
    assert list(cells) == [task.id for task in tasks], (
        f"{path} does not check the tasks that TASKS lists, in their order."
    )
    for task in tasks:
        marks = cells[task.id].metadata.nbgrader
        assert marks.grade
        assert marks.locked
        assert not marks.solution
        points = 0 if task.bonus else task.points
        assert marks.points == points, (
            f"{path}: the check of {task.id} is worth {marks.points}; expected {points:g}."
        )


@each_assignment
def test_check_cells_hold_the_answers_that_the_tasks_name(root, chapter):
    notebook = nbformat.read(root / "solutions" / chapter.notebook, as_version=4)
    cells = check_cells(notebook)
    for task in tasks_of(chapter.name):
        assert cells[task.id].source.strip() == f'check("{task.id}", {task.answer})'


@each_assignment
def test_a_question_begins_with_the_title_the_points_and_the_minutes_of_its_task(root, chapter):
    notebook = nbformat.read(root / "solutions" / chapter.notebook, as_version=4)
    questions = {cell.id: cell.source for cell in notebook.cells}
    for task in tasks_of(chapter.name):
        points = f"{task.points:g} {'bonus ' if task.bonus else ''}point{'s'[task.points == 1 :]}"
        worth = f"*{'up to ' if task.bonus else ''}{points}, about {task.minutes} minute"
        question = questions.get(f"ask-{task.id.partition('/')[2]}", "")
        assert question.startswith(f"### {task.title}\n\n{worth}"), (
            f"solutions/{chapter.notebook}: the question of {task.id} does not begin with "
            f'"### {task.title}" and "{worth}…", as its task says.'
        )


@each_assignment
def test_page_and_assignment_link_to_each_other(root, chapter):
    config = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
    address = f"{config['html']['baseurl']}{page_of(chapter).removesuffix('.md')}.html"
    notebook = nbformat.read(released_notebook(chapter), as_version=4)
    assert address in "".join(cell.source for cell in notebook.cells), (
        f"exercises/{chapter.notebook} has no link to its page, {address}."
    )
    page = (root / page_of(chapter)).read_text(encoding="utf-8")
    assert ":::{assignment}" in page, f"{page_of(chapter)} has no :::{{assignment}}."


@pytest.mark.parametrize("text", ["1", "01", "one-hot", "01-one-hot", " 01 ", "One-Hot"])
def test_a_chapter_is_found_by_number_and_by_name(text):
    assert find_chapter(text).name == "01-one-hot"


@pytest.mark.parametrize("text", ["17", "capstone", "17-capstone"])
def test_the_capstone_is_found_as_a_chapter_is(text):
    assert find_chapter(text) is CAPSTONE


@pytest.mark.parametrize("text", ["99", "", "one hot", "-1", "1.0", "²"])
def test_an_unknown_chapter_is_answered_with_those_there_are(text):
    with pytest.raises(UnknownChapterError, match="The chapters are: 01-one-hot"):
        find_chapter(text)


def test_a_near_miss_gets_a_suggestion():
    with pytest.raises(UnknownChapterError, match=r"Did you mean 01-one-hot\?"):
        find_chapter("01-onehot")
