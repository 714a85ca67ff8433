"""Find the notebook in what a student handed in, or say what was handed in instead."""

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from headway.grading.archives import DAMAGED
from headway.grading.intake.submitted_cells import SetAside
from headway.grading.safe_text import listed, visible

# Browsers add the second suffix to files that look like text.
NOTEBOOK = re.compile(r".*\.ipynb(\.txt|\.json)?", re.IGNORECASE | re.DOTALL)
KINDS = {
    (".html", ".htm", ".mhtml"): "a web page",
    (".py",): "a Python script",
    (".pdf",): "a PDF",
    (".zip", ".rar", ".7z", ".tar", ".gz", ".tgz", ".xz"): "an archive",
    (".docx", ".doc", ".odt", ".rtf", ".txt", ".md"): "a text",
    (".png", ".jpg", ".jpeg", ".gif", ".heic", ".webp"): "a picture",
}
ASK = "Ask for the .ipynb file."
PUT = "Put the right one into the folder under that name."
MOST_NAMED = 5
MOST_MEMBERS = 1_000
MOST_BYTES = 200_000_000  # of a notebook in an archive, outputs included
MEMBER = b"PK\x01\x02"  # begins each entry of an archive's directory
PRESSED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def find_notebook(files: Mapping[str, bytes], name: str) -> tuple[str, bytes, tuple[str, ...]]:
    """The notebook that counts: its path, its content, and notes on how it was found.

    Args:
        files: what was handed in, by relative path; none of them has the right path.
        name: the right name, "01-one-hot.ipynb".

    Raises:
        SetAside: if none is plainly the one.
    """
    notebooks = [path for path in files if NOTEBOOK.fullmatch(path)]
    if (path := _the_one(notebooks, name)) is not None:
        return path, files[path], (f"{path} was taken for {name}.",)
    if notebooks:
        raise SetAside(
            f"There is no {name}, but several other notebooks: "
            f"{', '.join(notebooks[:MOST_NAMED])}. Rename the right one."
        )
    archives = [path for path in files if path.lower().endswith(".zip")]
    if len(archives) == 1:
        return _in_archive(archives[0], files[archives[0]], name)
    said = listed(list(files), MOST_NAMED)
    kind = _kind(*files) if len(files) == 1 else ""
    raise SetAside(f"Handed in {said}: {f'{kind}, not a' if kind else 'no'} notebook. {ASK}")


def _the_one(paths: Sequence[str], name: str) -> str | None:
    """The only path, or the only one with the right name, in any folder."""
    named = [path for path in paths if PurePosixPath(path).name == name]
    for found in (paths, named):
        if len(found) == 1:
            return found[0]
    return None


def _kind(path: str) -> str:
    suffix = PurePosixPath(path).suffix.lower()
    return next((kind for suffixes, kind in KINDS.items() if suffix in suffixes), "")


def _in_archive(path: str, content: bytes, name: str) -> tuple[str, bytes, tuple[str, ...]]:
    """The notebook in a student's own archive; the other files in it are not looked at."""
    if content.count(MEMBER) > MOST_MEMBERS:
        raise SetAside(
            f"Handed in {path}: an archive of more than {MOST_MEMBERS:,} files, not a notebook. "
            f"{ASK}"
        )
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = {one.filename: one for one in archive.infolist() if _is_notebook(one)}
            if not members:
                raise SetAside(f"Handed in {path}: an archive without a notebook. {ASK}")
            inner = _the_one(list(members), name)
            if inner is None:
                names = visible(listed(list(members), MOST_NAMED))
                raise SetAside(
                    f"Handed in {path}: an archive with several notebooks, none of them plainly "
                    f"{name}: {names}. {PUT}"
                )
            notebook = _read(archive, members[inner])
    except (*DAMAGED, OSError) as error:
        raise SetAside(f"Handed in {path}: an archive that cannot be read. {ASK}") from error
    if notebook is None:
        raise SetAside(f"Handed in {path}: the notebook in this archive is too large. {ASK}")
    return path, notebook, (f"{visible(inner)} was taken out of {path}, and nothing else in it.",)


def _is_notebook(member: zipfile.ZipInfo) -> bool:
    parts = PurePosixPath(member.filename).parts
    hidden = any(part.startswith((".", "__MACOSX")) for part in parts)
    return not (hidden or member.is_dir()) and bool(NOTEBOOK.fullmatch(member.filename))


def _read(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes | None:
    """A member's content; None if it is larger than a notebook may be."""
    if member.compress_type not in PRESSED:  # others may need much memory to open
        raise zipfile.BadZipFile
    with archive.open(member) as file:
        content = file.read(MOST_BYTES + 1)
    return content if len(content) <= MOST_BYTES else None
