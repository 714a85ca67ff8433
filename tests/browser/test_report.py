"""The class report in a browser: accessible, quiet, and as wide as the window."""

import pytest

from headway.chapters import CHAPTERS
from headway.grading.notebooks.task_result import TaskResult
from headway.grading.results.report import Report, Row
from headway.grading.results.report_page import report_page
from headway.tasks.engine.find import tasks_of
from tests.browser.alone import assert_it_reads_well

pytestmark = pytest.mark.browser

NAME = CHAPTERS[0].name


def report() -> Report:
    """A class in which everything occurs."""
    tasks = tasks_of(NAME)
    right = {task.id: TaskResult("passed", task.points, task.points) for task in tasks}
    wrong = {
        task.id: TaskResult("failed", 0.0, task.points, task.misconceptions[0].name, "Wrong.")
        for task in tasks
    }
    long = "n" * 255
    turned = "\u202eeman <img src=x onerror=alert(1)>"
    return Report(
        NAME,
        {
            "ada": Row("graded", 24.0, 20.0, None, 2.0, right, ("The cell 'dot' was put back.",)),
            "bob": Row("graded", 0.0, 20.0, None, 200.0, wrong, (), ("12 → 0, a task changed",)),
            long: Row("graded", 12.5, 20.0, None, 2.0, wrong, (long,), (long,)),
            "cut": Row("set-aside", None, 20.0, "Its text is not JSON."),
            turned: Row("set-aside", None, 20.0, f"</table><script>alert(1)</script>{turned}"),
            "r" * 255: Row("set-aside", None, 20.0, "r" * 5000),
            "yan": Row("missing", None, 20.0, "Nothing was handed in."),
            "zoe": Row("missing", None, 20.0, "Nothing was handed in."),
        },
        warnings=("Graded with --trust-submissions: without a sandbox.",),
        footnote="Hidden cases were drawn from seed 3f2a.",
    )


@pytest.mark.parametrize("mode", ["light", pytest.param("dark", marks=pytest.mark.full)])
@pytest.mark.parametrize("width", [390, pytest.param(1400, marks=pytest.mark.full)])
def test_the_report_is_accessible_quiet_and_fits(alone, mode, width):
    assert_it_reads_well(alone(report_page(report()), mode, width))


def test_the_report_is_read_from_the_keyboard_and_on_paper(alone):
    page = alone(report_page(report()), "dark", 700)
    wide = page.locator(".wide").last
    wide.press("ArrowRight")
    for _ in range(2_000):  # its rules forbid the page what `wait_for_function` needs
        if wide.evaluate("it => it.scrollLeft"):
            break
        page.wait_for_timeout(50)
    assert wide.evaluate("it => it.scrollLeft") > 0
    assert wide.evaluate("it => getComputedStyle(it).outlineStyle") == "solid"
    link = page.get_by_role("link", name="ada").first
    assert link.get_attribute("href") == f"feedback/ada/{NAME}/{NAME}.html"
    page.emulate_media(media="print")
    assert wide.evaluate("it => getComputedStyle(it).overflowX") == "visible"


def test_the_scores_are_drawn_and_told_and_a_reason_that_many_share_is_said_once(alone):
    page = alone(report_page(report()))
    name = page.get_by_role("img").get_attribute("aria-label")
    assert "0 to 3: 1, 3 to 6: 0" in name
    assert "21 to 24: 1." in name
    bars = page.locator("svg rect")
    assert bars.count() == 8
    assert bars.first.bounding_box()["height"] > 50 > 1 > bars.nth(1).bounding_box()["height"]
    absent = page.get_by_role("row").filter(has_text="Nothing was handed in.")
    assert absent.get_by_role("rowheader").text_content() == "yan, zoe"
    assert page.get_by_role("row").filter(has_text="Its text is not JSON.").count() == 1


def test_an_empty_report_is_a_page_too(alone):
    nobody = Report(NAME, {"zoe": Row("missing", None, 20.0, "Nothing was handed in.")})
    page = alone(report_page(nobody))
    assert page.get_by_role("row").filter(has_text="zoe").is_visible()
    assert page.get_by_text("None was found.").is_visible()
