"""Sandboxes to attack: a program's own, and a seat of a warm process."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from headway.grading.sandbox.factories import WarmSeats
from headway.grading.sandbox.limits import Limits
from headway.grading.sandbox.mounts import student_view
from headway.grading.sandbox.process import Seat
from headway.grading.sandbox.student_package import make_edition
from headway.runner.transport import receive, send
from tests.hostile.sandbox import Ending, run

SMALL = {"wall_seconds": 10, "cpu_seconds": 5, "memory_bytes": 200 << 20, "space_bytes": 16 << 20}


@pytest.fixture(scope="session")
def edition(tmp_path_factory) -> Path:
    """The student's edition for the first chapter."""
    folder = tmp_path_factory.mktemp("edition") / "headway"
    given = "headway.text.categories"
    make_edition(folder, ("headway.text.vocabulary", given), (given,))
    return folder


@pytest.fixture
def attack(edition) -> Callable[..., Ending]:
    """Runs Python code in the sandbox: attack(code, *arguments, pass_fds=(), **limits)."""

    def start(code: str, *arguments: object, pass_fds=(), **limits) -> Ending:
        command = [sys.executable, "-c", code, *map(str, arguments)]
        return run(command, student_view(edition), Limits(**SMALL | limits), pass_fds)

    return start


@pytest.fixture(scope="session")
def seats(edition) -> Iterator[WarmSeats]:
    """A warm process, which gives one seat after another."""
    with WarmSeats(student_view(edition), Limits(), ["headway.text.vocabulary"]) as warm:
        assert warm.is_warm, warm.note
        yield warm


def run_cell(seat: Seat, code: str, *arguments: object, seconds: float = 20) -> str:
    """Run a cell with `sys.argv[1:]` set; what it prints. An error is one of the test."""
    prepare = f"import sys; sys.argv[1:] = {[*map(str, arguments)]}\n"
    send(seat.socket, {"do": "run", "source": prepare + code, "seconds": seconds})
    printed = []
    while (message := receive(seat.socket, seconds + 5))["is"] != "done":
        output = message["output"]
        assert output["output_type"] == "stream", output
        printed.append(output["text"])
    return "".join(printed)


@pytest.fixture
def seated(seats) -> Callable[..., str]:
    """What code prints in a seat of its own: seated(code, *arguments, **limits)."""

    def start(code: str, *arguments: object, **limits) -> str:
        with seats.seat(Limits(**limits)) as seat:
            return run_cell(seat, code, *arguments)

    return start


@pytest.fixture
def printed_by_program(attack) -> Callable[..., str]:
    """What code prints in the sandbox; it must come to its end."""

    def start(code: str, *arguments: object, **options) -> str:
        ending = attack(code, *arguments, **options)
        assert (ending.how, ending.code) == ("exited", 0), ending.stderr.decode()
        return ending.stdout.decode()

    return start


@pytest.fixture(params=["printed_by_program", "seated"])
def printed(request) -> Callable[..., str]:
    """What code prints, in each of the two kinds of sandbox."""
    return request.getfixturevalue(request.param)
