"""The drawing of a blank seen from one side and from both, with words in a line or in a column."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.gallery.masked_model.looked import Likely, Looked, percent
from headway.figures.gallery.shared.drawn import Canvas, room

GUESSES, LEAST = 4, 0.005  # that are shown of each model at most, and how likely the last one is
LINE, BAR = 22, 15  # from one guess to the next, and how high a bar is
TOLD = 0.045  # weights from here on are printed
THICK, THINNEST = 16, 0.8  # of a line whose weight is 1, and at least
HEARS = 0.9  # seconds from the beginning of a step: when answers come back
DECODER, ENCODER = -1, 1  # on which side of the words a model is drawn


@dataclass(frozen=True)
class Form:
    """Where things are: along the sentence, and across it.

    Attributes:
        upright: whether the sentence runs down.
        words: across, of the words.
        told, edge, reach: how far from there weights are printed, arcs begin, and how far they go.
        widest: of a bar of guesses.
    """

    upright: bool
    words: float
    told: float
    edge: float
    reach: float
    widest: float

    def at(self, along: float, across: float) -> tuple[float, float]:
        """(x, y) of a place."""
        return (across, along) if self.upright else (along, across)

    def places(self, words: Sequence[str]) -> list[float]:
        """Where the words are, along: as far apart as they are long, or each in a row."""
        if self.upright:
            return [74 + 36 * t for t in range(len(words))]
        rooms = [max(44, room(word)) for word in words]
        gap = max(2, (WIDTH - 12 - sum(rooms)) / (len(words) - 1))
        return [6 + sum(rooms[:t]) + t * gap + rooms[t] / 2 for t in range(len(words))]

    def arc(self, a: float, b: float, side: int, longest: float) -> list[tuple[float, float]]:
        """From a to b, the farther out the farther they are apart."""
        edge = self.words + side * self.edge
        out = edge + side * self.reach * (0.35 + 0.65 * abs(a - b) / longest) / 0.75
        return [self.at(*point) for point in [(a, edge), (a, out), (b, out), (b, edge)]]


WIDTH, NARROW = 720, 360
WIDE = Form(False, 212, 25, 36, 84, 150)
UPRIGHT = Form(True, 180, 49, 88, 80, 62)


def draw(looked: Looked, alt: str, form: Form) -> str:
    """The drawing in one of its forms, as SVG."""
    places, blank = form.places(looked.words), looked.blank
    at, asks, last = places[blank], places[blank - 1], places[-1]
    longest = max(last - at, at - places[0])
    width, under = (NARROW, last + 74) if form.upright else (last + 60, form.words + 166)
    lists = [looked.guesses, looked.answers] if form.upright else [looked.answers]
    canvas = Canvas(width, under + LINE * max(len(worth(likely)) for likely in lists), alt)

    def listen(t: int, weights: np.ndarray, side: int) -> None:
        """What the word at place t hears of all others."""
        for s, weight in enumerate(weights):
            if s != t:
                with canvas.moving("pours", after=HEARS if side == DECODER else 0):
                    way = form.arc(places[s], places[t], side, longest)
                    canvas.line(way, "value", thick(weight))
            if weight >= TOLD:
                x, y = form.at(places[s], form.words + side * form.told)
                with canvas.moving("appears", after=HEARS + 0.8 if side == DECODER else 0.8):
                    anchor = ["end" if side == DECODER else "start"] if form.upright else []
                    canvas.write(x, y, f"{weight:.0%}", "note", *anchor)

    def ask(t: int, others: range, side: int, motion: str) -> None:
        """The question of the word at place t."""
        for s in others:
            if s != t:
                with canvas.moving(motion):
                    canvas.line(form.arc(places[t], places[s], side, longest), "query", 1.2)

    def answer(likely: Likely, x: float, top: float, way: list[tuple[float, float]]) -> None:
        """What a model says."""
        with canvas.moving("draws"):
            canvas.line(way, "query", 2, arrow=True)
        for i, (word, p) in enumerate(worth(likely)):
            y = top + i * LINE
            with canvas.moving("appears", after=0.7):
                canvas.write(x - 6, y, word, "end", *(["big"] if i == 0 else []))
            with canvas.moving("widens", after=0.9):
                canvas.bar(x, y - BAR / 2, max(1.5, p * form.widest), BAR, "ink")
            with canvas.moving("appears", after=1.4):
                canvas.write(x + 6 + p * form.widest, y, percent(p), "start")

    def head(x: float, y: float, name: str, note: str) -> None:
        canvas.write(x, y - 8, name, "big", "start")
        canvas.write(x, y + 10, note, "note", "start")

    with canvas.step(1):
        for place, word in zip(places, looked.words, strict=True):
            if place != at:
                canvas.write(*form.at(place, form.words), word, "big")
        x, y = form.at(at, form.words)
        canvas.box(x - 22, y - 16, 44, 32, tone="query")
        canvas.write(x, y, "?", "word", tone="query")
    with canvas.step(2):
        head(8, 24, "decoder", "looks back only")
        ask(blank - 1, range(blank), DECODER, "reaches")
        listen(blank - 1, looked.left, DECODER)
        hide(canvas, form, at, last)
    with canvas.step(3):
        edge = form.words - form.edge
        if form.upright:
            way = [(edge - 2, asks + 4), (26, asks + 4), (26, at + 40), (26, under - 18)]
            answer(looked.guesses, 78, under, way)
        else:
            way = [(asks, edge - 2), (asks, 58), (asks + 40, 58), (at + 16, 58)]
            answer(looked.guesses, at + 90, 24, way)
    with canvas.step(4, until=5):
        ask(blank, range(len(places)), ENCODER, "draws")
    with canvas.step(4):
        head(*((244, 24) if form.upright else (8, under + 4)), "encoder", "looks both ways")
    with canvas.step(5):
        listen(blank, looked.both, ENCODER)
    with canvas.step(6):
        edge = form.words + form.edge
        if form.upright:
            corner = [(edge, at), (354, at), (354, at + 20), (354, at + 40), (354, under - 18)]
            answer(looked.answers, 260, under, corner)
        else:
            answer(looked.answers, at + 10, under, [(at, edge + 4), (at, under - 18)])
    return canvas.svg(form.upright)


def hide(canvas: Canvas, form: Form, at: float, last: float) -> None:
    """A box with what the decoder does not see: the words behind the blank."""
    if form.upright:
        lines, wide, tall = ("hidden:", "these words", "come later"), 92, 66
        x, y = 44, (at + last) / 2 - 18
    else:
        lines, wide, tall = ("hidden: these words come later",), last - at - 2, 30
        x, y = at + 34, form.words - 58
    canvas.box(x, y, wide, tall)
    for i, line in enumerate(lines):
        canvas.write(x + wide / 2, y + tall / 2 + 18 * (i - (len(lines) - 1) / 2), line, "note")


def worth(likely: Likely) -> Likely:
    """The guesses that are shown."""
    return [guess for i, guess in enumerate(likely[:GUESSES]) if not i or guess[1] >= LEAST]


def thick(weight: float) -> float:
    """How thick a line is for a weight."""
    return max(THINNEST, THICK * float(weight))
