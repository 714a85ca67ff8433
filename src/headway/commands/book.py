"""`headway book`: build the book, and serve it on this machine."""

from collections.abc import Callable
from pathlib import Path

from rich.text import Text

from headway.book import BookError, build_book
from headway.chapters import course_root
from headway.commands.console import err, say
from headway.commands.serve import address, make_server
from headway.errors import PASSED, UserError, needs_extra
from headway.interrupts import stopped_by_hand

Make = Callable[[Path, Path, Callable[[str], None]], list[Path]]


def run(serve: bool, port: int, pdf: bool = False, epub: bool = False) -> int:
    """Build the book and its editions, say where they are, and serve it until interrupted."""
    root = course_root()
    make = editions_maker(pdf, epub)  # what is missing for it is said before the long build
    server = make_server(root / "_build" / "html", port) if serve else None
    try:
        with err.status("building the book") as status:
            site = build_book(root, on_line=lambda line: status.update(Text(line[:70])))
            made = make(root, site, lambda line: status.update(Text(line))) if make else []
    except BookError as error:
        raise UserError(str(error)) from error
    say(f"The book is built: {site / 'index.html'}")
    for edition in made:
        say(f"{edition.suffix[1:].upper()}: {edition}")
    if server:
        say(f"Serving it at {address(server)} until you press Ctrl-C.")
        with server, stopped_by_hand():
            server.serve_forever()
    return PASSED


def editions_maker(pdf: bool, epub: bool) -> Make | None:
    """What makes the editions that are asked for; None if none is.

    Raises:
        UserError: if a package is not installed, or no browser that could print.
    """
    if not (pdf or epub):
        return None
    with needs_extra("paper", "headway book --pdf or --epub"):
        from headway.editions.browser import find_browser
        from headway.editions.make import make_editions
    if pdf:
        find_browser()
    return lambda root, site, on_line: make_editions(root, site, pdf, epub, on_line)
