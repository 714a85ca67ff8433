"""The desk's pages in a browser: accessible, quiet, as wide as the window, read by keyboard."""

import nbformat
import pytest

from headway.chapters import ASSIGNMENTS, CHAPTERS, course_root
from headway.grading.desk.answers import ClassAnswers
from headway.grading.desk.class_page import class_page
from headway.grading.desk.mistakes import recurring_mistakes
from headway.grading.desk.overview import Overview, Work, students_by_progress
from headway.grading.desk.resemblance import resemblance
from headway.grading.desk.resemblance_page import resemblance_page
from headway.grading.desk.solutions import solution_page
from headway.grading.desk.tasks import difficulties
from headway.grading.notebooks.task_result import TaskResult
from headway.tasks.engine.find import tasks_of
from headway.tasks.engine.tries import Tries
from tests.browser.alone import assert_it_reads_well
from tests.grading.desk.made_up import NOW

pytestmark = pytest.mark.browser

ONE, TWO = CHAPTERS[:2]
LONG, TURNED = "n" * 255, "\u202eeve <img src=x onerror=alert(1)>"
MISTAKE = "columns-for-rows"  # of both
full = pytest.mark.full


def the_class() -> str:
    """A page on which everything occurs."""
    work = {}
    for place, student in enumerate(["ada", "bob", LONG, TURNED]):
        for chapter in (ONE, TWO):
            tasks = {
                task.id: TaskResult("failed", 0.0, task.points, MISTAKE, "Wrong.")
                for task in tasks_of(chapter.name)
            }
            tries = {tasks_of(chapter.name)[0].id: Tries(place, False)}
            work[student, chapter.name] = Work("graded", 5.5, 20.0, True, tasks, tries)
    for status in ("set-aside", "handed-in", "overdue", "missing", "open"):
        work |= {(status, chapter.name): Work(status, None, 20.0) for chapter in (ONE, TWO)}
    students = tuple(dict.fromkeys(student for student, _ in work))
    names = {"ada": "Ada Lovelace", "bob": LONG, TURNED: TURNED}
    overview = Overview(None, (ONE, TWO), students, work, {}, names)
    parts = students_by_progress(overview), recurring_mistakes(overview), difficulties(overview)
    return class_page(overview, *parts, NOW)


def alike() -> str:
    """Two students with the same answer, one of them with a name that tries more."""
    lines = [f"    x.part{n} = work(x[{n}], 'a long text of some words <b>')" for n in range(200)]
    answers = {name: {"score": "\n".join(lines)} for name in (LONG, TURNED)}
    of_class = ClassAnswers(None, answers, {"score": ""}, frozenset(), {"cut": LONG})
    html = resemblance_page(TWO, of_class, resemblance(of_class), {LONG: ["score"]})
    return html.replace("<details>", "<details open>")


def solution(chapter=ONE) -> str:
    """An assignment with its solution."""
    path = course_root() / "solutions" / chapter.notebook
    return solution_page(chapter, nbformat.read(path, as_version=4))


PAGES = {"class": the_class, "similar": alike, "solution": solution}


@pytest.mark.parametrize("mode", ["light", pytest.param("dark", marks=full)])
@pytest.mark.parametrize("width", [390, pytest.param(1300, marks=full)])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_accessible_quiet_and_fits(alone, name, mode, width):
    assert_it_reads_well(alone(PAGES[name](), mode, width))


@pytest.mark.full(chapter=False)
@pytest.mark.parametrize("chapter", ASSIGNMENTS, ids=lambda chapter: chapter.name)
def test_every_solution_is_accessible_and_fits(alone, chapter):
    assert_it_reads_well(alone(solution(chapter), "dark", 390))


def test_who_made_a_mistake_unfolds_by_keyboard(alone):
    page = alone(the_class())
    fold = page.locator("details").first
    assert not fold.locator("bdi").first.is_visible()
    fold.locator("summary").press("Enter")
    assert fold.locator("bdi").first.is_visible()
    assert page.get_by_role("img").get_attribute("aria-label").startswith("Median share")
