"""Sandboxes to attack: a program's own, and a session of a fork server."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from headway.grading.sandbox.limits import Limits
from headway.grading.sandbox.mounts import student_view
from headway.grading.sandbox.session import Session
from headway.grading.sandbox.sessions import ForkedSessions
from headway.grading.sandbox.student_package import make_student_package
from headway.runner.transport import receive, send
from tests.hostile.sandbox import Ending, run

SMALL = {"wall_seconds": 60, "cpu_seconds": 10, "memory_bytes": 200 << 20, "space_bytes": 16 << 20}


@pytest.fixture(scope="session")
def student_package(tmp_path_factory) -> Path:
    """The student's package for the first chapter."""
    folder = tmp_path_factory.mktemp("student_package") / "headway"
    given = "headway.text.categories"
    make_student_package(folder, ("headway.text.vocabulary", given), (given,))
    return folder


@pytest.fixture
def attack(student_package) -> Callable[..., Ending]:
    """Runs Python code in the sandbox: attack(code, *arguments, pass_fds=(), **limits)."""

    def start(code: str, *arguments: object, pass_fds=(), **limits) -> Ending:
        command = [sys.executable, "-c", code, *map(str, arguments)]
        return run(command, student_view(student_package), Limits(**SMALL | limits), pass_fds)

    return start


@pytest.fixture(scope="session")
def sessions(student_package) -> Iterator[ForkedSessions]:
    """A fork server, which gives one session after another."""
    with ForkedSessions(
        student_view(student_package), Limits(), ["headway.text.vocabulary"]
    ) as made:
        assert made.is_forking, made.note
        yield made


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


@pytest.fixture
def in_session(sessions) -> Callable[..., str]:
    """What code prints in a session of its own: in_session(code, *arguments, **limits)."""

    def start(code: str, *arguments: object, **limits) -> str:
        with sessions.session(Limits(**limits)) as session:
            return run_cell(session, code, *arguments)

    return start


@pytest.fixture
def printed_by_program(attack) -> Callable[..., str]:
    """What code prints in the sandbox; it must come to its end."""

    def start(code: str, *arguments: object, **options) -> str:
        ending = attack(code, *arguments, **options)
        assert (ending.how, ending.code) == ("exited", 0), ending.stderr.decode()
        return ending.stdout.decode()

    return start


@pytest.fixture(params=["printed_by_program", "in_session"])
def printed(request) -> Callable[..., str]:
    """What code prints, in each of the two kinds of sandbox."""
    return request.getfixturevalue(request.param)
