"""Sandboxes to attack: sessions of both kinds, as submissions get them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from headway.grading.sandbox.limits import Limits
from headway.grading.sandbox.mounts import student_view
from headway.grading.sandbox.session import Session
from headway.grading.sandbox.sessions import (
    ForkedSessions,
    FreshSessions,
    Sessions,
    TrustedSessions,
)
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


@pytest.fixture(scope="session")
def sessions(student_package) -> Iterator[ForkedSessions]:
    """A fork server, which gives one session after another."""
    with ForkedSessions(student_view(student_package), Limits(), HIDDEN) as made:
        assert made.is_forking, made.note
        yield made


def sessions_of(kind: type, request: pytest.FixtureRequest) -> Sessions:
    """What gives sessions of a kind; a fork server serves all tests."""
    if kind is ForkedSessions:
        return request.getfixturevalue("sessions")
    package = request.getfixturevalue("student_package")
    place = package if kind is TrustedSessions else student_view(package)
    return kind(place, Limits(), HIDDEN)


@pytest.fixture(params=[ForkedSessions, FreshSessions])
def sandboxes(request) -> Sessions:
    """What gives sessions, of each kind that is shut in."""
    return sessions_of(request.param, request)


@pytest.fixture(params=[ForkedSessions, FreshSessions, TrustedSessions])
def any_sessions(request) -> Sessions:
    """What gives sessions, of each kind."""
    return sessions_of(request.param, request)


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
def printed(sandboxes) -> Callable[..., str]:
    """What code prints in a session of its own: printed(code, *arguments, **limits)."""

    def start(code: str, *arguments: object, **limits) -> str:
        with sandboxes.session(Limits(**limits)) as session:
            return run_cell(session, code, *arguments)

    return start
