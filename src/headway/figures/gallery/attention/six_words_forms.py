"""The drawing of one word's attention, with its words side by side and below each other."""

from collections.abc import Iterator

import numpy as np

from headway.figures.gallery.attention.asking import Asking
from headway.figures.gallery.shared.drawn import CELL, TALL, Canvas, shown

LEFT, COLUMN, WIDTH = 92, 104, 732  # beside the columns, how wide each is at most, and all of it
# How far down each row of the wide form is.
WORD, QUERY, KEY, SCORE, FLOOR, VALUE, MIXED = 26, 80, 152, 198, 316, 338, 468
BAR, STREAM = 80, 30  # a bar's height and a ribbon's width for all the weight
BROAD = 44  # how wide a bar is

NARROW, FIRST, ROW, SMALL = 360, 122, 46, 33  # the upright form: its width, rows and cells
# How far to the right each column of the upright form is.
KEYS, SCORES, BARS, VALUES, ENDS = 118, 178, 206, 283, 337
LONG = 40  # a bar for all the weight

APART = 0.3  # seconds from one query that sets out to the next


def wide(asking: Asking, alt: str) -> str:
    """The words from left to right, and what they make below them."""
    T = len(asking.words)
    column = min(COLUMN, (WIDTH - LEFT - 16) / T)
    cell = min(CELL, (column - 6) / 2)
    centers = [LEFT + (i + 0.5) * column for i in range(T)]
    at = centers[asking.asks]
    canvas = Canvas(LEFT + T * column + 16, MIXED + 30, alt)

    def label(y: float, name: str, note: str, tone: str = "") -> None:
        canvas.write(8, y - 8, name, "big", "start", tone=tone)
        canvas.write(8, y + 9, note, "note", "start")

    def cells(x: float, y: float, numbers: np.ndarray, tone: str, all_of: np.ndarray) -> None:
        canvas.cells(x, y, numbers, tone, np.abs(all_of).max(), asking.digits(numbers), cell)

    with canvas.step(1):
        for center, word in zip(centers, asking.words, strict=True):
            if center != at:
                canvas.write(center, WORD, word, "word")
        canvas.box(at - column / 2 + 5, WORD - 18, column - 10, 36, tone="query")
        canvas.write(at, WORD, asking.words[asking.asks], "word")
    with canvas.step(2):
        label(QUERY, "query", "what I look for", "query")
        with canvas.moving("draws"):
            canvas.line([(at, WORD + 19), (at, QUERY - 15)], "query", 2, arrow=True)
        with canvas.moving("arrives", dy=WORD - QUERY):
            cells(at, QUERY, asking.query, "query", asking.query)
    with canvas.step(3):
        label(KEY, "keys", "what I offer", "key")
        for center, key in zip(centers, asking.keys, strict=True):
            with canvas.moving("arrives", dy=WORD - KEY):
                cells(center, KEY, key, "key", asking.keys)
    with canvas.step(4):
        label(SCORE, "scores", "q · k / √2")
        bus = QUERY + 32
        for center, after in zip(centers, departures(asking), strict=True):
            corners = [(at, bus), ((at + center) / 2, bus), (center, bus)]
            with canvas.moving("draws", after=after):
                way = [(at, QUERY + 13), *corners, (center, KEY - 15)]
                canvas.line(way, "query", 1.5, arrow=True)
            with canvas.moving("travels", at - center, QUERY - KEY, after):
                cells(center, KEY, asking.query, "query", asking.query)
        write_scores(canvas, asking, [(center, SCORE) for center in centers], "big")
    with canvas.step(5):
        label(FLOOR - 36, "weights", "softmax, sum 1")
        for center, weight in zip(centers, asking.weights, strict=True):
            tall = max(1.5, weight * BAR)
            with canvas.moving("rises", after=0.2):
                canvas.bar(center - BROAD / 2, FLOOR - tall, BROAD, tall, "ink")
            with canvas.moving("appears", after=0.9):
                canvas.write(center, FLOOR - tall - 11, f"{weight:.2f}", "big")
    with canvas.step(6):
        label(VALUE, "values", "what I say", "value")
        for center, value in zip(centers, asking.values, strict=True):
            with canvas.moving("arrives", dy=BAR / 2):
                cells(center, VALUE, value, "value", asking.values)
    with canvas.step(7):
        label(MIXED, "mixture", "what I hear", "value")
        top, end = VALUE + TALL / 2, MIXED - TALL / 2
        middle = (top + end) / 2
        for center, lane, thick in zip(centers, *lanes(asking, at, STREAM), strict=True):
            with canvas.moving("pours"):
                curve = [(center, top), (center, middle), (lane, middle), (lane, end)]
                canvas.ribbon(curve, "value", thick)
        with canvas.moving("appears", after=1.2):
            cells(at, MIXED, asking.mixed, "value", asking.values)
        heard = at - cell - 8
        with canvas.moving("draws", after=1.6):
            canvas.line([(heard, MIXED), (heard - 20, MIXED)], "value", 2, arrow=True)
        with canvas.moving("appears", after=2.1):
            write_answer(canvas, asking, heard - 30, MIXED, "end")
    return canvas.svg()


