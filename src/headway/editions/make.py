"""From a built site to its editions."""

from collections.abc import Callable
from pathlib import Path

from headway.editions.contents import Book, read_book
from headway.editions.links import drop_links_to_the_site
from headway.editions.offer import offer
from headway.editions.paper import make_pdf
from headway.editions.predictions import collect_answers
from headway.editions.reader import make_epub
from headway.editions.still import make_still

CLAIMS = "claims"  # the page on all claims


def make_editions(
    root: Path,
    site: Path,
    pdf: bool = True,
    epub: bool = True,
    on_line: Callable[[str], None] | None = None,
) -> list[Path]:
    """Make the PDF, the EPUB or both, put them into the site, and link them on its front page.

    Args:
        root: the checkout.
        site: the built site.
        on_line: called with a line of what is being done.

    Raises:
        NoSiteError: if a page has not been built.
        NoBrowserError, MachineError: if the PDF cannot be printed.
    """
    book = still_book(root, site)
    made = []
    if epub:
        made.append(make_epub(book, site, site / "headway.epub"))
    if pdf:
        made.append(make_pdf(book, site, site / "headway.pdf", on_line))
    offer(site)
    return made


def still_book(root: Path, site: Path) -> Book:
    """All pages without what moves, unfolds or asks, and with the answers at the end."""
    book = read_book(root, site)
    if not book.address:
        drop_links_to_the_site(book)
    collect_answers(book)
    for page in book.pages:
        make_still(page.content, with_tests=page.name == CLAIMS)
    return book
