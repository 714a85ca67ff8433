"""The desk's pages in a browser: accessible, quiet, as wide as the window, read by keyboard."""

import nbformat
import pytest
from axe_playwright_python.sync_playwright import Axe

from headway.chapters import ASSIGNMENTS, CHAPTERS, course_root
from headway.desk.answers import ClassAnswers
from headway.desk.class_page import class_page
from headway.desk.mistakes import recurring_mistakes
from headway.desk.overview import Overview, Work, standings
from headway.desk.resemblance import resemblance
from headway.desk.resemblance_page import resemblance_page
from headway.desk.solutions import solution_page
from headway.desk.tasks import difficulties
from headway.grading.notebooks.verdicts import TaskResult
from headway.tasks.engine.find import tasks_of
from headway.tasks.engine.tries import Tries
from tests.browser.test_report import LEVELS, OVERFLOWING
from tests.desk.made_up import NOW

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
    parts = standings(overview), recurring_mistakes(overview), difficulties(overview)
    return class_page(overview, *parts, NOW)


def alike() -> str:
    """Two students with the same answer, one of them with a name that tries more."""
    lines = [f"    x.part{n} = work(x[{n}], 'a long text of some words <b>')" for n in range(200)]
    answers = {name: {"score": "\n".join(lines)} for name in (LONG, TURNED)}
    of_class = ClassAnswers(None, answers, {"score": ""}, frozenset(), {"cut": LONG})
    html = resemblance_page(TWO, of_class, resemblance(of_class))
    return html.replace("<details>", "<details open>")


def solution(chapter=ONE) -> str:
    """An assignment with its solution."""
    path = course_root() / "solutions" / chapter.notebook
    return solution_page(chapter, nbformat.read(path, as_version=4))


PAGES = {"class": the_class, "similar": alike, "solution": solution}


def opened(browser, path, html, **options):
    """A page in a window without a network; what it says and asks for must be nothing."""
    path.write_text(html, encoding="utf-8")
    page = browser.new_page(offline=True, **options)
    said, asked = [], []
    page.on("console", lambda message: said.append(message.text))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    assert (said, asked) == ([], [path.as_uri()])
    return page


@pytest.mark.parametrize("mode", ["light", pytest.param("dark", marks=full)])
@pytest.mark.parametrize("width", [390, pytest.param(1300, marks=full)])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_accessible_quiet_and_fits(browser, tmp_path, name, mode, width):
    window = {"color_scheme": mode, "viewport": {"width": width, "height": 900}}
    page = opened(browser, tmp_path / "page.html", PAGES[name](), **window)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.evaluate(OVERFLOWING) == []
    results = Axe().run(page, options=LEVELS)
    assert results.violations_count == 0, results.generate_report()
    page.close()


def test_who_made_a_mistake_unfolds_by_keyboard(browser, tmp_path):
    page = opened(
        browser, tmp_path / "page.html", the_class(), viewport={"width": 800, "height": 900}
    )
    fold = page.locator("details").first
    assert not fold.locator("bdi").first.is_visible()
    fold.locator("summary").focus()
    page.keyboard.press("Enter")
    assert fold.locator("bdi").first.is_visible()
    assert page.get_by_role("img").get_attribute("aria-label").startswith("Median share")
    page.close()


@pytest.mark.full(chapter=False)
@pytest.mark.parametrize("chapter", ASSIGNMENTS, ids=lambda chapter: chapter.name)
def test_every_solution_is_accessible_and_fits(browser, tmp_path, chapter):
    window = {"color_scheme": "dark", "viewport": {"width": 390, "height": 900}}
    page = opened(browser, tmp_path / "page.html", solution(chapter), **window)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    results = Axe().run(page, options=LEVELS)
    assert results.violations_count == 0, results.generate_report()
    page.close()