def upright(asking: Asking, alt: str) -> str:
    """The words from top to bottom, and what they make to the right of them."""
    T = len(asking.words)
    rows = [FIRST + i * ROW for i in range(T)]
    at, mixed = rows[asking.asks], rows[-1] + 84
    top, heads = 26, FIRST - 40  # of the query, and of the columns' heads
    canvas = Canvas(NARROW, mixed + 26, alt)

    def cells(x: float, y: float, numbers: np.ndarray, tone: str, all_of: np.ndarray) -> None:
        canvas.cells(x, y, numbers, tone, np.abs(all_of).max(), asking.digits(numbers), SMALL)

    def head(x: float, name: str, tone: str = "") -> None:
        canvas.write(x, heads, name, tone=tone)

    with canvas.step(1):
        for y, word in zip(rows, asking.words, strict=True):
            if y != at:
                canvas.write(7, y, word, "big", "start")
        canvas.box(1, at - 16, 74, 32, tone="query")
        canvas.write(7, at, asking.words[asking.asks], "big", "start")
    with canvas.step(2):
        canvas.write(KEYS + SMALL + 14, top - 8, "query", "big", "start", tone="query")
        canvas.write(KEYS + SMALL + 14, top + 9, "what I look for", "note", "start")
        with canvas.moving("arrives", dx=40 - KEYS, dy=at - top):
            cells(KEYS, top, asking.query, "query", asking.query)
    with canvas.step(3):
        head(KEYS, "keys", "key")
        for y, key in zip(rows, asking.keys, strict=True):
            with canvas.moving("arrives", dx=40 - KEYS):
                cells(KEYS, y, key, "key", asking.keys)
    with canvas.step(4):
        head(SCORES - 2, "scores")
        bus = KEYS - SMALL - 9
        for y, after in zip(rows, departures(asking), strict=True):
            corners = [(bus, top), (bus, (top + y) / 2), (bus, y)]
            with canvas.moving("draws", after=after):
                canvas.line([(KEYS - SMALL - 1, top), *corners, (bus + 8, y)], "query", 1.5)
            with canvas.moving("travels", dy=top - y, after=after):
                cells(KEYS, y, asking.query, "query", asking.query)
        write_scores(canvas, asking, [(SCORES, y) for y in rows])
    with canvas.step(5):
        head(BARS + LONG / 2 + 3, "weights")
        for y, weight in zip(rows, asking.weights, strict=True):
            long = max(1.5, weight * LONG)
            with canvas.moving("widens", after=0.2):
                canvas.bar(BARS, y - 8, long, 16, "ink")
            with canvas.moving("appears", after=0.9):
                canvas.write(BARS, y - 17, f"{weight:.2f}", "start")
    with canvas.step(6):
        head(VALUES, "values", "value")
        for y, value in zip(rows, asking.values, strict=True):
            with canvas.moving("arrives", dx=-20):
                cells(VALUES, y, value, "value", asking.values)
    with canvas.step(7):
        across, end = VALUES + SMALL, mixed - TALL / 2
        # The first word's ribbon is the outermost, so that none crosses another.
        for y, lane, thick in zip(rows, *lanes(asking, ENDS, -20), strict=True):
            with canvas.moving("pours"):
                curve = [(across, y), (lane, y), (lane, y + 30), (lane, end)]
                canvas.ribbon(curve, "value", thick)
        with canvas.moving("appears", after=1.2):
            cells(NARROW - SMALL - 3, mixed, asking.mixed, "value", asking.values)
        heard = NARROW - 2 * SMALL - 11
        with canvas.moving("draws", after=1.6):
            canvas.line([(heard, mixed), (heard - 20, mixed)], "value", 2, arrow=True)
        with canvas.moving("appears", after=2.1):
            write_answer(canvas, asking, heard - 30, mixed, "end")
        canvas.write(7, mixed - 8, "mixture", "big", "start", tone="value")
        canvas.write(7, mixed + 9, "what I hear", "note", "start")
    return canvas.svg(upright=True)


def departures(asking: Asking) -> Iterator[float]:
    """When the query sets out to each word, in seconds."""
    return (APART * i for i in range(len(asking.words)))


def write_scores(
    canvas: Canvas, asking: Asking, places: list[tuple[float, float]], *kinds: str
) -> None:
    """The scores, each as the query arrives."""
    for (x, y), score, after in zip(places, asking.scores, departures(asking), strict=True):
        with canvas.moving("appears", after=after + 0.8):
            canvas.write(x, y, shown(score, 2), *kinds)


def lanes(asking: Asking, x: float, whole: float) -> tuple[list[float], list[float]]:
    """Where the words' ribbons arrive around x, side by side, and how thick each is.

    Args:
        whole: how wide they are together; below zero for the first one on the right.
    """
    thick = [max(0.8, abs(whole) * float(weight)) for weight in asking.weights]
    sign = 1 if whole > 0 else -1
    left = x - sign * sum(thick) / 2
    return [left + sign * (sum(thick[:i]) + one / 2) for i, one in enumerate(thick)], thick


def write_answer(canvas: Canvas, asking: Asking, x: float, y: float, side: str) -> None:
    """What the mixture leads to, and what else it could have been."""
    answer, sure = asking.says[0]
    others = ", ".join(f"{name} {p:.0%}" for name, p in asking.says[1:])
    canvas.write(x, y - 9 if others else y, f"“{answer}” {sure:.0%}", "word", side)
    if others:
        canvas.write(x, y + 11, others, "note", side)
