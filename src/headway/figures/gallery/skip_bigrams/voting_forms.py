"""The drawing of a vote on the next word, with its words side by side or below each other."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.core.page import number
from headway.figures.gallery.shared.drawn import Canvas
from headway.figures.gallery.skip_bigrams.voting import Voting

LETTER, HIGH = 10.5, 20  # how wide a letter of a word is, at most; from bar to bar
BLOCK, FULL = 16, 26  # height of a vote, and its width where it is cast
LEFT, WORD, GAP, SUMS = 78, 140, 72, 116  # side by side: labels, words, from row to row, a sum
WIDE = 740  # and the whole, if there are enough words
NARROW, FIRST, ROW = 350, 54, 36  # below each other: the width, the first word, and from each on
Place = tuple[float, float]


@dataclass(frozen=True)
class Form:
    """Where everything is.

    Attributes:
        width, height: of the drawing.
        words: the middle of each word, the latest at the end.
        arcs: the way from the latest word to each word before it.
        casts: (N, 2) where each vote begins, for either answer.
        gates: where the mask lets each word speak or not.
        labels: as (step, x, y, text, side, tone).
        sums: where the bars begin, in both rounds, for either answer.
        full: width of a vote in a sum.
    """

    width: float
    height: float
    words: Sequence[Place]
    arcs: Sequence[Sequence[Place]]
    casts: Sequence[tuple[Place, Place]]
    gates: Sequence[Place]
    labels: Sequence[tuple[int, float, float, str, str, str]]
    sums: Sequence[tuple[Place, Place]]
    full: float


def across(voting: Voting) -> Form:
    """From left to right."""
    N, most = len(voting.words) - 1, max(1.0, float(voting.all_votes.max()))
    widths = [max(44.0, LETTER * len(word) + 12) for word in voting.words]
    spare = max(0.0, WIDE - LEFT - sum(widths) - SUMS)
    widths = [width + min(40.0, spare / (N + 1)) for width in widths]
    ends = LEFT + np.cumsum(widths)
    *centers, at = (ends - np.array(widths) / 2).tolist()
    rows = [WORD + GAP, WORD + 2 * GAP - 14, WORD + 3 * GAP - 16]
    begin = at - 22
    tops = [WORD - 40 - 94 * (N - i) / N for i in range(N)]
    starts = [(at - 16 + 32 * i / N, WORD - 19) for i in range(N)]
    answers = [
        (step, 6.0, y + (w - 0.5) * HIGH, voting.answers[w], "start", "value")
        for step, y in ((3, rows[0]), (6, rows[2]))
        for w in range(2)
    ]
    return Form(
        max(begin + SUMS + 34, WIDE - 100),
        rows[2] + 32,
        [*((x, WORD) for x in centers), (at, WORD)],
        [
            [start, (start[0], top), (x, top), (x, WORD - 15)]
            for start, top, x in zip(starts, tops, centers, strict=True)
        ],
        [beside((x - FULL / 2, rows[0])) for x in centers],
        [(x, rows[1]) for x in centers],
        [
            *answers,
            (4, begin, rows[0] - 32, "together", "start", ""),
            (5, 6.0, rows[1], "mask", "start", "key"),
            (6, begin, rows[2] - 32, "behind the mask", "start", ""),
        ],
        [beside((begin, y)) for y in (rows[0], rows[2])],
        min(FULL, SUMS / most),
    )


def below(voting: Voting) -> Form:
    """From top to bottom, and narrow."""
    N, most = len(voting.words) - 1, max(1.0, float(voting.all_votes.max()))
    *lines, at = [FIRST + ROW * i for i in range(N + 1)]
    edge = 74 + LETTER * max(map(len, voting.words)) / 2
    casts, gate = (edge + 54, edge + 108), edge + 196
    rows, begin = (at + 70, at + 140), 92
    start = edge - LETTER * len(voting.words[-1]) / 2 - 12
    depths = [12 + 52 * (N - i) / N for i in range(N)]
    heads = [(3, x - 4, FIRST - 34, name, "start", "value")
             for x, name in zip(casts, voting.answers, strict=True)]  # fmt: skip
    answers = [
        (step, 84.0, y + (w - 0.5) * HIGH, voting.answers[w], "end", "value")
        for step, y in zip((4, 6), rows, strict=True)
        for w in range(2)
    ]
    return Form(
        NARROW,
        rows[1] + 34,
        [(edge, y) for y in [*lines, at]],
        [
            [(start, at), (62 - deep, at), (62 - deep, y), (64, y)]
            for deep, y in zip(depths, lines, strict=True)
        ],
        [((casts[0], y), (casts[1], y)) for y in lines],
        [(gate, y) for y in lines],
        [
            *heads,
            *answers,
            (4, begin, rows[0] - 32, "together", "start", ""),
            (5, gate, FIRST - 34, "mask", "middle", "key"),
            (6, begin, rows[1] - 32, "behind the mask", "start", ""),
        ],
        [beside((begin, y)) for y in rows],
        min(FULL, 180 / most),
    )


def beside(place: Place) -> tuple[Place, Place]:
    """Two bars, one below the other, around a height."""
    x, y = place
    return (x, y - HIGH / 2), (x, y + HIGH / 2)


def draw(voting: Voting, form: Form, alt: str, upright: bool = False) -> str:
    """The drawing as SVG."""
    *earlier, latest = voting.words
    canvas = Canvas(form.width, form.height, alt)

    def block(x: float, y: float, share: float, unit: float = FULL) -> None:
        if share > 0:
            canvas.bar(x, y - BLOCK / 2, max(1.0, share * unit - 1.5), BLOCK, "value")

    def count(heard: np.ndarray, places: tuple[Place, Place]) -> None:
        """A bar for each answer: the votes come to it one after the other."""
        for w, (end, y) in enumerate(places):
            for turn, i in enumerate(np.flatnonzero(heard)):
                vote, (x0, y0) = float(voting.votes[i, w]), form.casts[i][w]
                with canvas.moving("arrives", dx=x0 - end, dy=y0 - y, after=0.12 * turn):
                    block(end, y, vote, form.full)
                end += vote * form.full
            with canvas.moving("appears", after=0.12 * int(heard.sum()) + 0.6):
                total = float(voting.votes[heard, w].sum())
                canvas.write(end + 8, y, number(total, 2), "big", "start")

    with canvas.step(1):
        for (x, y), word in zip(form.words[:-1], earlier, strict=True):
            canvas.write(x, y, word, "word")
        (x, y), half = form.words[-1], LETTER * len(latest) / 2 + 10
        canvas.box(x - half, y - 18, 2 * half, 36, tone="query")
        canvas.write(x, y, latest, "word")
        canvas.write(x + half + 10, y, "?", "word", "start")
    with canvas.step(2):
        for i, arc in enumerate(form.arcs):
            with canvas.moving("draws", after=0.06 * (len(earlier) - i)):
                canvas.line(arc, "query", 1.5, arrow=True)
    for i, may in enumerate(voting.mask):
        with canvas.step(3, until=None if may else 5):
            for place, vote in zip(form.casts[i], voting.votes[i], strict=True):
                with canvas.moving("widens", after=0.05 * i):
                    block(*place, float(vote))
    with canvas.step(4):
        count(np.ones(len(earlier), dtype=bool), form.sums[0])
    with canvas.step(5):
        for (x, y), may in zip(form.gates, voting.mask, strict=True):
            canvas.cells(x, y, [may], "key", 1, digits=0)
    with canvas.step(6):
        for i in np.flatnonzero(voting.mask):
            (x, y), ((begin, level), _) = form.gates[i], form.sums[1]
            turn = level + HIGH / 2
            way = [(x, y + 14), (x, turn), (begin - 10, turn)]
            if x > begin:  # around the gates below
                out = form.width - 6
                way = [
                    (x + 22, y),
                    (out, y),
                    (out, (y + turn) / 2),
                    (out, turn),
                    (begin + 70, turn),
                ]
            with canvas.moving("draws"):
                canvas.line(way, "value", 2, arrow=True)
        count(voting.mask, form.sums[1])
    for step, x, y, name, side, tone in form.labels:
        with canvas.step(step):
            canvas.write(x, y, name, "big" if tone else "note", side, tone=tone)
    return canvas.svg(upright)
