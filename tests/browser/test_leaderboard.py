"""The leaderboard in a browser: accessible, quiet, as wide as the window, without scripts too."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from headway.chapters import CAPSTONE
from headway.grading.notebooks.leaderboard_name import LONGEST
from headway.grading.notebooks.verdicts import TaskResult
from headway.grading.results.leaderboard import board_of
from headway.grading.results.leaderboard_page import leaderboard_page
from headway.grading.results.report import Report, Row
from tests.browser.test_report import LEVELS, OVERFLOWING

pytestmark = pytest.mark.browser

TASK = board_of(CAPSTONE.name)


def class_of(**names: str) -> Report:
    """A class in which each is listed by a name, one less well than the other."""
    rows = {}
    for place, (student, name) in enumerate(names.items()):
        measured = dict.fromkeys(TASK.leaderboard.names, 1.2)
        measured |= {"parameters": 77_240, "the truth": 0.6, "bits per byte": 0.7 + place / 10}
        result = TaskResult("passed", 10.0, 10.0, None, None, measured, name)
        rows[student] = Row("graded", 10.0, 0.0, tasks={TASK.id: result})
    return Report(CAPSTONE.name, rows)


@pytest.mark.parametrize(("mode", "width"), [("light", 390), ("dark", 1400)])
def test_the_leaderboard_is_accessible_quiet_and_fits(browser, tmp_path, mode, width):
    path = tmp_path / "leaderboard.html"
    names = class_of(a="Ada", b="<script>alert(1)</script>", c="W" * LONGEST, d="Ada")
    path.write_text(leaderboard_page(names), encoding="utf-8")
    context = browser.new_context(color_scheme=mode, viewport={"width": width, "height": 900})
    page = context.new_page()
    said, asked = [], []
    page.on("console", lambda message: said.append(message.text))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    assert (said, asked) == ([], [path.as_uri()])
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.evaluate(OVERFLOWING) == []
    results = Axe().run(page, options=LEVELS)
    assert results.violations_count == 0, results.generate_report()
    context.close()


def test_who_stands_where_is_read_row_by_row_without_scripts(browser, tmp_path):
    path = tmp_path / "leaderboard.html"
    path.write_text(leaderboard_page(class_of(a="Ada", b="Ada", c="")), encoding="utf-8")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(path.as_uri())
    names = page.get_by_role("rowheader").all_inner_texts()
    assert [name for name in names if name.startswith("Ada")] == ["Ada", "Ada (2)"]
    assert page.get_by_role("row", name="2 Ada (2) 0.80 0.20 77,240").is_visible()
    context.close()
