"""What is usually the matter with a model's file that can't be read."""

from pathlib import Path


def likely_cause(path: Path) -> str:
    """A sentence for whoever downloaded the file."""
    with path.open("rb") as file:
        if file.read(20).startswith(b"version https://git-"):
            return "It is a pointer of Git LFS: git lfs pull fetches the file itself."
    return "Is the download complete?"
