"""One file, `transformer.py`, that grows from page to page and runs after each of them.

    ```{code-cell}
    :tags: [file]
    :drop: write

    def count(texts, order):
        ...
    ```

A cell with the tag belongs to the file. What it defines comes behind what the file has, or takes
the place of what has the same name; imports join the others, and go once nothing uses them; the
program, `if __name__ == "__main__":`, takes the place of the earlier one. `drop` names what the
file no longer needs; a line above the cell tells the reader.

The page shows such a cell as an editor would, with a mark at each line that is new or changed;
with the tag `fold`, it is folded, as there is nothing in it that a reader must have seen.
`{file}` offers the file as it is after the page, and on *The whole chain* shows the finished one.
`{file-history}` has an item for each chapter that adds to the file, "- 02: what it then does", and
shows them as a table with the names that each has added.

A page whose cells use what earlier pages have put into the file has one empty cell with the tags
`file-before` and `remove-cell`. When the page is run, the file as it was before is in it.
"""

import ast
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from typing import Self

from docutils import nodes
from docutils.statemachine import StringList
from myst_nb.core.read import read_myst_markdown_notebook
from sphinx.util.docutils import SphinxDirective

from headway.chapters import CHAPTERS
from headway_book.side_road import side_road

NAME, TAG, FOLD = "transformer.py", "file", "fold"
FOLDED = '<details><summary class="hw-file-name">{}</summary>'
DELETE, FEW = "Delete from {} what earlier programs needed, {} names", 5
FOLDER = "files"
INDENT = 4
TITLE = '"""A Transformer in one file, as of chapter {}, “{}”, of the course Headway.\n\n{}"""'
NEEDS = "It needs Python 3.11 or newer{}: python {}\n"
PACKAGES = {"numpy": "NumPy", "torch": "PyTorch"}
PROGRAM = "__main__"
BEFORE = re.compile(
    r"^(```\{code-cell\}\n:tags: \[[^\]]*\bfile-before\b[^\]]*\]\n)(?=```$)", re.MULTILINE
)


class FileError(ValueError):
    """A cell cannot belong to the file; the message says why."""


@dataclass(frozen=True)
class Part:
    """A definition, or the program.

    Attributes:
        name: what it defines; `PROGRAM` for the program.
        lines: its lines, with the comments above it.
        start: number of the first of them in its cell, counted from 1.
        chapter: the chapter in which it came into the file.
    """

    name: str
    lines: tuple[str, ...]
    start: int = 1
    chapter: int = 0


@dataclass(frozen=True)
class Cell:
    """A cell of the file.

    Attributes:
        source: its code.
        drop: names of what the file no longer needs.
    """

    source: str
    drop: tuple[str, ...] = ()


