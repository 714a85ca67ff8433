"""Serving on this machine, and to this machine only."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from headway.errors import UserError

HOST = "127.0.0.1"


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format, *args):
        pass


def make_server(folder: Path, port: int) -> ThreadingHTTPServer:
    """A server of a folder's files; its `serve_forever` starts it.

    Raises:
        UserError: if the port is not free.
    """
    with free(port):
        return ThreadingHTTPServer((HOST, port), partial(_Quiet, directory=str(folder)))


@contextmanager
def free(port: int) -> Iterator[None]:
    """Around making a server: a port that cannot be had becomes a sentence.

    Raises:
        UserError: if the port is not free.
    """
    try:
        yield
    except (OSError, OverflowError) as error:
        raise UserError(
            f"Port {port} of {HOST} cannot be used: {str(error).rstrip('.')}. "
            "Choose another with --port, or let --port 0 find a free one."
        ) from error


def address(server: ThreadingHTTPServer) -> str:
    """Where a browser finds the server."""
    return f"http://{HOST}:{server.server_port}/"
