"""The drawing of a translator at work, with its words side by side and below each other."""

from dataclasses import dataclass, replace

import numpy as np

from headway.figures.gallery.shared.drawn import Canvas, room
from headway.figures.gallery.translator.looks import Crossing, most_other

SHOWN = 4  # numbers of a row of the memory, which are cells without digits
THICK, THINNEST = 9.0, 0.8  # of a line whose weight is 1, and at least
LEAST = 0.08  # weights below are not drawn
# Seconds from the beginning of a step: when the decoder asks, is answered, and writes.
ASKS, HEARS, WRITES = 0.3, 1.1, 2.1


@dataclass(frozen=True)
class Form:
    """Where things are: along the sentences, and across, from what is read to what is written.

    Attributes:
        upright: whether sentences run down.
        first, apart: along, of the first word, and from one word to the next.
        words, rows, box: across, of the words that are read, their rows, and the written words.
        leaves, ends: across, of a thread.
        wide, tall: of the box of a written word.
        cell: the width of a number in a row.
    """

    upright: bool
    first: float
    apart: float
    words: float
    rows: float
    leaves: float
    ends: float
    box: float
    wide: float
    tall: float
    cell: float

    def at(self, along: float, across: float) -> tuple[float, float]:
        """(x, y) of a place."""
        return (across, along) if self.upright else (along, across)

    def fitting(self, made: Crossing) -> "Form":
        """The form with room for the longest word that is written or read."""
        written, read = (max(map(room, words)) for words in (made.target, made.source))
        wide = max(self.wide, written)
        if self.upright:
            box, rows = NARROW - 4 - wide / 2, max(self.rows, self.words + read + 20)
            return replace(self, wide=wide, box=box, ends=box - wide / 2 - 2, rows=rows,
                           leaves=rows + 22)  # fmt: skip
        first, apart = max(self.first, 84 + wide / 2), max(self.apart, wide + 4, read + 4)
        return replace(self, wide=wide, first=first, apart=apart)

    def word(self, i: int) -> float:
        """Where the word at place i is, along."""
        return self.first + i * self.apart


NARROW = 360
WIDE = Form(False, 124, 79, 98, 138, 153, 330, 348, 75, 36, 14)
UPRIGHT = Form(True, 102, 46, 40, 133, 155, 256, 307, 98, 30, 9)


def draw(made: Crossing, alt: str, form: Form) -> str:
    """The drawing in one of its forms, as SVG."""
    form = form.fitting(made)
    S, T = len(made.source), len(made.target)
    end = form.word(max(S, T) - 1) + (26 if form.upright else form.wide / 2 + 6)
    canvas = Canvas(NARROW, end, alt) if form.upright else Canvas(end, 388, alt)
    memory = np.asarray(made.memory)[:, :SHOWN]

    def head(wide: float, upright: float, name: str, note: str, tone: str = "") -> None:
        """A name and a note; at the left of the wide form, on top of the upright one."""
        x, y = (upright, 22) if form.upright else (6, wide)
        canvas.write(x, y - 8, name, "big", "start", tone=tone)
        canvas.write(x, y + 9, note, "note", "start")

    def thread(s: int, t: int) -> list[tuple[float, float]]:
        """From a row of the memory to a word that is written."""
        a, x, middle = form.word(s), form.word(t), (form.leaves + form.ends) / 2
        way = [(a, form.leaves), (a, middle), (x, middle), (x, form.ends)]
        return [form.at(*point) for point in way]

    with canvas.step(1):
        head(form.words, 4, "encoder", "reads it all")
        for s, word in enumerate(made.source):
            kinds = ["big", "start"] if form.upright else ["word"]
            with canvas.moving("appears", after=0.15 * s):
                canvas.write(*form.at(form.word(s), form.words), word, *kinds)
    with canvas.step(2):
        listen(canvas, made, form)
        head(form.rows + 4, 114, "memory", "a row each", "residual")
        for s, row in enumerate(memory):
            dx, dy = form.at(0, form.words - form.rows)
            with canvas.moving("arrives", dx, dy, 0.9):
                x, y = form.at(form.word(s), form.rows)
                canvas.cells(x, y, row, "residual", np.abs(memory).max(), -1, form.cell)
    for t, word in enumerate(made.target):
        with canvas.step(3 + t):
            if t == 0:
                head(form.box - 48, form.box - form.wide / 2, "decoder", "looks, writes", "query")
                canvas.write(*start(form), made.start, *([] if form.upright else ["start"]))
            with canvas.moving("draws"):
                canvas.line(reads(form, t), "ink", 1.5, arrow=True)
            seen = [s for s in np.argsort(made.weights[t]) if made.weights[t, s] >= LEAST]
            for s in seen:
                with canvas.moving("reaches", after=ASKS):
                    canvas.line(thread(s, t)[::-1], "query", 1.5)
            for s in seen:
                with canvas.moving("pours", after=HEARS):
                    canvas.line(thread(s, t), "value", thick(made.weights[t, s]))
            x, y = form.at(form.word(t), form.box)
            canvas.box(x - form.wide / 2, y - form.tall / 2, form.wide, form.tall, tone="query")
            with canvas.moving("appears", after=WRITES):
                canvas.write(x, y, word, "big")
    return canvas.svg(form.upright)


def listen(canvas: Canvas, made: Crossing, form: Form) -> None:
    """Arcs to those words whose look at another word is drawn, the higher the longer."""
    pairs = [(most_other(made.own, i), i) for i in made.asking]
    longest = max((abs(i - j) for j, i in pairs), default=1)
    edge = form.words - (8 if form.upright else 18)
    room = edge - (4 if form.upright else 10)
    for j, i in pairs:
        reach = edge - room * (0.45 + 0.55 * abs(i - j) / longest) / 0.75
        a, b = form.word(j), form.word(i)
        way = [(a, edge), (a, reach), (b, reach), (b, edge)]
        with canvas.moving("draws"):
            canvas.line([form.at(*point) for point in way], "value", thick(made.own[i, j]),
                        arrow=True)  # fmt: skip


def start(form: Form) -> tuple[float, float]:
    """Where it is written what the decoder reads first."""
    return (form.box, 54) if form.upright else (6, form.box)


def reads(form: Form, t: int) -> list[tuple[float, float]]:
    """An arrow to the word at place t from the one before, which the decoder reads."""
    x, half = form.word(t), form.tall / 2
    if form.upright:
        return [(form.box, form.word(t - 1) + half if t else 64), (form.box, x - half - 1)]
    before, below = (form.word(t - 1) + 10, half) if t else (32, 12)
    low = form.box + half + 20
    return [(before, form.box + below), (before, low), (x - 10, low), (x - 10, form.box + half + 2)]


def thick(weight: float) -> float:
    """How thick a line is for a weight."""
    return max(THINNEST, THICK * float(weight))
