"""The server of the page: it answers to this machine only, and to no other page.

    GET  /         the page
    POST /ask      a request as JSON → its answer as JSON, or {"error": a sentence for the reader}

A page of another site can make a browser send requests here. It cannot read the answers, unless it
gives its own name the address 127.0.0.1 (DNS rebinding). So the names under which the server was
asked, and from where, must be its own, and a request must come as JSON, which a browser lets no
other site send without asking the server first.
"""

import json
import secrets
import select
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from headway.explore.answers import Answers
from headway.explore.asked import RefusedError

LARGEST = 1_000_000  # bytes of a request
NAMES = ("127.0.0.1", "localhost")
HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
POLICY = (
    "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'unsafe-inline'; img-src data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
FAILED = "The model could not answer this; the terminal says why."
JSON, HTML = "application/json", "text/html; charset=utf-8"


class Server(ThreadingHTTPServer):
    """Serves the page and the answers about one model, a thread for each request.

    Its port is taken at once, so that a taken one is known before a model is read.

    Args:
        address: of 127.0.0.1, with a port; 0 takes a free one.
        report: takes a line about an error of the program.
    """

    daemon_threads = False  # one that is inside torch when Python ends would abort the process
    request_queue_size = 64

    def __init__(self, address: tuple[str, int], report: Callable[[str], None]):
        self.report, self.lock, self.is_over = report, threading.Lock(), False
        self.open: set[socket.socket] = set()
        super().__init__(address, Handler)
        self.hosts = {f"{name}:{self.server_port}" for name in NAMES}
        self.origins = {f"http://{host}" for host in self.hosts}

    def serve(self, answers: Answers, page: Callable[[str], str]) -> None:
        """Answer until another thread, or a signal, ends it.

        Args:
            answers: asked by one thread at a time.
            page: makes the page from the nonce that its scripts must bear.
        """
        self.answers, self.page = answers, page
        self.serve_forever()

    def handle_error(self, request: object, client_address: object) -> None:
        """Report what failed, unless whoever asked has left; the next one is served as ever."""
        error = sys.exception()
        if not isinstance(error, (ConnectionError, TimeoutError)):
            self.report(f"{type(error).__name__}: {error}")

    def process_request(self, request: socket.socket, client_address: object) -> None:
        """Begin a thread for a connection."""
        self.open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: socket.socket) -> None:
        """End a connection."""
        self.open.discard(request)
        super().shutdown_request(request)

    def server_close(self) -> None:
        """Take no more requests, and wait for the answer that is being computed."""
        self.is_over = True
        for connection in list(self.open):  # who has asked nothing yet is not waited for
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RD)
        super().server_close()


class Handler(BaseHTTPRequestHandler):
    """One request."""

    server: Server
    server_version, sys_version = "headway", ""
    timeout = 60  # seconds for a client to say what it wants

    def do_GET(self) -> None:
        """The page."""
        if fault := self.fault():
            self.send_error(*fault)
        elif self.path.partition("?")[0] != "/":
            self.send_error(HTTPStatus.NOT_FOUND, "There is one page here: /")
        else:
            nonce = secrets.token_urlsafe(16)
            policy = {"Content-Security-Policy": POLICY.format(nonce=nonce)}
            self.reply(HTTPStatus.OK, HTML, self.server.page(nonce), policy)

    def do_POST(self) -> None:
        """The answer to a question."""
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()):
            return self.send_error(HTTPStatus.LENGTH_REQUIRED, "A request must say its length.")
        if len(length) > 9 or int(length) > LARGEST:
            return self.send_error(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                f"A request has at most {LARGEST:,} bytes.",
            )
        body = self.rfile.read(int(length))
        if len(body) < int(length):
            return None  # whoever asked has left
        if fault := self.fault():
            return self.send_error(*fault)
        if self.path != "/ask":
            return self.send_error(HTTPStatus.NOT_FOUND, "Questions are asked at /ask.")
        if self.headers.get_content_type() != JSON:
            return self.send_error(
                HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"A question comes as {JSON}."
            )
        return self.answer(body)

    def fault(self) -> tuple[HTTPStatus, str] | None:
        """Why a request is refused whatever it asks; None if it comes from this page."""
        host, origin = self.headers.get("Host"), self.headers.get("Origin")
        if host not in self.server.hosts:
            names = " or ".join(f"http://{host}/" for host in sorted(self.server.hosts))
            return HTTPStatus.FORBIDDEN, f"This page answers only at {names}."
        if origin is not None and origin not in self.server.origins:
            return HTTPStatus.FORBIDDEN, "Another page may not ask this model."
        return None

    def answer(self, body: bytes) -> None:
        """Reply to a question that was asked properly."""
        try:
            request = json.loads(body)
        except (ValueError, RecursionError):
            return self.send_error(HTTPStatus.BAD_REQUEST, "The question is no JSON.")
        with self.server.lock:
            if self.server.is_over or has_left(self.connection):
                return None
            try:
                said = json.dumps(self.server.answers.answer(request), allow_nan=False)
                fault = None
            except RefusedError as error:
                fault = HTTPStatus.BAD_REQUEST, str(error)
            except Exception as error:  # the page must learn of it, and the server go on
                self.server.report(f"{type(error).__name__}: {error}")
                fault = HTTPStatus.INTERNAL_SERVER_ERROR, FAILED
        return self.send_error(*fault) if fault else self.reply(HTTPStatus.OK, JSON, said)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Refuse with a sentence; `http.server` calls this too, for what is no HTTP."""
        said = message or HTTPStatus(code).phrase
        self.reply(code, JSON, json.dumps({"error": said}))

    def reply(self, code: int, kind: str, text: str, more: dict[str, str] | None = None) -> None:
        """Send a whole answer; the connection ends with it."""
        content = text.encode()
        self.send_response(code)
        length = {"Content-Type": kind, "Content-Length": str(len(content)), "Connection": "close"}
        for name, value in (HEADERS | length | (more or {})).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: each key that a reader types would be a line."""


def has_left(connection: socket.socket) -> bool:
    """Whether whoever asked has closed the connection meanwhile, as a page does that types on."""
    readable, _, _ = select.select([connection], [], [], 0)
    return bool(readable) and connection.recv(1, socket.MSG_PEEK) == b""
