"""Read a submitted, untrusted folder into memory.

Every name is opened relative to its open parent folder and never through a link. Its type is
checked again after opening, so that replacing a file in between is noticed. Nothing is opened that
could block, such as a named pipe.
"""

import os
import stat
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from headway.grading.intake.submitted_cells import SetAside

# A hundred megabytes of printed lines in Jupyter's format. Removing outputs needs three times the
# memory.
MAX_FOLDER_BYTES = 200_000_000
MAX_ENTRIES = 1_000
MAX_DEPTH = 10
MAX_PATH = 400  # characters; all paths must fit into one message to a worker
MAX_NAME = 200  # bytes; most file systems allow 255, and copies may get another suffix
# Byte code adds nothing to its source, and differs from run to run.
BYTE_CODE = "__pycache__"


def read_folder(folder: Path) -> dict[str, bytes]:
    """The files of a folder and its subfolders: contents by relative path, sorted by path.

    Files and folders with names that begin with a dot are skipped.

    Raises:
        SetAside: if an entry is neither file nor folder, has a name that cannot be shown, cannot
            be read, or changes during reading; or if there is too much.
        FileNotFoundError: if there is no such folder.
    """
    # The parent folder, with the student's name, may also come from the student.
    for path in (folder.parent, folder):
        if not stat.S_ISDIR(path.lstat().st_mode):
            raise SetAside(
                f"{path.name} is not a folder. Expected a folder with the notebook in it."
            )
    around = os.open(folder.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        reader = _Reader()
        reader.walk(folder.name, around, "", 0)
    except FileNotFoundError as error:
        raise SetAside(f"{error.filename} vanished while we read it. Grade it again.") from error
    finally:
        os.close(around)
    return dict(sorted(reader.files.items()))


def read_file(folder: Path, name: str, most: int) -> bytes:
    """One file of a folder, read by the same rules.

    Args:
        most: limit of the file's size in bytes.

    Raises:
        SetAside: if it is not a plain file, is a link, or is larger than `most`.
        OSError: if there is no such folder.
    """
    around = os.open(folder.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        with (
            _opened(folder.name, around, folder.name, stat.S_ISDIR) as here,
            _opened(name, here, name, stat.S_ISREG) as file,
        ):
            size = os.fstat(file).st_size
            if size > most:
                raise SetAside(f"{name} has {size:,} bytes, more than {most:,}.")
            return _content(file, size)
    finally:
        os.close(around)


class _Reader:
    """Reads a folder, and counts files and bytes against the limits."""

    def __init__(self):
        self.files: dict[str, bytes] = {}
        self.entries = 0
        self.size = 0

    def walk(self, name: str, around: int, path: str, depth: int) -> None:
        """Read one folder inside the open folder `around`."""
        if depth > MAX_DEPTH:
            raise SetAside(
                f"{path} is more than {MAX_DEPTH} folders deep. "
                "Expected the notebook and little else."
            )
        with _opened(name, around, path, stat.S_ISDIR) as here, os.scandir(here) as entries:
            for entry in entries:
                if entry.name.startswith(".") or entry.name == BYTE_CODE:
                    continue
                self.entries += 1
                if self.entries > MAX_ENTRIES:
                    raise SetAside(
                        f"The folder holds more than {MAX_ENTRIES:,} files and folders. "
                        "Expected the notebook and little else."
                    )
                self._read(entry.name, here, f"{path}/{entry.name}" if path else entry.name, depth)

    def _read(self, name: str, around: int, path: str, depth: int) -> None:
        if not all(c.isprintable() or unicodedata.category(c) == "Zs" for c in name):
            raise SetAside(
                f"The name {path!r} holds characters that cannot be shown. Rename the file."
            )
        if len(path) > MAX_PATH:
            raise SetAside(
                f"The path {path[:40]}… has more than {MAX_PATH} characters. Give shorter names."
            )
        if len(name.encode()) > MAX_NAME:
            raise SetAside(
                f"The name {name[:40]}… has more than {MAX_NAME} bytes. Give a shorter one."
            )
        mode = os.stat(name, dir_fd=around, follow_symlinks=False).st_mode
        if stat.S_ISDIR(mode):
            self.walk(name, around, path, depth + 1)
            return
        if not stat.S_ISREG(mode):
            raise SetAside(_no_plain_file(path, mode))
        with _opened(name, around, path, stat.S_ISREG) as file:
            before = os.fstat(file)
            self.size += before.st_size
            if self.size > MAX_FOLDER_BYTES:
                raise SetAside(
                    f"The folder holds more than {MAX_FOLDER_BYTES / 1e6:.0f} MB. "
                    "Clear the notebook's outputs, and leave out what is not needed."
                )
            content = _content(file, before.st_size)
            after = os.fstat(file)
        if (before.st_size, before.st_mtime_ns) != (len(content), after.st_mtime_ns):
            raise SetAside(f"{path} changed while we read it. Grade it again.")
        self.files[path] = content


def _content(file: int, size: int) -> bytes:
    """A file's content, up to one byte more than its size, to notice that it grows."""
    parts, left = [], size + 1
    while left and (part := os.read(file, left)):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


@contextmanager
def _opened(name: str, around: int, path: str, is_kind) -> Iterator[int]:
    """Open a file or folder; raises SetAside if it is a link or of another kind by now."""
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY | os.O_NOFOLLOW
    try:
        file = os.open(name, flags, dir_fd=around)
    except OSError as error:
        raise SetAside(
            f"{path or name} cannot be read ({error.strerror}). Expected a plain file that you "
            "may read."
        ) from error
    try:
        mode = os.fstat(file).st_mode
        if not is_kind(mode):
            raise SetAside(_no_plain_file(path or name, mode))
        yield file
    finally:
        os.close(file)


def _no_plain_file(path: str, mode: int) -> str:
    kind = "a link" if stat.S_ISLNK(mode) else "no plain file"
    return f"{path} is {kind}. Expected the file itself."
