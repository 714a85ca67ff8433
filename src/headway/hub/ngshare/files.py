"""Folders as ngshare gets and gives them: lists of paths with contents in Base64.

What comes from there was handed in by strangers. Its paths are not believed.
"""

import os
from base64 import b64decode, b64encode
from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict

from headway.errors import is_fault
from headway.grading.nbgrader.collect import LONGEST_PATH, MOST_ENTRIES

NO_NAMES = ("", ".", "..")
LONGEST_NAME = 255  # bytes, on Linux


class File(TypedDict, total=False):
    """A file of a list.

    Attributes:
        path: relative, with "/".
        content: in Base64; not in lists of names.
        checksum: MD5, hexadecimal; only in lists that come from ngshare.
    """

    path: str
    content: str
    checksum: str


def pack(folder: Path) -> list[File]:
    """All files of a folder."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return [packed(path, path.relative_to(folder).as_posix()) for path in files]


def packed(path: Path, name: str) -> File:
    """A file under a name."""
    return {"path": name, "content": b64encode(path.read_bytes()).decode("ascii")}


def unpack(files: Sequence[File], folder: Path, most: int) -> list[str]:
    """Write files below a folder, and say what was left out, as Python writes its path.

    Args:
        folder: nothing is written beside it; made if it is not there.
        most: bytes that are written; a file that goes beyond is left out.
    """
    folder.mkdir(parents=True, exist_ok=True)
    left_out, entries = [], 0
    for file in files:
        parts = _parts(file.get("path"))
        size = None
        if parts and entries + len(parts) <= MOST_ENTRIES:
            entries += len(parts)  # each folder of the path may be a new one
            size = _write(file, parts, folder, most)
        if size is None:
            left_out.append(ascii(file.get("path")))
        most -= size or 0
    return left_out


def _parts(path: object) -> list[str]:
    """The names in a path; empty if it is none."""
    if not isinstance(path, str) or len(path) > LONGEST_PATH:
        return []
    parts = path.split("/")
    return parts if all(is_name(part) for part in parts) else []


def _write(file: File, parts: list[str], folder: Path, most: int) -> int | None:
    """The size of what was written; None if it was not."""
    try:
        content = b64decode(file.get("content") or "")
        if len(content) > most:
            return None
        place = folder.joinpath(*parts)
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("xb") as new:
            return new.write(content)
    except (OSError, ValueError, TypeError) as error:  # twice the same, a file in a folder's place
        if is_fault(error):
            raise
        return None


def is_name(text: object) -> bool:
    """Whether a text can be the name of a file in a folder."""
    if not isinstance(text, str) or text in NO_NAMES or set(text) & {"/", "\0"}:
        return False
    try:
        return len(os.fsencode(text)) <= LONGEST_NAME
    except UnicodeEncodeError:  # half of a character
        return False
