"""Errors that are meant for a person: a sentence, and the exit code that goes with it."""

from collections.abc import Iterator
from contextlib import contextmanager

PASSED, NOT_PASSED, BAD_INPUT, BUG = 0, 1, 2, 3


class UserError(Exception):
    """Something that the person at the keyboard can mend.

    The message says what was given, what was expected and what to do.
    """


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
            f"Install the course's {extra!r} extra: pip install -e '.[{extra}]'"
        ) from error
