"""Sandboxes to attack: sessions, as submissions get them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from headway.grading.sandbox.limits import Limits
from headway.grading.sandbox.mounts import student_view
from headway.grading.sandbox.session import Session
from headway.grading.sandbox.sessions import SandboxedSessions, Sessions, TrustedSessions
from headway.grading.sandbox.student_package import make_student_package
from headway.runner.transport import receive, send

HIDDEN = ["headway.text.vocabulary"]


@pytest.fixture(scope="session")
def student_package(tmp_path_factory) -> Path:
    """The student's package for the first chapter."""
    folder = tmp_path_factory.mktemp("student_package") / "headway"
    given = "headway.text.categories"
    make_student_package(folder, (*HIDDEN, given), (given,))
    return folder


@pytest.fixture
def sessions(student_package) -> SandboxedSessions:
    """What gives sessions in a sandbox."""
    return SandboxedSessions(student_view(student_package), Limits(), HIDDEN)


@pytest.fixture
def torch_sessions(student_package) -> SandboxedSessions:
    """The same, with torch there before the first cell."""
    return SandboxedSessions(student_view(student_package), Limits(), HIDDEN, ["torch"])


@pytest.fixture(params=[SandboxedSessions, TrustedSessions])
def any_sessions(request, student_package) -> Sessions:
    """What gives sessions, of each kind."""
    if request.param is TrustedSessions:
        return TrustedSessions(student_package, Limits(), HIDDEN)
    return request.getfixturevalue("sessions")


def run_cell(session: Session, code: str, *arguments: object, seconds: float = 60) -> str:
    """Run a cell with `sys.argv[1:]` set; what it prints. An error is one of the test."""
    prepare = f"import sys; sys.argv[1:] = {[*map(str, arguments)]}\n"
    send(session.socket, {"do": "run", "source": prepare + code, "seconds": seconds})
    printed = []
    while (message := receive(session.socket, seconds + 5))["is"] != "done":
        output = message["output"]
        assert output["output_type"] == "stream", output
        printed.append(output["text"])
    return "".join(printed)


def ended_by(session: Session, code: str, *arguments: object) -> str | None:
    """Run a cell that never ends by itself; the limit that ended it."""
    try:
        run_cell(session, code, *arguments)
    except (EOFError, ConnectionError):
        return session.ended_by_limit()
    raise AssertionError("the cell came to its end")


@pytest.fixture
def printed(sessions) -> Callable[..., str]:
    """What code prints in a session of its own: printed(code, *arguments, **limits)."""

    def start(code: str, *arguments: object, **limits) -> str:
        with sessions.session(Limits(**limits)) as session:
            return run_cell(session, code, *arguments)

    return start
