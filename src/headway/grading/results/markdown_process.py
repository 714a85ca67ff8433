"""A process that makes HTML of Markdown and of code, and is ended where that takes too long.

    python -m headway.grading.results.markdown_process DESCRIPTOR

Some texts keep a Markdown parser busy for minutes, and some programs what colors them. Whoever
writes the gradebook, or serves the formgrader, lets another process read them: within a time and a
memory of its own. What it has not given back by then is shown as it was written.
"""

import resource
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from html import escape

from jinja2 import pass_context

from headway.grading.results.highlight import colored, language_of
from headway.grading.results.markdown import markdown_to_html
from headway.grading.results.sanitize import as_text, pictures_of
from headway.runner.transport import WireError, receive, send

STARTING_SECONDS, SECONDS = 60, 10
MEMORY = 1 << 30
REMEMBERED_LENGTH = 20_000
READY = "ready"
READERS = {"markdown": markdown_to_html, "code": colored}


class TooLong(Exception):  # noqa: N818 - an outcome, and no error of the program
    """No HTML came within the time."""


class MarkdownProcess:
    """The process as its parent sees it, started when it is needed and again after an ending.

    Args:
        seconds: that one text may take.
    """

    COMMAND = (sys.executable, "-m", "headway.grading.results.markdown_process")

    def __init__(self, seconds: float = SECONDS):
        self._seconds, self._process = seconds, None
        self._at_work = threading.Lock()

    def render(self, source: str, attachments: Mapping | None = None) -> str:
        """The HTML of a text; arguments as those of `markdown_to_html`.

        Raises:
            TooLong: if there is none within the time, or the process ends over it.
        """
        return self._ask("markdown", source, dict(attachments or {}))

    def color(self, source: str, language: str) -> str:
        """The HTML of code, as `render` gives that of a text."""
        return self._ask("code", source, language)

    def _ask(self, kind: str, source: str, more: dict | str) -> str:
        with self._at_work:
            self._start()
            try:
                send(self._socket, [kind, source, more], self._seconds)
                return receive(self._socket, self._seconds)
            except (TimeoutError, EOFError, WireError) as error:
                self._end()
                raise TooLong from error

    def close(self) -> None:
        """End the process, if there is one."""
        with self._at_work:
            self._end()

    def _start(self) -> None:
        if self._process:
            return
        self._socket, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [*self.COMMAND, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is the business of the parent
            )
        receive(self._socket, STARTING_SECONDS)

    def _end(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()
            self._socket.close()
        self._process = None


_process = MarkdownProcess()


@lru_cache(maxsize=256)  # a class shares most of its text
def _remembered(source: str) -> str:
    return _process.render(source)


@pass_context
def markdown_filter(context, source: str) -> str:
    """Markdown of a cell, with its attachments. In the place of nbconvert's `markdown2html`.

    Once a text of a page took too long, the others of this page that are not remembered yet are
    shown as they were written, too: a page waits once.
    """
    attachments = pictures_of(context.get("cell", {}))
    state = context.get("resources", {})
    try:
        if state.get("headway_too_long"):
            raise TooLong
        if attachments or len(source) > REMEMBERED_LENGTH:
            return _process.render(source, attachments)
        return _remembered(source)
    except TooLong:
        state["headway_too_long"] = True
        return as_text(source)


@pass_context
def code_filter(context, source: str, metadata: Mapping | None = None) -> str:
    """Code of a cell as colored HTML. In the place of nbconvert's `highlight_code`.

    Code that begins with a magic of cells is in a language of the student's choice.
    """
    state = context.get("resources", {})
    try:
        if state.get("headway_too_long"):
            raise TooLong
        return _process.color(source, language_of(metadata))
    except TooLong:
        state["headway_too_long"] = True
        return f"<pre>{escape(source)}</pre>"


def as_it_is(html: str) -> str:
    """In the place of nbconvert's `strip_files_prefix`: cleaning leaves no addresses of files.

    Its search takes minutes where a text holds thousands of beginnings of pictures.
    """
    return html


def main(descriptor: int) -> None:
    """Take texts from a socket until it closes."""
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, most))
    with socket.socket(fileno=descriptor) as sock, suppress(EOFError):
        send(sock, READY)
        while True:
            kind, source, more = receive(sock)
            send(sock, READERS[kind](source, more))


if __name__ == "__main__":
    main(int(sys.argv[1]))
