"""Keeping two runs out of one course folder."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from headway.errors import UserError

try:
    import fcntl
except ModuleNotFoundError:  # Windows has none; there two runs at once are not noticed
    fcntl = None


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other runs out of a course folder meanwhile.

    Raises:
        UserError: if another run is at work in it.
    """
    # The file stays: one that is deleted could be locked by one run and made anew by another.
    with (folder / ".headway.lock").open("w") as file:
        if fcntl:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise UserError(
                    f"Another headway grade is at work in {folder}. Wait for it, or stop it."
                ) from error
        yield
