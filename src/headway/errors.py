"""Errors that are meant for a person: a sentence, and the exit code that goes with it."""

import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EDQUOT, EIO, ENOMEM, ENOSPC
from pathlib import Path

PASSED, NOT_PASSED, BAD_INPUT, FAULT = 0, 1, 2, 3
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


def install_command(extra: str = "", package: str = "") -> str:
    """The command that installs what an extra brings, from the course's checkout if there is one.

    Elsewhere it names the packages that are lacking, and not the course itself: it is no package of
    the public index, where others may have one of its name.

    Args:
        package: what is missing although nothing of the extra is, as a package that another needs.
    """
    root = Path(__file__).resolve().parents[2]
    if not (root / "constraints.txt").is_file():
        from headway.extras import lacking  # which takes a while

        packages = lacking(extra) or package.split()
        return shlex.join([sys.executable, "-m", "pip", "install", *packages])
    extra = f"[{extra}]" if extra else ""
    if root == Path.cwd():
        return f"pip install -c constraints.txt -e '.{extra}'"
    return f"{sys.executable} -m pip install -c '{root}/constraints.txt' -e '{root}{extra}'"


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
            f"Install the course's {extra!r} extra: {install_command(extra, package)}"
        ) from error
