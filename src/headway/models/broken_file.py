"""What is usually the matter with a model's file that can't be read."""

from pathlib import Path

from headway.errors import UserError


def likely_cause(path: Path) -> str:
    """A sentence for whoever downloaded the file."""
    with path.open("rb") as file:
        if file.read(20).startswith(b"version https://git-"):
            return "It is a pointer of Git LFS: git lfs pull fetches the file itself."
    return "Is the download complete?"


def check_size(path: Path, most: int) -> None:
    """Make sure that a file is read only if it costs no more than those of real models.

    Raises:
        UserError: if it has more than `most` bytes.
    """
    if (size := path.stat().st_size) > most:
        raise UserError(
            f"{path} has {size:,} bytes, and up to {most:,} are read; no published model needs "
            "more. Do you trust where it comes from?"
        )
