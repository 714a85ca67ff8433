"""The book as one PDF: one HTML page with everything, printed by a browser.

A browser knows no page numbers of what it prints elsewhere on the page. So the book is printed,
the pages of all targets are read from the PDF, written into their places, and it is printed again,
until no number changes.
"""

import tempfile
from pathlib import Path

from lxml import html
from pikepdf import Name, ObjectStreamMode, OutlineItem, Pdf

from headway.editions.browser import VARIABLE, find_browser, print_page
from headway.editions.contents import Book
from headway.editions.cover import SUBJECT, write_cover
from headway.editions.document import fill_in, paper_document
from headway.errors import MachineError

PRINTS = 4  # at most


def make_pdf(book: Book, site: Path, file: Path, on_line=None) -> Path:
    """Print the book.

    Args:
        book: its pages, made still.
        site: the built site, whose fonts of formulas are used.
        file: the PDF to write.
        on_line: called with a line of what is being done.

    Raises:
        NoBrowserError: if no browser can be found.
        MachineError: if it prints nothing, or not what it should.
    """
    browser = find_browser()
    say = on_line or (lambda line: None)
    # Beside the site: a browser that is installed as a snap sees no /tmp but its own.
    with tempfile.TemporaryDirectory(prefix="paper-", dir=site.parent) as folder:
        scratch = Path(folder)
        document = paper_document(book, site, write_cover(book, scratch / "cover.svg"))
        source, printed = scratch / "book.html", scratch / "book.pdf"
        numbers: dict[str, int] = {}
        for turn in range(1, PRINTS + 1):
            say(f"printing the book, turn {turn}")
            source.write_bytes(html.tostring(document, doctype="<!doctype html>", encoding="utf-8"))
            print_page(source, printed, browser)
            found = page_numbers(printed, book)
            if found == numbers:
                break
            numbers = found
            fill_in(document, numbers)
        finish(printed, file, book)
    return file


def page_numbers(printed: Path, book: Book) -> dict[str, int]:
    """On which page each target of a link stands.

    Raises:
        MachineError: if the browser printed before the page was ready.
    """
    with Pdf.open(printed) as pdf:
        if str(pdf.docinfo.get("/Title")) != book.title:
            raise MachineError(
                "The browser printed the book before its formulas were set, or something else. "
                f"Try another browser: name its program in {VARIABLE}."
            )
        pages = {page.objgen: number for number, page in enumerate(pdf.pages, 1)}
        return {
            name.removeprefix("/"): pages[place[0].objgen]
            for name, place in pdf.Root.get("/Dests", {}).items()
        }


def finish(printed: Path, file: Path, book: Book) -> None:
    """The PDF with what a browser does not know of it, and the outline in view."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with Pdf.open(printed) as pdf:
        with pdf.open_metadata() as about:
            about["dc:title"] = book.title
            about["dc:creator"] = [book.author]
            about["dc:description"] = SUBJECT
            about["dc:language"] = [book.language]
        with pdf.open_outline() as outline:
            for item in outline.root:
                say_once(item)
        pdf.Root.PageMode = Name.UseOutlines
        pdf.save(file, object_stream_mode=ObjectStreamMode.generate)


def say_once(item: OutlineItem) -> None:
    """Undo a fault of Chromium, which says the title of a heading at the top of a page twice."""
    half = len(item.title) // 2
    if item.title[:half] == item.title[half:]:
        item.title = item.title[:half]
    for below in item.children:
        say_once(below)
