"""Drawing: the single 1 of each word finds the word's row of a table, and the rows are added."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.gallery.shared.drawn import Canvas, shown
from headway.figures.gallery.shared.stepped import Stepped, stepped

ROW, BETWEEN, WORD, SUM = 27, 36, 38, 52  # heights, from the table down to the sum
STAIR, LETTER = 19, 6.7  # from one word down to the next; how wide a small letter is, at most
WIDE, NARROW = 740, 350  # the whole, on a wide page and on a narrow one
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
    rows = "; ".join(
        f"“{word}” has its 1 at place {list(request.vocabulary).index(word)}, and its row is "
        + ", ".join(shown(x, 2) for x in row)
        for word, row in zip(request.words, request.rows, strict=True)
    )
    sums = ", ".join(
        f"{name} {shown(x, 2)}" for name, x in zip(request.columns, request.sums, strict=True)
    )
    alt = (
        f"“{' '.join(request.words)}” as {T} one-hot vectors that stand upright beside a table of "
        f"{len(request.vocabulary)} rows and {len(request.columns)} columns. {rows}. The sums: "
        f"{sums}."
    )
    return stepped(
        draw(request, alt),
        steps=[
            f"Each word is a row of {len(request.vocabulary)} zeros and ones, here on its end, so "
            "that each place faces its row of the table. A bar to the right speaks for something, "
            "a bar to the left against it.",
            *(
                f"The zeros of “{word}” keep all other rows silent, and its 1 brings the row of "
                f"“{word}”."
                for word in request.words
            ),
            f"Added up, the {T} rows say “{best}”: {shown(request.sums.max(), 2)}.",
        ],
        title=title,
        caption=caption,
        alt=alt,
        header=["word", *request.columns],
        rows=[
            [word, *(shown(x, 2) for x in row)]
            for word, row in zip(request.vocabulary, request.table, strict=True)
        ],
        upright=draw(request, alt, upright=True),
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


@dataclass(frozen=True)
class Form:
    """Where the parts are on a wide page, or on a narrow one.

    Attributes:
        left: where the vectors begin, behind the vocabulary.
        ones: the middle of each word's vector.
        table, column: where the table begins, and how wide its columns are.
        top: where the vectors and the table begin.
        stairs: whether each word is a step below the one before, above its vector.
    """

    left: float
    ones: Sequence[float]
    table: float
    column: float
    top: float
    stairs: bool

    @classmethod
    def of(cls, request: Request, upright: bool) -> "Form":
        """As wide as the words are, or as narrow as they can be."""
        left = 8.2 * max(map(len, request.vocabulary)) + 16
        if upright:
            widths = [24.0 if len(request.words) < 5 else 20.0] * len(request.words)
        else:
            widths = [max(46.0, 11.0 * len(word) + 12) for word in request.words]
        ends = left + np.cumsum(widths)
        table = float(ends[-1]) + (6 if upright else 26)
        room = (NARROW if upright else WIDE) - 2 - table
        column = min(128.0, max(36.0, room / len(request.columns)))
        top = 56.0 + (STAIR * len(widths) if upright else 0)
        return cls(left, (ends - np.array(widths) / 2).tolist(), table, column, top, upright)


def draw(request: Request, alt: str, upright: bool = False) -> str:
    """The drawing as SVG."""
    form = Form.of(request, upright)
    places = [list(request.vocabulary).index(word) for word in request.words]
    T, (V, C) = len(places), request.table.shape
    down = [form.top + (v + 0.5) * ROW for v in range(V)]
    lines = [form.top + V * ROW + BETWEEN + t * WORD for t in range(T)]
    below, edge = lines[-1] + SUM, form.table + C * form.column
    canvas = Canvas(edge + 2, below + 46, alt)
    # Each number is a bar, to the right of the line of its column, or to the left if it is below 0.
    largest = max(float(np.abs(request.table).max()), float(request.sums.max())) or 1.0
    low = max(0.0, -float(request.table.min())) / largest
    unit = (form.column - 12) / (1 + low)
    zeros = [form.table + c * form.column + 6 + low * unit for c in range(C)]

    def bars(y: float, row: np.ndarray, tall: float) -> None:
        for zero, number in zip(zeros, row / largest, strict=True):
            long = unit * float(np.abs(number))
            if long > 0.2:
                left = zero - long if number < 0 else zero
                canvas.bar(left, y - tall / 2, long, tall, "residual")

    def lit(y: float, row: np.ndarray) -> None:
        canvas.box(form.table, y - ROW / 2, edge - form.table, ROW, tone="residual")
        bars(y, row, ROW - 11)

    with canvas.step(1):
        crowded = any(LETTER * len(name) > form.column for name in request.columns)
        for c, name in enumerate(request.columns):
            high = 18 if crowded and c % 2 else 0
            canvas.write(form.table + (c + 0.5) * form.column, form.top - 14 - high, name)
        for zero in zeros:
            canvas.line([(zero, form.top), (zero, below + 14)], "faint", 1)
        for y, word, row in zip(down, request.vocabulary, request.table, strict=True):
            canvas.write(form.left - 8, y, word, "end")
            bars(y, row, ROW - 11)
    for t, (v, row) in enumerate(zip(places, request.rows, strict=True)):
        with canvas.step(2 + t):
            with canvas.moving("draws"):
                canvas.line([(form.ones[t], down[v]), (form.table, down[v])], "ink", 3)
            with canvas.moving("appears", after=0.7):
                lit(down[v], row)
            canvas.write(form.table - 12, lines[t], request.words[t], "word", "end")
            with canvas.moving("arrives", dy=down[v] - lines[t], after=0.9):
                lit(lines[t], row)
    with canvas.step(1):  # over the lines that lead to the table
        for t, (x, v) in enumerate(zip(form.ones, places, strict=True)):
            word, y = request.words[t], 16.0 + STAIR * t
            if form.stairs:
                canvas.line([(x, y + 12), (x, form.top - 4)], "ink", 1)
                canvas.write(x - 5, y, word, "word", "start")
            else:
                canvas.write(x, form.top - 16, word, "word")
            for place, y in enumerate(down):
                if place == v:
                    canvas.box(x - 11, y - 12, 22, 24, tone="ink")
                    canvas.write(x, y, "1", "word")
                else:
                    canvas.cells(x, y, [0], "ink", 1, digits=0, width=14)
    with canvas.step(2 + T):
        best = int(request.sums.argmax())
        canvas.line([(form.table, below - SUM / 2), (edge, below - SUM / 2)], "ink", 1.5)
        canvas.write(form.table - 12, below, "sum", "word", "end")
        with canvas.moving("widens"):
            bars(below, request.sums, 22)
        said = f"{request.columns[best]} {shown(request.sums[best], 2)}"
        at, side = (zeros[best], "start") if best < C / 2 else (edge - 4, "end")
        canvas.write(at, below + 30, said, "word", side, tone="residual")
    return canvas.svg(upright)
