"""A session that may lie."""

import socket
import threading
from contextlib import nullcontext, suppress

import pytest

from headway.grading.execution.client import Client
from headway.runner.transport import receive, send

ANSWER, ENDED = {"is": "answer", "blank": False}, {"is": "ended"}


class FakeSession:
    """What a client sees of a session, with a clock of its own.

    Args:
        step: seconds by which its clock advances each time it is asked.
    """

    def __init__(self, sock, step=0.0):
        self.socket, self._step, self._seconds = sock, step, 0.0

    @property
    def seconds(self):
        self._seconds += self._step
        return self._seconds

    def let_pass(self, seconds):
        self._seconds += seconds

    def awaited(self):
        return nullcontext()


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

    def start(*replies, step=0.0):
        threading.Thread(target=talk_until_nobody_listens, args=[replies], daemon=True).start()
        return Client(FakeSession(ours, step))

    start.heard, start.hang_up = heard, theirs.close
    with ours, theirs:
        yield start
