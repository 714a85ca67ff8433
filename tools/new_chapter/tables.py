"""The two tables that name all chapters: the package's, and the book's table of contents."""

import ast
import re

from tools.new_chapter.chapter import LAST, LayoutError, NewChapter
from tools.new_chapter.fill import filled

# The parts of the book by their captions in the table of contents, with their last chapters.
PARTS = {"Prediction by looking up": 4, "The pieces": 10, "Whole machines": LAST}


def with_row(table: str, chapter: NewChapter) -> str:
    """The source of the table of chapters with one row more, in order, and one planned less.

    Raises:
        LayoutError: if the number or the slug is taken.
    """
    rows = rows_of(table, "CHAPTERS")
    before = rows.end_lineno - 1
    for row in reversed(rows.elts):
        number, slug = (argument.value for argument in row.args[:2])
        if number == chapter.number or slug == chapter.slug:
            raise LayoutError(f"There is a chapter {number:02d}-{slug} already.")
        if number > chapter.number:
            before = row.lineno - 1
    # What the chapter explains of the machine is known since it was planned.
    (planned,) = (
        row for row in rows_of(table, "PLANNED").elts if row.args[0].value == chapter.number
    )
    (parts,) = (keyword.value for keyword in planned.keywords if keyword.arg == "parts")
    row = filled("row.py", chapter, parts=ast.get_source_segment(table, parts))
    # With one row left, the table of those to come stands on one line, its name and all.
    source = re.escape(ast.get_source_segment(table, planned))
    return _with_lines(re.sub(rf" *{source},\n?", "", table), before, row)


def rows_of(table: str, name: str) -> ast.Tuple:
    """The rows of one of the two tables in the source."""
    (rows,) = (
        node.value
        for node in ast.parse(table).body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        and ast.unparse(getattr(node, "target", None) or node.targets[0]) == name
    )
    return rows


def with_entry(contents: str, chapter: NewChapter) -> str:
    """The table of contents with one page more: in its part, in order."""
    lines = contents.splitlines()
    caption = next(caption for caption, last in PARTS.items() if chapter.number <= last)
    before = next(i for i, line in enumerate(lines) if f'caption: "{caption}"' in line) + 2
    for i, line in enumerate(lines[before:], before):
        if "caption:" in line:
            break
        page = re.search(r"file: book/(\d\d)-", line)
        if page and int(page[1]) < chapter.number:
            before = i + 2  # behind its title
    return _with_lines(contents, before, filled("entry.yml", chapter))


def _with_lines(text: str, before: int, more: str) -> str:
    lines = text.splitlines(keepends=True)
    return "".join([*lines[:before], more, *lines[before:]])
