"""The class report in a browser: accessible, quiet, and as wide as the window."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from headway.chapters import CHAPTERS
from headway.grading.page import report_page
from headway.grading.report import Report, Row
from headway.grading.verdicts import TaskResult
from headway.tasks.find import tasks_of

pytestmark = pytest.mark.browser

LEVELS = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
NAME = CHAPTERS[0].name


def report() -> Report:
    """A class in which everything occurs."""
    tasks = tasks_of(NAME)
    right = {task.id: TaskResult("passed", task.points, task.points) for task in tasks}
    wrong = {
        task.id: TaskResult("failed", 0.0, task.points, task.misconceptions[0].name, "Wrong.")
        for task in tasks
    }
    return Report(
        NAME,
        {
            "ada": Row("graded", 24.0, 20.0, None, 2.0, right),
            "bob": Row("graded", 0.0, 20.0, None, 2.0, wrong),
            "cut": Row("set-aside", None, 20.0, "Its text is not JSON."),
            "zoe": Row("missing", None, 20.0, "Nothing was handed in."),
        },
    )


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1400])
def test_the_report_is_accessible_quiet_and_fits(browser, tmp_path, mode, width):
    path = tmp_path / "report.html"
    path.write_text(report_page(report()), encoding="utf-8")
    page = browser.new_page(color_scheme=mode, viewport={"width": width, "height": 900})
    said, asked = [], []
    page.on("console", lambda message: said.append(message.text))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    assert (said, asked) == ([], [path.as_uri()])
    assert page.evaluate("document.documentElement.scrollWidth") == width
    results = Axe().run(page, options=LEVELS)
    assert results.violations_count == 0, results.generate_report()
    page.close()


def test_an_empty_report_is_a_page_too(browser, tmp_path):
    path = tmp_path / "report.html"
    nobody = Report(NAME, {"zoe": Row("missing", None, 20.0, "Nothing was handed in.")})
    path.write_text(report_page(nobody), encoding="utf-8")
    page = browser.new_page()
    page.goto(path.as_uri())
    assert page.get_by_role("row").filter(has_text="zoe").is_visible()
    assert page.get_by_text("None was found.").is_visible()
    page.close()
