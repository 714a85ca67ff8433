"""What is asked of pages that a command writes as one file: they fit, and everybody reads them."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

LEVELS = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
OVERFLOWING = """[...document.querySelectorAll("th, td")]
  .filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.innerText)"""


def assert_it_reads_well(page: Page) -> None:
    """Nothing is wider than the window or than its cell, and axe-core finds no fault."""
    width = page.viewport_size["width"]
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.evaluate(OVERFLOWING) == []
    results = Axe().run(page, options=LEVELS)
    assert results.violations_count == 0, results.generate_report()
