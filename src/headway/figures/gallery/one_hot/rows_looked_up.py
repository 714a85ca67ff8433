"""Drawing: each word's one-hot vector picks the word's row of a table, and the rows are added."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.gallery.shared.drawn import Canvas, shown
from headway.figures.gallery.shared.stepped import Stepped, stepped

LEFT, ONE, GAP, CELL, RIGHT = 76, 36, 30, 62, 124  # widths, from left to right
TOP, ROW, BETWEEN, WORD, SUM = 62, 27, 46, 36, 54  # heights, from the table down to the sum
MOST_WORDS, MOST_SYMBOLS, MOST_COLUMNS = 6, 12, 5


@dataclass(frozen=True)
class Request:
    """A few words, and the table in which they have their rows.

    Attributes:
        words: T words, each of the vocabulary.
        vocabulary: V different words, in the order of their ids.
        table: (V, C) a row of numbers for each word of the vocabulary.
        columns: C names of the columns.
    """

    words: Sequence[str]
    vocabulary: Sequence[str]
    table: np.ndarray
    columns: Sequence[str]

    @property
    def vectors(self) -> np.ndarray:
        """(T, V) the one-hot vectors of the words."""
        return np.equal.outer(self.words, self.vocabulary).astype(float)

    @property
    def rows(self) -> np.ndarray:
        """(T, C) their product with the table."""
        return self.vectors @ self.table

    @property
    def sums(self) -> np.ndarray:
        """(C,) the rows, added up."""
        return self.rows.sum(axis=0)


def rows_looked_up(request: Request, title: str, caption: str) -> Stepped:
    """The drawing: a step for the table, one for each word, and one for the sum.

    Args:
        request: the words and the table.
        title, caption: as printed.

    Raises:
        ValueError: if the table has not a row for each word and a column for each name, a word is
            not in the vocabulary, two have the same place, or there is too much to read.
    """
    check(request)
    T, best = len(request.words), request.columns[int(request.sums.argmax())]
    rows = [", ".join(shown(x, 2) for x in row) for row in request.rows]
    sums = ", ".join(
        f"{name} {shown(x, 2)}" for name, x in zip(request.columns, request.sums, strict=True)
    )
    picked = [
        f"“{word}” has its 1 at place {list(request.vocabulary).index(word)}, so its row comes "
        f"out: {row}."
        for word, row in zip(request.words, rows, strict=True)
    ]
    alt = f"“{' '.join(request.words)}” as {T} one-hot vectors, times a table of "
    alt += f"{len(request.vocabulary)} rows and {len(request.columns)} columns. "
    alt += f"{' '.join(picked)} The sums: {sums}."
    return stepped(
        draw(request, alt),
        steps=[
            f"The words of the request stand in {T} rows of zeros and ones. Each column belongs to "
            "a word of the vocabulary, and so does each row of the table.",
            *picked,
            f"The {T} rows are added up, column by column. The largest sum is that of “{best}”.",
        ],
        title=title,
        caption=caption,
        alt=alt,
        header=["word", *request.columns],
        rows=[
            [word, *(shown(x, 2) for x in row)]
            for word, row in zip(request.vocabulary, request.table, strict=True)
        ],
    )


def check(request: Request) -> None:
    """Raise ValueError as `rows_looked_up` says."""
    T, V, C = len(request.words), len(request.vocabulary), len(request.columns)
    if np.shape(request.table) != (V, C):
        raise ValueError(
            f"{V} words and {C} columns need a table of shape ({V}, {C}), got "
            f"{np.shape(request.table)}"
        )
    if len(set(request.vocabulary)) != V:
        raise ValueError(f"the words of a vocabulary differ, got {list(request.vocabulary)}")
    if unknown := [word for word in request.words if word not in set(request.vocabulary)]:
        raise ValueError(f"{unknown[0]!r} has no row: it is not in the vocabulary")
    if not 1 <= T <= MOST_WORDS or V > MOST_SYMBOLS or not 1 <= C <= MOST_COLUMNS:
        raise ValueError(
            f"one can read up to {MOST_WORDS} words, a vocabulary of {MOST_SYMBOLS} and "
            f"{MOST_COLUMNS} columns; got {T}, {V} and {C}"
        )


def draw(request: Request, alt: str) -> str:
    """The drawing as SVG."""
    T, V, C = len(request.words), len(request.vocabulary), len(request.columns)
    table = LEFT + V * ONE + GAP  # where the table begins, and what comes out below it
    middle, edge = table + C * CELL / 2, table + C * CELL
    floor = TOP + V * ROW + BETWEEN  # the first word's row
    below = floor + (T - 1) * WORD + SUM
    across = [LEFT + (v + 0.5) * ONE for v in range(V)]
    down = [TOP + (v + 0.5) * ROW for v in range(V)]
    lines = [floor + t * WORD for t in range(T)]
    largest = float(np.abs(request.table).max()) or 1.0
    canvas = Canvas(edge + RIGHT, below + 40, alt)

    with canvas.step(1):
        canvas.write(LEFT, TOP - 40, "vocabulary", "big", "start")
        canvas.write(middle, TOP - 40, "table", "big", tone="residual")
        for c, name in enumerate(request.columns):
            canvas.write(table + (c + 0.5) * CELL, TOP - 15, name, "note")
        for x, y, word, row in zip(across, down, request.vocabulary, request.table, strict=True):
            canvas.line([(x, y + 9), (x, floor - 16)], "ink", 0.4)
            canvas.line([(x + 8.2 * len(word) + 2, y), (table - 5, y)], "ink", 0.4)
            canvas.write(x - 6, y, word, "start")
            canvas.cells(middle, y, row, "residual", largest, digits=2, width=CELL)
    for t, (word, row) in enumerate(zip(request.words, request.rows, strict=True)):
        v = list(request.vocabulary).index(word)
        y, bend = lines[t], edge + 26 + 22 * (T - 1 - t)
        with canvas.step(2 + t):
            wide = 10 * len(word) + 16
            canvas.line([(across[v], y), (across[v], down[v])], "ink", 2.5, flows=True)
            canvas.line([(across[v], down[v]), (table - 4, down[v])], "ink", 2.5, arrow=True)
            canvas.box(across[v] - 11, down[v] - 12, wide, 24, tone="ink")
            canvas.write(across[v] - 6, down[v], word, "big", "start")
            curve = [(edge + 4, down[v]), (bend, down[v]), (bend, y), (edge + 4, y)]
            canvas.line(curve, "residual", 2.5, flows=True)
            canvas.cells(middle, y, row, "residual", largest, digits=2, width=CELL)
    with canvas.step(1):  # over the lines, which go up behind them
        for y, word, vector in zip(lines, request.words, request.vectors, strict=True):
            canvas.write(LEFT - 10, y, word, "word", "end")
            canvas.cells(LEFT + V * ONE / 2, y, vector, "ink", 2.5, digits=0, width=ONE)
    with canvas.step(2 + T):
        best = int(request.sums.argmax())
        canvas.line([(table, below - SUM / 2 + 1), (edge, below - SUM / 2 + 1)], "ink", 1.5)
        canvas.write(table - 12, below, "sum", "word", "end")
        canvas.cells(middle, below, request.sums, "residual", largest, digits=2, width=CELL)
        left, right = table + best * CELL - 1, table + (best + 1) * CELL + 1
        top, bottom = below - 15, below + 15
        frame = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
        canvas.line(frame, "residual", 2)
        canvas.write(edge + 12, below, request.columns[best], "word", "start", tone="residual")
    return canvas.svg()
