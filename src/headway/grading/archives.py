"""Unpack a platform's archive, in which students chose names and contents.

An archive within it, which a student handed in, stays closed.
"""

import lzma
import shutil
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from headway.errors import UserError

MOST_FILES, MOST_BYTES = 20_000, 4_000_000_000
MOST_OF_ONE = 100_000_000  # bytes of a file; grading sets aside submissions of half as much
# Errors that concern only one file of an archive: its content, or its name.
DAMAGED = (
    *(zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError),
    *(zlib.error, lzma.LZMAError),
)


def names_in(path: Path) -> list[str]:
    """The names of an archive's files, as `unpack` tells them.

    Raises:
        UserError: if it is no archive.
    """
    with _opened(path) as archive:
        return list(map(_name, _files(archive)))


def unpack(path: Path, to: Path) -> Iterator[tuple[str, Path | None, str]]:
    """Unpack an archive; yield each file's name in it, where it is now, and what is wrong with it.

    Args:
        to: an empty folder, whose files get numbers as names.

    Raises:
        UserError: if it is no archive, or holds too much.
    """
    with _opened(path) as archive:
        members = _files(archive)
        sizes = [one.file_size for one in members if one.file_size <= MOST_OF_ONE]
        if len(members) > MOST_FILES or sum(sizes) > MOST_BYTES:
            raise UserError(f"{path} holds more than a class could hand in.")
        for number, member in enumerate(members):
            place = to / str(number)
            problem = _problem_with(member, archive, place)
            yield _name(member), None if problem else place, problem


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        raise UserError(f"{path} is no archive that can be read: {error}.") from error


def _files(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    return [one for one in archive.infolist() if one.filename and not one.is_dir()]


def _name(member: zipfile.ZipInfo) -> str:
    # The platform separates folders by /, so a \\ is part of a student's file name.
    return member.filename.replace("\\", "_")


def _problem_with(member: zipfile.ZipInfo, archive: zipfile.ZipFile, to: Path) -> str:
    """Extract one file; return what is wrong if that fails, else an empty text."""
    if member.file_size > MOST_OF_ONE:
        return f"is larger than {MOST_OF_ONE // 10**6} MB"
    try:
        with archive.open(member) as source, to.open("xb") as file:
            # A symbolic link becomes a file with the link's target as text, so no notebook.
            shutil.copyfileobj(source, file)
    except DAMAGED as error:
        return f"cannot be read ({error})"
    except OSError as error:
        if error.errno is None:  # from decompression
            return f"cannot be read ({error})"
        raise
    return ""
