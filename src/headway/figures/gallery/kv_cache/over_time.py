"""The keys and values that are computed for a text, word after word: time runs to the right."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.gallery.shared.drawn import Canvas

LABEL, PANEL, APART, EDGE = 84, 280, 16, 4  # widths: words, the work, between two, after the last
HEAD, FOOT, ANSWER = 62, 58, 30  # heights: above the rows, below them, and of what is written
ROW, NARROW_ROW = 25, 20  # the height of a word's row, and where there is less room
BETWEEN = 10  # the space after a key or a value
THICK, LEAST = 8, 0.02  # of a line for a weight of one, and the weight that has a line


@dataclass(frozen=True)
class Cached:
    """What one head keeps while a model writes, and what one of its words makes of it.

    Attributes:
        words: T tokens that are read.
        prompt: how many of them are there at first, and are read at once.
        keys, values: (T, D).
        asks: the place of the word whose attention is shown, after the prompt.
        query: (D,) its query.
        weights: (asks + 1,) what it gives to each word up to itself.
        mixed: (D,) the values, weighted.
        next: the word that the model writes then, and its probability.
    """

    words: Sequence[str]
    prompt: int
    keys: np.ndarray
    values: np.ndarray
    asks: int
    query: np.ndarray
    weights: np.ndarray
    mixed: np.ndarray
    next: tuple[str, float]


def counts(cached: Cached) -> tuple[list[int], list[int]]:
    """Rows computed up to each time that something is read: with the cache, and without."""
    lengths = range(cached.prompt, len(cached.words) + 1)
    return list(lengths), np.cumsum(lengths).tolist()


def draw(cached: Cached, beside: bool, alt: str) -> Canvas:
    """The work without a cache and with one, beside each other or below each other."""
    T, wide, high = len(cached.words), LABEL + PANEL, ROW if beside else NARROW_ROW
    tall = HEAD + T * high + FOOT
    second = (LABEL + wide + APART, HEAD) if beside else (LABEL, HEAD + tall)
    size = (2 * wide + APART, tall) if beside else (wide, 2 * tall)
    canvas = Canvas(size[0] + EDGE, size[1] + ANSWER, alt)
    without = Panel(canvas, cached, LABEL, HEAD, high, ANSWER if beside else 0)
    with_cache = Panel(canvas, cached, *second, high, ANSWER)
    panels = (without, with_cache)
    step = 0
    for column, t in enumerate(range(cached.prompt - 1, T)):
        step += 1
        fresh = range(t + 1) if column == 0 else [t]
        with canvas.step(step):
            for panel in panels:
                panel.named(fresh)
            for row in range(t + 1):
                without.computed(column, row, new=row in fresh)
                if row in fresh:
                    with_cache.computed(column, row, new=True)
                else:
                    with_cache.kept(column, row)
            if column == 0:
                without.headed("Without a cache")
                without.explained()
                with_cache.headed("With a cache")
            if t == T - 1:
                without.counted(counts(cached)[1][-1], "the same ones again and again")
                with_cache.counted(counts(cached)[0][-1], "each of them once, then kept")
        step += 2 * (t == cached.asks)  # for its question, and for the answer
    column = cached.asks - cached.prompt + 1
    with canvas.step(column + 2):
        with_cache.asked(column)
    with canvas.step(column + 3):
        with_cache.mixed(column)
    return canvas


class Panel:
    """Time runs to the right, and each word has a row.

    Args:
        x, y: where the first is computed.
        row: from one to the next.
        answer: the height of what is written below the rows, if something is.
    """

    def __init__(
        self, canvas: Canvas, cached: Cached, x: float, y: float, row: float, answer: float
    ):
        self.canvas, self.cached, self.x, self.y, self.row = canvas, cached, x, y, row
        self.half, self.answer = 0.36 * row, answer
        self.pitch = PANEL / (len(cached.words) - cached.prompt + 1)
        self.bottom = y + len(cached.words) * self.row

    def left(self, column: int) -> float:
        """Where what is computed at one time begins."""
        return self.x + column * self.pitch

    def middle(self, row: int) -> float:
        """The height of a word's row."""
        return self.y + (row + 0.5) * self.row

    def headed(self, name: str) -> None:
        """What it shows, and that time runs to the right."""
        self.canvas.write(self.x, self.y - 42, name, "word", "start")
        y, end = self.y - 16, self.x + PANEL
        self.canvas.write(self.x, y, "the prompt, then a word at a time", "start")
        self.canvas.line([(self.x + 232, y), (end - 4, y)], "ink", 1.2, arrow=True)

    def explained(self) -> None:
        """What the colors are, where no row is yet."""
        for row, tone in ((-2, "key"), (-1, "value")):
            y = self.bottom + (row + 0.5) * self.row
            self.canvas.bar(self.x, y - self.half / 2, self.pitch - BETWEEN, self.half - 1, tone)
            self.canvas.write(self.x + self.pitch, y, tone, "start", tone=tone)

    def named(self, rows: Iterable[int]) -> None:
        """The words of some rows."""
        for row in rows:
            word = self.cached.words[row]
            self.canvas.write(self.x - 10, self.middle(row), word, "big", "end")

    def computed(self, column: int, row: int, new: bool) -> None:
        """A key and a value are computed, for the first time or again."""
        long = self.pitch - BETWEEN
        with self.canvas.moving("arrives" if new else "widens", dx=-40):
            for tone, y in self._halves(row):
                self.canvas.bar(self.left(column), y - self.half / 2, long, self.half - 1, tone)

    def kept(self, column: int, row: int) -> None:
        """A key and a value stay where they are."""
        end = self.left(column) - BETWEEN + self.pitch
        for tone, y in self._halves(row):
            start = (self.left(column) - BETWEEN - 0.5, y - 0.5)
            with self.canvas.moving("widens"):
                self.canvas.branch(start, (end, y - 0.5), self.half - 1, tone)

    def _halves(self, row: int) -> list[tuple[str, float]]:
        """The heights of a key and of a value."""
        middle = self.middle(row)
        return [("key", middle - self.half / 2), ("value", middle + self.half / 2)]

    def asked(self, column: int) -> None:
        """A query goes past all keys, and meets each with a dot as large as its weight."""
        x, asks = self.left(column) - BETWEEN / 2, self.cached.asks
        keys = [self.middle(row) - self.half / 2 for row in range(asks + 1)]
        with self.canvas.moving("draws"):
            self.canvas.line([(x, self.middle(asks)), (x, keys[0])], "query", 2)
        for y, weight in zip(keys, self.cached.weights, strict=True):
            after = 0.8 * (keys[-1] - y) / (keys[-1] - keys[0])
            with self.canvas.moving("appears", after=after):
                self.canvas.dot(x, y, 2.5 + 6 * float(weight), "query")
        self.canvas.write(x - 10, self.middle(asks), "asks", "big", "end", tone="query")

    def mixed(self, column: int) -> None:
        """The values come down, as thick as their weights, and a word is written."""
        x, end = self.left(column) + self.pitch - BETWEEN / 2, self.bottom + 8
        for row, weight in enumerate(self.cached.weights):
            if weight >= LEAST:
                y = self.middle(row) + self.half / 2
                way = [(self.left(column) - BETWEEN / 2, y), (x, y), (x, end)]
                with self.canvas.moving("draws"):
                    self.canvas.line(way, "value", max(0.8, THICK * float(weight)))
        word, p = self.cached.next
        self.canvas.write(x + 4, end + 16, f"“{word}” {p:.0%}", "big", "end", tone="value")

    def counted(self, number: int, note: str) -> None:
        """How many rows were computed in all."""
        y = self.bottom + self.answer
        self.canvas.write(self.x, y + 24, f"{number} rows computed", "word", "start")
        self.canvas.write(self.x, y + 43, note, "start")
