"""The drawing of a sentence as a graph, with its two circles side by side and below each other."""

import math
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np

from headway.figures.gallery.outlook.talk import LISTED, Talk
from headway.figures.gallery.shared.drawn import Canvas

GAP = math.radians(70)  # between the last word and the first, at the bottom of a circle
ROW, SHOWN = 32, 4  # of a list of messages, and the numbers that are shown of each
THICK, THINNEST, LOOP = 14, 0.8, 5  # of an edge whose weight is 1, at least, and of a loop at most
TOLD = 0.015  # weights from here on are printed
HEARS = 0.9  # seconds from the beginning of a step: when answers come back


@dataclass(frozen=True)
class Circle:
    """Words around (x, y), the first at the lower left, and the others follow clockwise."""

    x: float
    y: float
    radius: float
    count: int

    def place(self, t: int, away: float = 0) -> tuple[float, float]:
        """Where word t is."""
        angle = math.pi / 2 + GAP / 2 + t * (2 * math.pi - GAP) / (self.count - 1)
        r = self.radius + away
        return self.x + r * math.cos(angle), self.y + r * math.sin(angle)

    def name(self, t: int) -> tuple[float, float, list[str]]:
        """Where a word is written, and to which side of it."""
        x, y = self.place(t, 22)
        side = x - self.x
        return x, y, ["start"] if side > 20 else ["end"] if side < -20 else []

    def edge(self, s: int, t: int) -> list[tuple[float, float]]:
        """From word s to word t, or around one."""
        if s != t:
            return [self.place(s), self.place(t)]
        (x, y), (a, b) = self.place(t), self.place(t, 20)
        dx, dy = 0.55 * (b - y), -0.55 * (a - x)
        return [(x, y), (a + dx, b + dy), (a - dx, b - dy), (x, y)]


@dataclass(frozen=True)
class Form:
    """Where things are.

    Attributes:
        upright: whether one is below the other.
        width, height: of the drawing.
        all, near: (x, y) of the circle with all edges, and of the one with few.
        radius: of both.
        rows: how far down the list of messages begins.
        words, cells: how far to the right its words end, and its numbers begin.
        cell: the width of a number.
    """

    upright: bool
    width: float
    height: float
    all: tuple[float, float]
    near: tuple[float, float]
    radius: float
    rows: float
    words: float
    cells: float
    cell: float


WIDE = Form(False, 720, 516, (192, 168), (562, 168), 104, 376, 146, 216, 40)
UPRIGHT = Form(True, 360, 860, (180, 160), (180, 692), 94, 332, 120, 188, 36)


def draw(talk: Talk, alt: str, form: Form) -> str:
    """The drawing in one of its forms, as SVG."""
    T = len(talk.words)
    canvas = Canvas(form.width, form.height, alt)
    everybody, near = (Circle(*at, form.radius, T) for at in (form.all, form.near))
    below = form.radius + 44
    with canvas.step(1):
        nodes(canvas, talk, everybody)
    with canvas.step(2):
        with canvas.moving("draws"):
            for s, t in combinations_with_replacement(range(T), 2):
                canvas.line(everybody.edge(s, t), "ink", 0.6)
        canvas.write(everybody.x, everybody.y + below, f"{T} × {T} = {T * T} edges", "big")
    with canvas.step(3):
        for s in range(T):
            with canvas.moving("reaches"):
                canvas.line(everybody.edge(talk.asks, s), "query", 1.5)
        for s, weight in enumerate(talk.weights):
            thick = max(THINNEST, THICK * float(weight))
            with canvas.moving("pours", after=HEARS):
                canvas.line(everybody.edge(s, talk.asks), "value",
                            min(thick, LOOP) if s == talk.asks else thick)  # fmt: skip
            if weight >= TOLD:
                x, y, side = everybody.name(s)
                over = 17 if side else -18  # above the word at the top of the circle
                with canvas.moving("appears", after=HEARS + 0.8):
                    canvas.write(x, y + over, f"{weight:.0%}", "note", "clear", *side, tone="value")
    with canvas.step(4):
        messages(canvas, talk, form, everybody)
    with canvas.step(5):
        nodes(canvas, talk, near)
        with canvas.moving("draws", after=0.4):
            for s, t in talk.window:
                tone, width = ("value", 2.5) if t == talk.asks else ("ink", 0.8)
                if s <= t or t == talk.asks:
                    canvas.line(near.edge(s, t), tone, width)
        canvas.write(near.x, near.y + below, f"{len(talk.window)} edges", "big")
        canvas.write(near.x, near.y - 8, f"{talk.reach} neighbors on", "note", "clear")
        canvas.write(near.x, near.y + 9, "either side", "note", "clear")
    return canvas.svg(form.upright)


def nodes(canvas: Canvas, talk: Talk, circle: Circle) -> None:
    """The words of a circle."""
    for t, word in enumerate(talk.words):
        canvas.circle(*circle.place(t), 5)
        x, y, side = circle.name(t)
        with canvas.moving("appears", after=0.1 * t):
            canvas.write(x, y, word, "big", *side, tone="query" if t == talk.asks else "")


def messages(canvas: Canvas, talk: Talk, form: Form, circle: Circle) -> None:
    """What the loudest words say, each times its weight, and the sum that arrives."""
    weights = np.asarray(talk.weights)
    listed = np.argsort(-weights, kind="stable")[:LISTED]
    values, mixed = (np.asarray(each)[..., :SHOWN] for each in (talk.values, talk.mixed))
    largest = float(np.abs(values).max())
    edge = form.cells + len(mixed) * form.cell
    middle = (form.cells + edge) / 2
    asker, (said, p) = talk.words[talk.asks], talk.answer
    for row, s in enumerate(listed):
        y, (x0, y0) = form.rows + row * ROW, circle.place(int(s))
        canvas.write(form.words, y, talk.words[s], "big", "end")
        canvas.write(form.cells - 8, y, f"{weights[s]:.2f} ×", "end")
        with canvas.moving("arrives", dx=x0 - middle, dy=y0 - y, after=0.3 * row):
            canvas.cells(middle, y, values[s], "value", largest, width=form.cell)
    rest = f"+ {len(talk.words) - LISTED} more words, {1 - weights[listed].sum():.2f} together"
    y = form.rows + LISTED * ROW + (22 if form.upright else 8)
    if form.upright:
        canvas.write(form.cells - 8, y - 28, rest, "note")
        result = (middle, y + 38, [(middle, y + 14), (middle, y + 24)])
    else:
        canvas.write(edge + 14, y - ROW - 8, rest, "note", "start")
        result = (edge + 56, y, [(edge + 8, y), (edge + 44, y)])
    canvas.write(form.cells - 8, y, f"what “{asker}” hears =", "end")
    with canvas.moving("appears", after=1.4):
        canvas.cells(middle, y, mixed, "value", largest, width=form.cell)
    x, y, way = result
    with canvas.moving("draws", after=1.6):
        canvas.line(way, "residual", 2.5, arrow=True)
    with canvas.moving("appears", after=2.2):
        side = [] if form.upright else ["start"]
        canvas.write(x, y, f"“{asker} {said}”, {p:.0%}", "word", *side, tone="residual")
