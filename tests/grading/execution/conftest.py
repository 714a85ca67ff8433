"""A session that may lie."""

import socket
import threading
from contextlib import suppress
from types import SimpleNamespace

import pytest

from headway.grading.execution.client import Client
from headway.runner.transport import receive, send

ANSWER, ENDED = {"is": "answer", "blank": False}, {"is": "ended"}


def gives(value):
    return {"is": "outcome", "value": value, "printed": ""}


@pytest.fixture
def session():
    """A session that gives prepared replies: session(reply, …), each to one thing that is said."""
    ours, theirs = socket.socketpair()
    heard = []

    def talk(replies):
        for reply in replies:
            heard.append(receive(theirs))
            for piece in reply if isinstance(reply, list) else [reply]:
                if isinstance(piece, bytes):
                    theirs.sendall(piece)
                elif piece is not None:
                    send(theirs, piece)

    def talk_until_nobody_listens(replies):
        with suppress(EOFError):
            talk(replies)

    def start(*replies):
        threading.Thread(target=talk_until_nobody_listens, args=[replies], daemon=True).start()
        return Client(SimpleNamespace(socket=ours, starved_seconds=0.0))

    start.heard, start.hang_up = heard, theirs.close
    with ours, theirs:
        yield start
