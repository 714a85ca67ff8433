"""Where an assignment has its files, and a chapter; and what in them is still to be written."""

import re
from collections.abc import Iterator
from pathlib import Path

import nbformat

from headway.chapters import CAPSTONE, Chapter

# What `tools/new-chapter` leaves wherever something is missing: a request, or a name to replace.
REQUEST = re.compile(r"TO WRITE(?:: (.*\S))?")
NAME = re.compile(r"(?<![a-z-])to[-_]write([-_](?!task\b)[a-z0-9]+)*")


def files_of(chapter: Chapter) -> dict[str, str]:
    """What each of them must have: a file or a folder, and what belongs there."""
    name, package = chapter.name, chapter.slug.replace("-", "_")
    files = {
        page_of(chapter): "the page",
        f"src/headway/tasks/chapters/{package}": "what the answers are held to",
        f"solutions/{name}/{name}.ipynb": "the assignment with its solutions",
        f"exercises/{name}/{name}.ipynb": f"`headway release {chapter.number:02d}` makes it",
        f"tests/tasks/variants/{package}.py": "right answers in other styles",
        f"tests/tasks/further/{package}.py": "wrong answers written after the catalogue",
        f"tests/tasks/chapters/test_{package}.py": "what its tasks owe beyond what all do",
        f"tests/assignments/{name}": "its sample class",
    }
    if chapter != CAPSTONE:
        files[f"tests/book/verdicts/{name}.toml"] = "the verdicts that the page computes"
    return files


def page_of(chapter: Chapter) -> str:
    """The path of the page: that of the capstone has no number, as it is no chapter's."""
    return f"book/{chapter.slug if chapter == CAPSTONE else chapter.name}.md"


def missing(root: Path, chapter: Chapter) -> list[str]:
    """A sentence for each file of a chapter that is not there."""
    return [
        f"There is no {path}: {what}."
        for path, what in files_of(chapter).items()
        if not (root / path).exists()
    ]


def left_to_write(root: Path, chapter: Chapter) -> list[str]:
    """What is still marked as to be written in a chapter: where, and what; or a name, and where."""
    requests, names = [], {}
    for file in _written_files(root, chapter):
        path = file.relative_to(root).as_posix()
        for where, text in [(path, path), *_pieces(file, path)]:
            requests += [f"{where}: {found[1] or 'this'}" for found in REQUEST.finditer(text)]
            for found in NAME.finditer(text):
                names.setdefault(found[0].replace("_", "-"), {})[path] = None
    return requests + [f"the name {name}, in {', '.join(names[name])}" for name in sorted(names)]


def _written_files(root: Path, chapter: Chapter) -> Iterator[Path]:
    """The chapter's files that somebody writes: what is released comes from the solutions."""
    for path in map(root.joinpath, files_of(chapter)):
        inside = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in inside:
            written = file.suffix in (".md", ".py", ".toml", ".ipynb")
            if written and file.is_file() and "exercises" not in file.parts:
                yield file


def _pieces(file: Path, path: str) -> Iterator[tuple[str, str]]:
    """A file's lines, or its cells' lines, each with the words for where it stands."""
    if file.suffix == ".ipynb":
        for cell in nbformat.read(file, as_version=4).cells:
            where = f"{path}, cell {cell.id}"
            yield from ((where, line) for line in [cell.id, *cell.source.splitlines()])
    else:
        lines = file.read_text(encoding="utf-8").splitlines()
        yield from ((f"{path}:{number}", line) for number, line in enumerate(lines, 1))
