"""Keep feedback pages that a later one replaces, for when somebody asks about an earlier score.

    DIR/feedback-earlier/STUDENT/ASSIGNMENT/2026-05-03-140211.html

The name is the time at which the page got its content.
"""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

MOST = 10  # pages of a student and an assignment; the oldest are removed
NAMED = "%Y-%m-%d-%H%M%S"


@contextmanager
def keeping_earlier(pages: Mapping[Path, Path]) -> Iterator[None]:
    """A context in which pages are written anew or removed, and those that change are kept.

    Args:
        pages: page → folder of its earlier versions.
    """
    for page, folder in pages.items():
        if page.is_file():
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copy2(page, folder / f"{_written(page):{NAMED}}.html")
    try:
        yield
    finally:
        for page, folder in pages.items():
            _settle(page, folder)


def earlier_pages(folder: Path) -> list[Path]:
    """The earlier versions of a page, oldest first."""
    return sorted(folder.glob("*.html"))


def _settle(page: Path, folder: Path) -> None:
    """Remove copies that equal the page, and those that are too many."""
    content = _content(page) if page.is_file() else None
    for copy in reversed(earlier_pages(folder)):
        if _content(copy) == content:
            shutil.copystat(copy, page)
            copy.unlink()
    for copy in earlier_pages(folder)[:-MOST]:
        copy.unlink()
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()


def _content(page: Path) -> bytes:
    """What a page says, apart from its style."""
    whole = page.read_bytes()
    return whole.partition(b"<main")[2] or whole


def _written(page: Path) -> datetime:
    return datetime.fromtimestamp(page.stat().st_mtime)
