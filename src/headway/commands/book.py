"""`headway book`: build the book, and serve it on this machine."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress, TaskID

from headway.book import BookError, build_book
from headway.checkout import course_root
from headway.commands.console import progress, say
from headway.errors import PASSED, UserError, needs_extra
from headway.interrupts import stopped_by_hand

STALE = re.compile(r"updating environment: .*?(\d+) added, (\d+) changed")
PAGE = re.compile(r"(reading sources|writing output)\.\.\. \[ *\d+%\] (\S+)")
Make = Callable[[Path, Path, Callable[[str], None]], list[Path]]


def book(
    serve: Annotated[bool, typer.Option("--serve", help="Serve it on this machine.")] = False,
    port: Annotated[int, typer.Option(help="Port of the server; 0 takes a free one.")] = 8000,
    pdf: Annotated[bool, typer.Option("--pdf", help="Make a PDF as well.")] = False,
    epub: Annotated[bool, typer.Option("--epub", help="Make an EPUB as well.")] = False,
) -> int:
    """Build the book."""
    from headway.commands.serve import address, make_server

    root = course_root()
    make = editions_maker(pdf, epub)  # what is missing for it is said before the long build
    server = make_server(root / "_build" / "html", port) if serve else None
    try:
        with progress() as bar:
            step = bar.add_task("building the book", total=None)
            site = build_book(root, on_line=page_counter(bar, step))
            made = make(root, site, lambda line: bar.update(step, description=line)) if make else []
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


def page_counter(bar: Progress, step: TaskID) -> Callable[[str], None]:
    """What counts pages from the lines of a build: each is run, or known already, then written."""

    def take(line: str) -> None:
        if stale := STALE.match(line):
            bar.update(step, total=2 * (int(stale[1]) + int(stale[2])))
        elif page := PAGE.match(line):
            what = "running" if page[1] == "reading sources" else "writing"
            bar.update(step, advance=1, description=f"{what} {page[2]}")

    return take


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
