"""Run a page with its trials from ten seeds, and record what they find.

See `headway.training.trials`.
"""

import os
import sys
from pathlib import Path

from myst_nb.core.read import read_myst_markdown_notebook
from nbclient import NotebookClient

from headway.chapters import find_chapter
from headway.training.trials import FOLDER, WRITE_TO

PAGES = Path(__file__).resolve().parents[1] / "book"
sys.path.insert(0, str(PAGES / "_ext"))
from headway_book.one_file import with_file_before  # noqa: E402 - no installed package


def run_trials(chapter: str, folder: Path) -> None:
    """Execute the page of a chapter, "09"; its trials write their records into a folder."""
    run_page(chapter, {WRITE_TO: str(folder)})


def run_page(chapter: str, more: dict[str, str]) -> None:
    """Execute the page of a chapter, "09", with more variables in its environment."""
    path = PAGES / f"{find_chapter(chapter).name}.md"
    page = read_myst_markdown_notebook(with_file_before(path.read_text(encoding="utf-8"), path))
    NotebookClient(page, timeout=None, resources={"metadata": {"path": str(PAGES)}}).execute(
        env=os.environ | more
    )


if __name__ == "__main__":
    run_trials(sys.argv[1], FOLDER)
