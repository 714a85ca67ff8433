"""A sandbox to attack: runs Python in it, with small limits that a test can widen."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from headway.grading.edition import make_edition
from headway.grading.limits import Limits
from headway.grading.sandbox import Ending, run
from headway.grading.view import student_view

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
