"""Role `{reading-time}`: how long pages take to read, computed from their source.

    Reading takes about {reading-time}`01-one-hot`.

Several names, with commas between them, are added up. A page's time is what its prose takes at
200 words a minute, its code in view at five lines a minute, three minutes for each figure or plot,
and one for each table, matrix, claim and prediction. What is folded is not counted, code and side
roads, nor what one looks up: the box on what others say, and claims that are shown elsewhere.
"""

import ast
import re
from math import floor
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxRole

from headway_book.freshness import FENCED_CELL

WORDS_A_MINUTE, LINES_A_MINUTE = 200, 5
MINUTES_A_FIGURE, MINUTES_A_TABLE, MINUTES_A_PREDICTION = 3, 1, 1
AS_A_TABLE = ("table", "grid", "claim")  # what is read as fast as one

HEAD = re.compile(r"\A---\n.*?\n---\n", re.S)
CODE = re.compile(r"^(`{3,}).*?^\1[ \t]*$", re.M | re.S)
OPTION = re.compile(r"^:[\w-]+:.*\n", re.M)
AWAY = re.compile(r"^:tags:.*\belsewhere\b", re.M)
SIDE_ROAD = re.compile(r"^(#{2,}) .*\n+:{3,}\{side-road\}\n(.*\n)*?:{3,}\n", re.M)
BOX = re.compile(r"^:{3,}\{elsewhere\}\n(.*\n)*?:{3,}\n", re.M)
FOLDED = re.compile(r"^:tags:.*\b(?:(?:hide|remove)-(?:input|cell)|fold)\b", re.M)
QUARTERS = ("", " and a quarter", " and a half", " and three quarters")


def on_the_road(page: str) -> str:
    """A page's MyST source without its side roads and the box on what others say."""
    page = BOX.sub("", page)
    while sign := SIDE_ROAD.search(page):
        level = len(sign[1])
        code = [(cell.start(), cell.end()) for cell in CODE.finditer(page)]
        ends = [
            head.start()
            for head in re.finditer(rf"^#{{1,{level}}} ", page, re.M)
            if head.start() > sign.end()
            and not any(first < head.start() < last for first, last in code)
        ]
        page = page[: sign.start()] + page[min(ends, default=len(page)) :]
    return page


def reading_minutes(page: str) -> float:
    """Minutes that a page takes, from its MyST source."""
    page = on_the_road(page)
    cells = [cell["body"] for cell in FENCED_CELL.finditer(page) if not AWAY.search(cell["body"])]
    shown, tables = figures(cells)
    prose = CODE.sub("", HEAD.sub("", page))
    return (
        len(prose.split()) / WORDS_A_MINUTE
        + lines_in_view(cells) / LINES_A_MINUTE
        + MINUTES_A_FIGURE * shown
        + MINUTES_A_TABLE * tables
        + MINUTES_A_PREDICTION * page.count(":::{predict}")
    )


def lines_in_view(cells: list[str]) -> int:
    """Lines of code that are not folded, without empty ones."""
    in_view = (OPTION.sub("", cell) for cell in cells if not FOLDED.search(cell))
    return sum(bool(line.strip()) for cell in in_view for line in cell.splitlines())


def figures(cells: list[str]) -> tuple[int, int]:
    """How many cells end by showing something that was imported from `headway.figures`.

    Returns:
        the number of figures and plots; the number of tables and what is read like them.
    """
    trees = [ast.parse(OPTION.sub("", cell)) for cell in cells]
    makers = {
        alias.asname or alias.name
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("headway.figures")
        for alias in node.names
    }
    ends = [tree.body[-1] for tree in trees if tree.body]
    shown = [
        end.value.func.id
        for end in ends
        if isinstance(end, ast.Expr)
        and isinstance(end.value, ast.Call)
        and isinstance(end.value.func, ast.Name)
        and end.value.func.id in makers
    ]
    tables = sum(name in AS_A_TABLE for name in shown)
    return len(shown) - tables, tables


def in_words(minutes: float) -> str:
    """A duration as one would say it: "45 minutes", "an hour and a quarter", "2.5 hours"."""
    if minutes < 57.5:
        return f"{max(5, 5 * round(minutes / 5))} minutes"
    if minutes < 112.5:
        return "an hour" + QUARTERS[round(minutes / 15) - 4]
    return f"{floor(minutes / 30 + 0.5) / 2:g} hours"


def reading_time(folder: Path, pages: str) -> str:
    """How long the named pages of a folder take together, in words.

    Args:
        pages: names without suffix, with commas between them.

    Raises:
        FileNotFoundError: if there is no such page.
    """
    names = [name.strip() for name in pages.split(",")]
    sources = [(folder / f"{name}.md").read_text(encoding="utf-8") for name in names]
    return in_words(sum(map(reading_minutes, sources)))


def pages_of(env) -> Path:
    """The folder of the book's pages."""
    return Path(env.srcdir) / "book"


class ReadingTimeRole(SphinxRole):
    def run(self):
        folder = pages_of(self.env)
        for name in self.text.split(","):
            self.env.note_dependency(str(folder / f"{name.strip()}.md"))
        try:
            return [nodes.Text(reading_time(folder, self.text))], []
        except FileNotFoundError as error:
            message = f"{{reading-time}} names a page that does not exist: {error.filename}"
            return [], [self.inliner.reporter.error(message, line=self.lineno)]


def setup(app):
    app.add_role("reading-time", ReadingTimeRole())
    return {"parallel_read_safe": True, "parallel_write_safe": True}
