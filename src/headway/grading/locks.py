"""A lock, so that only one run at a time works in a course folder."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from headway.errors import UserError

try:
    import fcntl
except ModuleNotFoundError:  # Windows has no fcntl; there two runs at once are not noticed
    fcntl = None


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """A context that locks a course folder against other runs.

    Raises:
        UserError: if another run has locked it.
    """
    # The file is never deleted: one run could lock the deleted file and another one a new file.
    with (folder / ".headway.lock").open("w") as file:
        if fcntl:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise UserError(
                    f"Another headway grade is at work in {folder}. Wait for it, or stop it."
                ) from error
        yield
