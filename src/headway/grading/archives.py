"""Extract the archive from Canvas or Moodle, for nbgrader's `zip_collect`."""

import errno
import lzma
import re
import shutil
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from nbgrader.plugins import ExtractorPlugin

OF_ONE_STUDENT = re.compile(r"_\d+_\d+_|_assignsubmission_")
MOST_FILES, MOST_BYTES = 20_000, 4_000_000_000
MOST_OF_ONE = 100_000_000  # bytes of a file; grading sets aside submissions of half as much
# Errors that concern only one file of an archive: its content, or its name.
DAMAGED = (
    *(zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError),
    *(zlib.error, lzma.LZMAError),
)
NAMES = {errno.EEXIST, errno.EISDIR, errno.ENOTDIR, errno.ENAMETOOLONG, errno.EILSEQ, errno.EINVAL}


class ArchiveExtractor(ExtractorPlugin):
    """Extracts the platform's archive, but no archive in it that a student handed in.

    The platform's archive is a zip and the only file in the folder `archive`. Otherwise it was
    extracted before, and the files are copied.
    """

    def extract(self, archive_path: str, extracted_path: str) -> None:
        archive, extracted = Path(archive_path), Path(extracted_path)
        given = [path for path in archive.iterdir() if not path.name.startswith(".")]
        if len(given) == 1 and given[0].suffix.lower() == ".zip" and given[0].is_file():
            if OF_ONE_STUDENT.search(given[0].name):
                self.parent.fail(
                    f"{given[0]} is named like what one student handed in. Give the platform's "
                    "archive another name."
                )
            self._unpack(given[0], extracted)
            return
        for path in sorted(archive.rglob("*")):
            if path.is_file() and not path.is_symlink():
                to = extracted / path.relative_to(archive)
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, to)

    def _unpack(self, path: Path, extracted: Path) -> None:
        try:
            with zipfile.ZipFile(path) as archive:
                members = [one for one in archive.infolist() if one.filename and not one.is_dir()]
                sizes = [one.file_size for one in members if one.file_size <= MOST_OF_ONE]
                if len(members) > MOST_FILES or sum(sizes) > MOST_BYTES:
                    self.parent.fail(f"{path} holds more than a class could hand in.")
                for member in members:
                    if problem := _problem_with(member, archive, extracted):
                        name = member.filename
                        self.log.warning("Left out of %s: %r %s.", path, name, problem)
        except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
            self.parent.fail(f"{path} is no archive that can be read: {error}.")


def _problem_with(member: zipfile.ZipInfo, archive: zipfile.ZipFile, extracted: Path) -> str | None:
    """Extract one file; return what is wrong if that fails."""
    # The platform separates folders by /, so a \\ is part of a student's file name.
    name = PurePosixPath(member.filename.replace("\\", "_"))
    if name.is_absolute() or ".." in name.parts:
        return "leads out of it"
    if member.file_size > MOST_OF_ONE:
        return f"is larger than {MOST_OF_ONE // 10**6} MB"
    to = extracted / name
    try:
        to.parent.mkdir(parents=True, exist_ok=True)
        with archive.open(member) as source, to.open("xb") as file:
            try:
                # A symbolic link becomes a file with the link's target as text, so no notebook.
                shutil.copyfileobj(source, file)
            except BaseException:
                to.unlink()
                raise
    except DAMAGED as error:
        return f"cannot be read ({error})"
    except OSError as error:
        if error.errno is None:  # from decompression
            return f"cannot be read ({error})"
        if error.errno not in NAMES:
            raise
        return f"has a name that cannot be kept ({error.strerror})"
    return None
