"""The student's way in the real JupyterLab: start, run a cell, read the card, move a slider."""

import re
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell
from playwright.sync_api import expect

from headway.chapters import CHAPTERS

pytestmark = [pytest.mark.jupyter, pytest.mark.browser]

CHAPTER = CHAPTERS[0]
SLIDER = """\
import ipywidgets
slider = ipywidgets.IntSlider(value=3, min=0, max=9, description="shift")
echo = ipywidgets.HTML()
slider.observe(lambda change: setattr(echo, "value", f"the kernel saw {change.new}"), "value")
ipywidgets.VBox([slider, echo])"""


def run_cells(page, count: int) -> None:
    """Run cells from the top, as a student does, with Shift+Enter."""
    page.locator(".jp-Notebook .jp-Cell").first.click()
    page.keyboard.press("Escape")
    for _ in range(count):
        page.keyboard.press("Shift+Enter")


def test_the_assignment_opens_and_a_check_and_a_slider_work(jupyter, page, tmp_path):
    work = tmp_path / "work"
    headway = [sys.executable, "-c", "from headway.cli import main; main()"]
    start = [*headway, "start", f"{CHAPTER.number:02d}", "--folder", str(work)]
    server = jupyter([*start, "--no-browser", "--"], tmp_path)

    path = work / CHAPTER.notebook
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.insert(2, new_code_cell(SLIDER))
    (dot,) = (cell for cell in notebook.cells if cell.source.startswith("dot ="))
    dot.source = "dot = -2"
    nbformat.write(notebook, path)

    page.goto(server.url(f"lab/tree/{CHAPTER.name}.ipynb"))
    expect(page.locator(".jp-NotebookPanel .jp-Cell").first).to_be_visible()
    expect(page.get_by_text("Python 3 (ipykernel) | Idle")).to_be_visible()

    last = next(i for i, cell in enumerate(notebook.cells) if cell.source.startswith('check("'))
    run_cells(page, last + 1)
    card = page.locator(".hw-card").first
    expect(card).to_contain_text("Not yet: A right angle by hand, 0 of 1 point")
    expect(card).to_contain_text("signs-lost")

    handle = page.locator(".widget-slider .noUi-handle")
    handle.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".widget-readout").first).to_have_text("4")
    expect(page.get_by_text("the kernel saw 4")).to_be_visible()

    answer = page.locator(".jp-CodeCell", has_text=re.compile(r"^\s*(\[\d+\]:)?\s*dot = -2")).first
    answer.locator(".cm-content").click()
    page.keyboard.press("Control+A")
    page.keyboard.type("dot = (2*5 - 4*1) / 3")
    page.keyboard.press("Shift+Enter")
    page.keyboard.press("Shift+Enter")
    expect(page.locator(".hw-card.hw-passed").first).to_contain_text(
        "Passed: A right angle by hand"
    )