@dataclass
class State:
    """The file after some cells.

    Attributes:
        imports: module → the names imported from it; "import numpy as np" → none.
        parts: definitions by name, in the file's order, and the program.
    """

    imports: dict[str, list[str]] = field(default_factory=dict)
    parts: dict[str, Part] = field(default_factory=dict)

    def copy(self) -> Self:
        return State({at: list(names) for at, names in self.imports.items()}, dict(self.parts))

    def add(self, cell: Cell, chapter: int) -> None:
        """Put a cell into the file.

        Raises:
            FileError: if it has something else than imports, definitions and the program, or drops
                what the file doesn't have.
        """
        for name in cell.drop:
            if name not in self.parts:
                raise FileError(f"It drops {name!r}, which the file doesn't have.")
            del self.parts[name]
        imports, parts = read(cell.source)
        for module, names in imports.items():
            known = self.imports.setdefault(module, [])
            known += [name for name in names if name not in known]
        for part in parts:
            before = self.parts.get(part.name)
            since = before.chapter if before else chapter
            self.parts[part.name] = Part(part.name, part.lines, part.start, since)

    def text(self, chapter: int, title: str, about: str = "") -> str:
        """The file as it is after a chapter."""
        imports = self._used_imports()
        modules = {line.split()[1].split(".")[0] for line in imports}
        packages = [name for module, name in PACKAGES.items() if module in modules]
        needs = NEEDS.format(f", with {' and '.join(packages)}" if packages else "", NAME)
        blocks = [TITLE.format(chapter, title, about + needs), *in_groups(imports)]
        shown = 0
        program = self.parts.get(PROGRAM)
        for part in [one for one in self.parts.values() if one is not program]:
            text = "\n".join(part.lines)
            if part.chapter != shown:
                shown = part.chapter
                text = f"# {shown} · {CHAPTERS[shown - 1].title}\n\n{text}"
            blocks.append(text)
        if program:
            blocks.append("\n".join(program.lines))
        return "\n\n\n".join(blocks) + "\n"

    def _used_imports(self) -> dict[str, list[str]]:
        """Those whose names some part uses."""
        source = "\n\n".join("\n".join(part.lines) for part in self.parts.values())
        used = {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
        found = {}
        for line, names in self.imports.items():
            kept = [name for name in names if name.split()[-1] in used]
            if kept or (not names and line.split()[-1].split(".")[0] in used):
                found[line] = kept
        return found


def in_groups(imports: Mapping[str, list[str]]) -> list[str]:
    """The imports, those of the standard library first, as one block if there are any."""
    own, others = [], []
    in_order = sorted(imports.items(), key=lambda one: (one[0].startswith("from"), one[0].lower()))
    for line, names in in_order:
        module = line.split()[1].split(".")[0]
        group = own if module in sys.stdlib_module_names else others
        group.append(f"{line} import {', '.join(sorted(names))}" if names else line)
    block = "\n\n".join("\n".join(group) for group in (own, others) if group)
    return [block] if block else []


def read(source: str) -> tuple[dict[str, list[str]], list[Part]]:
    """The imports and the parts of a cell.

    Raises:
        FileError: if it has something else.
    """
    lines, imports, parts, end = source.splitlines(), {}, [], 0
    for node in ast.parse(source).body:
        start = end
        while not lines[start].strip():
            start += 1
        end = node.end_lineno
        match node:
            case ast.Import(names=names):
                for one in names:
                    renamed = f" as {one.asname}" if one.asname else ""
                    imports.setdefault(f"import {one.name}{renamed}", [])
            case ast.ImportFrom(module=module, names=names):
                known = imports.setdefault(f"from {module}", [])
                known += [one.name + (f" as {one.asname}" if one.asname else "") for one in names]
            case _:
                parts.append(Part(_name(node), tuple(lines[start:end]), start + 1))
    return imports, parts


def _name(node: ast.stmt) -> str:
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
        case ast.Assign(targets=[ast.Tuple(elts=[*names])]):
            return ", ".join(ast.unparse(one) for one in names)
        case ast.If(test=test) if ast.unparse(test) == f"__name__ == '{PROGRAM}'":
            return PROGRAM
    raise FileError(
        f"Line {node.lineno} is {ast.unparse(node)[:60]!r}. The file has imports, definitions and "
        'one program: if __name__ == "__main__":'
    )


def changed_lines(cell: Cell, before: State) -> list[int]:
    """The numbers of a cell's lines that the file did not have before, counted from 1."""
    _, parts = read(cell.source)
    found = set()
    for part in parts:
        old = before.parts[part.name].lines if part.name in before.parts else ()
        matcher = SequenceMatcher(None, old, part.lines, autojunk=False)
        for what, *_, start, end in matcher.get_opcodes():
            if what in ("insert", "replace"):
                found |= set(range(part.start + start, part.start + end))
    lines, known = cell.source.splitlines(), before._used_imports()
    for node in ast.parse(cell.source).body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            imports, _ = read(ast.unparse(node))
            if any(at not in known or set(names) - set(known[at]) for at, names in imports.items()):
                found |= set(range(node.lineno, node.end_lineno + 1))
    return sorted(number for number in found if lines[number - 1].strip())


def cells_of(page: str) -> list[Cell]:
    """The file's cells in a page's MyST source."""
    return [
        Cell(cell.source, tuple(cell.metadata.get("drop", "").replace(",", " ").split()))
        for cell in read_myst_markdown_notebook(page).cells
        if TAG in cell.metadata.get("tags", [])
    ]


def states(pages: Iterable[tuple[int, str]]) -> dict[int, State]:
    """Chapter → the file after it, for the chapters that add something.

    Args:
        pages: number and MyST source of each chapter, in order.

    Raises:
        FileError: if a cell cannot belong to the file.
    """
    state, found = State(), {}
    for number, page in pages:
        cells = cells_of(page)
        for cell in cells:
            state.add(cell, number)
        if cells:
            found[number] = state.copy()
    return found


def chapter_pages(book: Path) -> Mapping[int, Path]:
    """Number → source of the page, for each chapter that the book has."""
    paths = {chapter.number: book / f"{chapter.name}.md" for chapter in CHAPTERS}
    return {number: path for number, path in paths.items() if path.is_file()}


def states_until(book: Path, number: int) -> dict[int, State]:
    """Chapter → the file after it, for the chapters up to one that add something."""
    pages = chapter_pages(book).items()
    return states((n, path.read_text("utf-8")) for n, path in pages if n <= number)


def with_file_before(page: str, path: Path) -> str:
    """A page's source, with the definitions of the file as it was before in the cell for them.

    Args:
        page: its MyST source; returned as it is if it has no such cell.
        path: where it lies, beside the chapters before it.
    """
    if not BEFORE.search(page):
        return page
    number = next(one.number for one in CHAPTERS if one.name == path.stem)
    found = states_until(path.parent, number - 1)
    state = found[max(found)].copy()
    state.parts.pop(PROGRAM, None)
    text = state.text(number - 1, CHAPTERS[number - 2].title)
    return BEFORE.sub(lambda cell: f"{cell[1]}\n{text}", page)


class FileDirective(SphinxDirective):
    """A line that offers the file as it is after this chapter; elsewhere, the finished file."""

    def run(self):
        book, chapter = Path(self.env.srcdir) / "book", _chapter_of(self.env.docname)
        last = chapter.number if chapter else max(chapter_pages(book), default=0)
        for number, path in chapter_pages(book).items():
            if not chapter or number < last:  # a later page changes nothing here
                self.env.note_dependency(str(path))
        found = states_until(book, last)
        if not found:
            raise self.error("{file}: no chapter so far has a cell with the tag file.")
        number = max(found)
        text = found[number].text(number, CHAPTERS[number - 1].title)
        uri = f"../{FOLDER}/{number:02d}/{NAME}"
        link = nodes.reference("", "", nodes.literal("", NAME), refuri=uri, internal=False)
        said = "The file so far: " if chapter else "The finished file: "
        line = nodes.paragraph("", "", nodes.inline("", said), link)
        line += nodes.Text(f", {len(text.splitlines())} lines. It runs by itself: ")
        line += nodes.literal("", f"python {NAME}")
        shown = [nodes.container("", line, classes=["hw-file-so-far"])]
        if not chapter:
            shown.append(nodes.literal_block(text, text, language="python"))
        return shown


def _chapter_of(docname: str):
    name = docname.rsplit("/", 1)[-1]
    return next((chapter for chapter in CHAPTERS if chapter.name == name), None)


def mark_cells(app, doctree):
    """Show the file's cells as an editor would."""
    chapter = _chapter_of(app.env.docname)
    shown = [
        cell for cell in doctree.findall(nodes.container) if f"tag_{TAG}" in cell.get("classes", ())
    ]
    if not shown:
        return
    if chapter is None or any(isinstance(cell.parent, side_road) for cell in shown):
        raise FileError(f"{app.env.docname}: cells with the tag file stand on a chapter's road.")
    book = Path(app.env.srcdir) / "book"
    found = states_until(book, chapter.number - 1)
    state = found[max(found)].copy() if found else State()
    page = chapter_pages(book)[chapter.number].read_text("utf-8")
    for node, cell in zip(shown, cells_of(page), strict=True):
        block = next(node.findall(nodes.literal_block))
        block["highlight_args"] = {"hl_lines": changed_lines(cell, state)}
        node["classes"].append("hw-file")
        if f"tag_{FOLD}" in node["classes"]:
            lines = len(cell.source.splitlines())
            fold = FOLDED.format(f"{NAME}: {lines} lines to copy")
            block.parent.insert(0, nodes.raw("", fold, format="html"))
            block.parent.append(nodes.raw("", "</details>", format="html"))
        else:
            block.parent.insert(0, nodes.paragraph("", NAME, classes=["hw-file-name"]))
        if cell.drop:
            node.insert(0, _dropped(cell.drop))
        state.add(cell, chapter.number)


def _dropped(names: tuple[str, ...]) -> nodes.Element:
    """What a reader has to delete; many names are folded."""
    said = nodes.paragraph("", "", classes=["hw-file-drop"])
    for i, name in enumerate(names):
        said += [nodes.Text(", ")] * bool(i) + [nodes.literal("", name)]
    if len(names) <= FEW:
        said.insert(0, nodes.Text(f"Delete from {NAME}: "))
        return said
    fold = f"<details class='hw-file-drop'><summary>{DELETE.format(NAME, len(names))}</summary>"
    return nodes.container(
        "", nodes.raw("", fold, format="html"), said, nodes.raw("", "</details>", format="html")
    )


def history(found: Mapping[int, State], said: Mapping[int, str]) -> list[str]:
    """What became of the file from chapter to chapter, as a table in MyST Markdown.

    Args:
        found: chapter → the file after it.
        said: chapter → what the file then does.

    Raises:
        FileError: if these aren't the same chapters.
    """
    if set(found) != set(said):
        raise FileError(
            f"{{file-history}} has lines for the chapters {sorted(said)}; "
            f"chapters {sorted(found)} add to the file."
        )
    rows, before = [], State()
    for number, state in found.items():
        new = [
            f"`{name}`"
            for name, part in state.parts.items()
            if name != PROGRAM
            and (name not in before.parts or before.parts[name].lines != part.lines)
        ]
        chapter, before = CHAPTERS[number - 1], state
        lines = len(state.text(number, chapter.title).splitlines())
        added = ", ".join(new) or "the program"
        link = f"[{number} · {chapter.title}]({chapter.name}.md)"
        rows.append(f"| {link} | {said[number]} | {added} | {lines} |")
    return ["| Chapter | The file then | New or changed | Lines |", "|:--|:--|:--|--:|", *rows]


class FileHistory(SphinxDirective):
    """What each chapter has added to the file, a line each."""

    has_content = True

    def run(self):
        book = Path(self.env.srcdir) / "book"
        for path in chapter_pages(book).values():
            self.env.note_dependency(str(path))
        items = (line.removeprefix("- ") for line in self.content if line.strip())
        said = dict(item.split(": ", 1) for item in items)
        lines = history(
            states_until(book, len(CHAPTERS)), {int(number): text for number, text in said.items()}
        )
        parent = nodes.container(classes=["hw-file-history"])
        self.state.nested_parse(StringList(lines), self.content_offset, parent)
        return [parent]


def put_file_before(app, docname, content):
    content[0] = with_file_before(content[0], Path(app.env.doc2path(docname)))


def write_files(app, exception):
    if exception or app.builder.name != "html":
        return
    book = Path(app.srcdir) / "book"
    for number, state in states_until(book, len(CHAPTERS)).items():
        place = Path(app.outdir) / FOLDER / f"{number:02d}" / NAME
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(state.text(number, CHAPTERS[number - 1].title), encoding="utf-8")


def setup(app):
    app.add_directive("file", FileDirective)
    app.add_directive("file-history", FileHistory)
    app.connect("source-read", put_file_before)
    app.connect("doctree-read", mark_cells)
    app.connect("build-finished", write_files)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
