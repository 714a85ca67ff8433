"""A fork server without a sandbox, and a client of one of its sessions."""

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from headway.runner.transport import receive, send

PATIENCE = 120  # seconds, on a busy machine; nothing waits so long where all is well


class SessionClient:
    """Asks things of a session, as the worker does."""

    def __init__(self, sock: socket.socket):
        self.sock = sock

    def ask(self, **message):
        send(self.sock, message, PATIENCE)
        return receive(self.sock, PATIENCE)

    def run(self, source: str, seconds: float = PATIENCE) -> tuple[list[dict], bool]:
        message = self.ask(do="run", source=source, seconds=seconds)
        outputs = []
        while message["is"] == "output":
            outputs.append(message["output"])
            message = receive(self.sock, PATIENCE)
        assert message["is"] == "done"
        return outputs, message["error"]

    def text(self, source: str, seconds: float = PATIENCE) -> str:
        outputs, error = self.run(source, seconds)
        assert not error, outputs
        return "".join(output.get("text", "") for output in outputs)

    def answer(self, expression: str, seconds: float = PATIENCE) -> dict:
        return self.ask(do="answer", expression=expression, seconds=seconds)

    def call(self, expression: str, *inputs, seconds: float = PATIENCE) -> dict:
        """One call of an answer, from its evaluation to its end."""
        answer = self.answer(expression, seconds)
        if answer["is"] != "answer":
            return answer
        outcome = self.ask(do="ask", verb="call", inputs=list(inputs))
        if outcome["is"] == "outcome":
            assert self.ask(do="end") == {"is": "ended"}
        return outcome

    def value(self, expression: str, *inputs):
        outcome = self.call(expression, *inputs)
        assert outcome["is"] == "outcome", outcome
        return outcome["value"]


@pytest.fixture(scope="package")
def fork_server():
    """A process that has imported everything and forks a session for each socket."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    script = str(Path(__file__).with_name("forked_sessions.py"))
    with ours, subprocess.Popen([sys.executable, script], stdin=theirs) as process:
        theirs.close()
        yield ours
        ours.close()
        assert process.wait(PATIENCE) == 0


@pytest.fixture
def session(fork_server):
    """A fresh session."""
    ours, theirs = socket.socketpair()
    with ours:
        socket.send_fds(fork_server, [b"s"], [theirs.fileno()])
        theirs.close()
        yield SessionClient(ours)
