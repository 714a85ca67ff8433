"""`headway book`: build the book, and serve it on this machine."""

from rich.text import Text

from headway.book import BookError, build_book
from headway.chapters import course_root
from headway.commands.console import err, say
from headway.commands.serve import address, make_server
from headway.errors import PASSED, UserError
from headway.interrupts import stopped_by_hand


def run(serve: bool, port: int) -> int:
    """Build the book, say where it is, and serve it until interrupted."""
    root = course_root()
    server = make_server(root / "_build" / "html", port) if serve else None
    try:
        with err.status("building the book") as status:
            site = build_book(root, on_line=lambda line: status.update(Text(line[:70])))
    except BookError as error:
        raise UserError(str(error)) from error
    say(f"The book is built: {site / 'index.html'}")
    if server:
        say(f"Serving it at {address(server)} until you press Ctrl-C.")
        with server, stopped_by_hand():
            server.serve_forever()
    return PASSED
