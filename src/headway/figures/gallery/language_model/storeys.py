"""A language model from the ground up: text, embedding, blocks, and the word that it says."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from textwrap import wrap

import numpy as np

from headway.figures.gallery.shared.drawn import TALL, Canvas

LEVEL, BLOCK = 86, 48  # from one row of the stream to the next, and a block's height between them
OUT, BAR, BOTTOM = 24, 22, 118  # above the way out, each of its bars, and the way in
BIG, SMALL = 9.4, 7.4  # what a letter takes
THICK = 12  # of a line for a weight of one
SHOWN = 3  # numbers of a word's row that are shown


@dataclass(frozen=True)
class Rising:
    """One text in a language model.

    Attributes:
        tokens: T tokens as text.
        ids: T ids.
        stream: (L + 1, T, C), the rows before the first block and after each.
        looks: (L, T), whom the last token looks at in each block, the mean over its heads.
        would_say: for each row of the stream, what the model would say if it ended there: the
            likeliest token and its probability.
        says: the likeliest next tokens and their probabilities.
        size: of the vocabulary V.
    """

    tokens: Sequence[str]
    ids: Sequence[int]
    stream: np.ndarray
    looks: np.ndarray
    would_say: Sequence[tuple[str, float]]
    says: Sequence[tuple[str, float]]
    size: int


@dataclass(frozen=True)
class Form:
    """The measures of a drawing: what is on the left of the columns, they, what is on the right.

    Attributes:
        names: whether the names of the parts are on the left; else they are on the right.
    """

    left: float
    columns: float
    right: float
    names: bool


WIDE = Form(left=106, columns=490, right=144, names=True)
NARROW = Form(left=4, columns=262, right=114, names=False)


def draw(rising: Rising, form: Form, alt: str) -> Canvas:
    """The drawing."""
    storeys = Storeys(rising, form, alt)
    parts = [storeys.text, storeys.embedded]
    parts += [partial(storeys.block, number) for number in range(1, storeys.levels)]
    for step, part in enumerate([*parts, storeys.way_out, storeys.read_again], 1):
        with storeys.canvas.step(step):
            part()
    return storeys.canvas


class Storeys:
    """The parts of the drawing."""

    def __init__(self, rising: Rising, form: Form, alt: str):
        self.rising, self.form = rising, form
        self.levels, self.tokens, _ = np.shape(rising.stream)
        self.column = form.columns / self.tokens
        self.centers = [form.left + (i + 0.5) * self.column for i in range(self.tokens)]
        self.width = form.left + form.columns + form.right
        top = OUT + BAR * len(rising.says) + 52
        self.height = top + (self.levels - 1) * LEVEL + BOTTOM
        self.rows = [self.height - BOTTOM - i * LEVEL for i in range(self.levels)]
        self.aside = form.left + form.columns + 10  # what is said on the right
        self.canvas = Canvas(self.width, self.height, alt)

    def label(self, y: float, name: str, *notes: str, tone: str = "") -> None:
        """The name of a part around y and what is said about it, where there is room for it."""
        if self.form.names:
            first = y - 8.5 * len(notes)
            self.canvas.write(6, first, name, "big", "start", tone=tone)
            for line, note in enumerate(notes, 1):
                self.canvas.write(6, first + 17 * line, note, "start")

    def text(self) -> None:
        """The tokens, and their ids above them."""
        needed = max(map(len, self.rising.tokens)) * SMALL
        apart = 9 if needed > self.column else 0  # by turns higher and lower
        self.label(self.height - 24, "text")
        self.label(self.height - 66, "ids")
        pairs = zip(self.centers, self.rising.tokens, self.rising.ids, strict=True)
        for i, (center, token, number) in enumerate(pairs):
            if needed <= self.column - 10:
                self.token(center, self.column - 8, token)
            else:
                y = self.height - 24 + (apart if i % 2 else -apart)
                self.canvas.write(center, y, token.replace(" ", "␣"))
            self.canvas.write(center, self.height - 66, str(number))

    def token(self, x: float, room: float, token: str, tone: str = "") -> None:
        """A token of the text in a box."""
        y, size = self.height - 24, ["big"] if len(token) * BIG <= room else []
        self.canvas.box(x - room / 2, y - 16, room, 32, tone=tone)
        self.canvas.write(x, y, token.replace(" ", "␣"), *size)

    def embedded(self) -> None:
        """Each id takes its row."""
        self.label(self.rows[0] + 8, "embedding", "a row for each", tone="residual")
        for center in self.centers:
            self.climbs(center, self.height - 76, self.rows[0] + 15)
        self.stream(0)
        lines = wrap("it would say, if it ended here", int((self.form.right - 20) / SMALL))
        for line, note in enumerate(lines):
            self.canvas.write(self.aside, self.rows[0] + 20 + 15 * line, note, "start")

    def climbs(self, x: float, below: float, above: float, width: float = 3) -> None:
        """An arrow upward."""
        with self.canvas.moving("draws"):
            self.canvas.line([(x, below), (x, above)], "residual", width, arrow=True)

    def stream(self, level: int) -> None:
        """The rows at one height come up from below, and what the last of them would say."""
        y, rows = self.rows[level], self.rising.stream[level, :, :SHOWN]
        largest = float(np.abs(rows).max())
        cell = min(26, (self.column - 8) / SHOWN)
        with self.canvas.moving("arrives", dy=LEVEL - TALL if level else 30, after=0.5):
            for center, row in zip(self.centers, rows, strict=True):
                self.canvas.cells(center, y, row, "residual", largest, -1, cell)
        name, p = (f"“{self.rising.would_say[level][0].strip()}”", self.rising.would_say[level][1])
        with self.canvas.moving("appears", after=1.2):
            if (len(name) + 5) * BIG <= self.form.right - 16:
                self.canvas.write(self.aside, y, f"{name} {p:.0%}", "big", "start")
            else:
                self.canvas.write(self.aside, y - 11, name, "start")
                self.canvas.write(self.aside, y + 5, f"{p:.0%}", "start")

    def block(self, number: int) -> None:
        """A block between two rows of the stream, and whom the last token looks at in it."""
        below, above = self.rows[number - 1], self.rows[number]
        last, top = self.centers[-1], above + (LEVEL - BLOCK) / 2
        middle, bottom = top + BLOCK / 2, top + BLOCK
        self.canvas.box(self.form.left, top, self.form.columns, BLOCK)
        notes = ("attention, then", "feed-forward") if number == 1 else ()
        self.label(middle, f"block {number}", *notes)
        if not self.form.names:
            self.canvas.write(self.aside, middle, f"block {number}", "start")
        for center in self.centers:
            self.climbs(center, below - 14, above + 15, 4)
        for center, weight in zip(self.centers[:-1], self.rising.looks[number - 1], strict=False):
            curve = [(center, bottom - 6), (center, middle), (last, middle), (last, top + 8)]
            with self.canvas.moving("draws", after=0.2):
                self.canvas.line(curve, "value", max(0.7, THICK * float(weight)))
        self.stream(number)

    def way_out(self) -> None:
        """A bar for each of the likeliest tokens."""
        last, y = self.centers[-1], self.rows[-1]
        end = OUT + BAR * len(self.rising.says) + 4
        self.label(end - 4, "logits", f"{self.rising.size:,} scores,", "then a softmax")
        self.climbs(last, y - 14, end, 4)
        names = max(len(name) for name, _ in self.rising.says) * SMALL
        left = self.form.left + names + 12
        longest = last - left - 40
        for i, (name, p) in enumerate(self.rising.says):
            at = OUT + i * BAR - 4
            self.canvas.write(left - 8, at, name.replace(" ", "␣"), "end")
            with self.canvas.moving("widens", after=0.6):
                self.canvas.bar(left, at - 8, max(2.0, p * longest), 16, "ink")
            self.canvas.write(left + 8 + p * longest, at, f"{p:.0%}", "start")

    def read_again(self) -> None:
        """The likeliest token comes down, and joins the text."""
        word = self.rising.says[0][0]
        room = min(self.column - 8, self.form.right - 40)
        room = max(room, min(len(word) * SMALL + 10, self.form.right - 40))
        x, y, edge = self.aside + room / 2 - 4, self.height - 24, self.width - 6
        self.canvas.write(self.aside, OUT - 4, "chosen", "start")
        begins, ends = (self.aside + 52, OUT - 4), (x + room / 2 + 2, y)
        with self.canvas.moving("draws"):
            self.canvas.line(
                [begins, (edge, OUT - 4), (edge, y / 2), (edge, y), ends], "ink", 2, True
            )
        with self.canvas.moving("arrives", dy=OUT - 4 - y, after=0.6):
            self.token(x, room, word, tone="value")
