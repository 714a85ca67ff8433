"""Write files and folders atomically."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryDirectory

SCRATCH = ".headway-"


def clear_scratch(*folders: Path) -> None:
    """Remove unfinished files and folders that a killed process has left in these folders."""
    for folder in folders:
        for path in folder.glob(f"{SCRATCH}*"):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)


def write_atomically(path: Path, write: Callable[[Path], None], mode: int | None = None) -> None:
    """Write a file so that at any moment either the old or the new one is there, complete.

    Args:
        write: writes the content to a given path, which only the owner can read until the end.
        mode: permissions of the file; None means the umask's default.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, prefix=SCRATCH, delete=False) as scratch:
        new = Path(scratch.name)
    try:
        write(new)
        new.chmod(_usual_mode() if mode is None else mode)
        os.replace(new, path)
    finally:
        new.unlink(missing_ok=True)


def _usual_mode() -> int:
    umask = os.umask(0)  # it can be read only by setting it
    os.umask(umask)
    return 0o666 & ~umask


def write_text(path: Path, text: str) -> None:
    """Write a text file atomically."""
    write_atomically(path, lambda new: _write(new, text))


def write_private(path: Path, text: str, owner: tuple[int, int] | None = None) -> None:
    """Write a text file atomically, readable only by its owner.

    Args:
        owner: (user id, group id) of the owner; None for the current user.
    """

    def write(new: Path) -> None:
        _write(new, text)
        if owner:
            os.chown(new, *owner)

    write_atomically(path, write, 0o600)


def _write(path: Path, text: str) -> None:
    # A folder's name may hold bytes that are not UTF-8; JSON escapes them in the same way.
    path.write_text(text, encoding="utf-8", errors="backslashreplace")


def copy_atomically(source: Path, target: Path) -> None:
    """Copy a folder completely or not at all."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=target.parent, prefix=SCRATCH) as scratch:
        shutil.copytree(source, Path(scratch) / "copy")
        os.rename(Path(scratch) / "copy", target)
