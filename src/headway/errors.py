"""Errors that are meant for a person: a sentence, and the exit code that goes with it."""

import platform
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EDQUOT, EIO, ENOMEM, ENOSPC
from pathlib import Path

from headway.checkout import checkout

# Under this name pip knows the course; Python knows it as `headway`.
DISTRIBUTION = "headway-course"
PASSED, NOT_PASSED, BAD_INPUT, FAULT = 0, 1, 2, 3
SYSTEMS = {"Darwin": "macOS"}
OF_MACHINE = (ENOSPC, EDQUOT, ENOMEM, EIO)


class UserError(Exception):
    """Something that the person at the keyboard can mend.

    The message says what was given, what was expected and what to do.
    """


class MachineError(UserError):
    """Something that this machine could not do, whatever was asked of it: no room, no memory."""


def is_fault(error: BaseException | None) -> bool:
    """Whether an error is the machine's: no room, no memory, or a disk that fails."""
    if isinstance(error, shutil.Error):  # of many files, in words
        return any(f"[Errno {number}]" in str(error) for number in OF_MACHINE)
    return isinstance(error, OSError) and error.errno in OF_MACHINE


def install_command(extra: str = "") -> str:
    """The command that installs what an extra brings, from the course's checkout if there is one.

    Double quotes are right in the shells of all systems.
    """
    extra = f"[{extra}]" if extra else ""
    root = checkout()
    if root is None:
        return f'{quoted(sys.executable)} -m pip install "{DISTRIBUTION}{extra}"'
    if root == Path.cwd():
        return f'pip install -c constraints.txt -e ".{extra}"'
    constraints = root / "constraints.txt"
    return f'{quoted(sys.executable)} -m pip install -c "{constraints}" -e "{root}{extra}"'


def quoted(path: str) -> str:
    """A path as it is typed on a command line."""
    return f'"{path}"' if " " in path else path


def require_linux(what: str) -> None:
    """Make sure that a command which needs Linux is called on it.

    Raises:
        UserError: elsewhere; the message says where else it could run.
    """
    system = platform.system()
    if system != "Linux":
        raise UserError(
            f"{what} runs on Linux only, and this is {SYSTEMS.get(system, system)}: the sandbox "
            "and separate accounts need Linux. Use a Linux machine, a virtual one, or WSL 2 on "
            "Windows; everything a student needs runs here."
        )


@contextmanager
def needs_extra(extra: str, what: str) -> Iterator[None]:
    """Around the imports of a command whose packages are optional.

    Raises:
        UserError: if one is not installed; the message names the extra that brings it.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "headway").split(".")[0]
        if package == "headway":
            raise
        raise UserError(
            f"{what} needs the package {package!r}, which is not installed. "
            f"Install the course's {extra!r} extra: {install_command(extra)}"
        ) from error
