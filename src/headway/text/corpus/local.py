"""Readers' own files: text in paragraphs, and pairs of sentences.

UTF-8, with or without a byte order mark; line ends of any system count as one.
"""

from pathlib import Path

from headway.text.corpus.translation import Translation


def paragraphs(path: str | Path) -> list[str]:
    """The paragraphs of a text file, or of all `.txt` files below a folder.

    A paragraph is what stands between blank lines; the lines of one are joined by a space.

    Args:
        path: a file, or a folder; its files are read in the order of their paths.

    Returns:
        list of texts, none of them empty.

    Raises:
        FileNotFoundError: if there is no such file or folder, or no `.txt` file in it.
        ValueError: if a file is not UTF-8.
    """
    found = []
    for file in text_files(Path(path)):
        lines: list[str] = []
        for line in [*read(file).splitlines(), ""]:
            if line.strip():
                lines.append(line.strip())
            elif lines:
                found.append(" ".join(lines))
                lines = []
    return found


def pairs(path: str | Path) -> list[Translation]:
    """Sentence pairs of a file with one pair a line, source and target parted by a tab.

    Further columns are ignored, and so are empty lines.

    Returns:
        list of `Translation`, without combinations.

    Raises:
        FileNotFoundError: if there is no such file.
        ValueError: if the file is not UTF-8, or a line has no tab; the message has its number.
    """
    found = []
    for number, line in enumerate(read(Path(path)).splitlines(), start=1):
        if not line.strip():
            continue
        source, tab, rest = line.partition("\t")
        if not tab:
            raise ValueError(f"{path}, line {number} has no tab between source and target: {line}")
        found.append(Translation(source.strip(), rest.split("\t")[0].strip(), ()))
    return found


def text_files(path: Path) -> list[Path]:
    """The file itself, or the `.txt` files below a folder in the order of their paths."""
    if path.is_file():
        return [path]
    below = path.rglob("*.txt")
    files = sorted(below, key=lambda file: file.relative_to(path).parts) if path.is_dir() else []
    if not files:
        raise FileNotFoundError(f"{path} is neither a file nor a folder with .txt files in it")
    return files


def read(file: Path) -> str:
    """The text of a UTF-8 file.

    Raises:
        ValueError: if it is not UTF-8; the message says where.
    """
    try:
        return file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{file} is not UTF-8 (byte {error.start}). Save it as UTF-8, or convert it: "
            "iconv -f latin1 -t utf-8"
        ) from error
