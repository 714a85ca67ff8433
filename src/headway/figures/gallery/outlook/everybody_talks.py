"""Drawing: a sentence as a graph, one word that listens, and the same words with fewer edges."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.gallery.shared.drawn import Canvas
from headway.figures.gallery.shared.stepped import Stepped, stepped

WIDTH, ROUND = 800, 118  # of the whole drawing; from a circle's middle to its words
LEFT, RIGHT, MIDDLE = 205, 600, 192  # where the two circles are
GAP = math.radians(70)  # between the last word and the first, at the bottom of a circle
ROWS, ROW, CELL = 432, 31, 38  # where messages are listed, how far apart, and how wide a number is
MOST_WORDS, MOST_NUMBERS, LISTED = 12, 8, 3
TOLD = 0.015  # weights from here on are printed


@dataclass(frozen=True)
class Talk:
    """One word's attention, as messages on the graph of its sentence.

    Attributes:
        words: T words, in their order.
        asks: the place of the word that listens.
        weights: (T,) how much it listens to each word; they sum to one.
        values: (T, D) what each word sends.
        mixed: (D,) what arrives: weights @ values.
        answer: what the model says, and with which probability.
        reach: how many words on each side a word hears in the second graph.
    """

    words: Sequence[str]
    asks: int
    weights: np.ndarray
    values: np.ndarray
    mixed: np.ndarray
    answer: tuple[str, float]
    reach: int

    @property
    def window(self) -> list[tuple[int, int]]:
        """The edges (from, to) of the second graph, those from a word to itself included."""
        places = range(len(self.words))
        return [(s, t) for t in places for s in places if abs(s - t) <= self.reach]


def everybody_talks(talk: Talk, title: str, caption: str) -> Stepped:
    """The drawing: all edges, those into one word, what it makes of them, and fewer edges.

    Args:
        talk: the numbers.
        title, caption: as printed.

    Raises:
        ValueError: if the numbers do not fit each other, or there is too much to read.
    """
    check(talk)
    T, few = len(talk.words), len(talk.window)
    asker, most = talk.words[talk.asks], talk.words[int(np.argmax(talk.weights))]
    share, (said, p) = float(np.max(talk.weights)), talk.answer
    heard = abs(int(np.argmax(talk.weights)) - talk.asks) <= talk.reach
    alt = (
        f"Two circles of the words “{' '.join(talk.words)}”. In the first, all {T * T} edges; "
        f"“{asker}” listens to "
        + ", ".join(f"{w} {x:.0%}" for w, x in zip(talk.words, talk.weights, strict=True))
        + f". The mixed row leads to “{said}” with {p:.0%}. In the second circle a word hears "
        f"{talk.reach} words on each side and itself; {few} edges are left."
    )
    return stepped(
        draw(talk, alt),
        steps=[
            f"{T} words, written in a circle. Each of them is a node.",
            "Everybody talks to everybody, and a word hears itself as well: "
            f"{T} times {T}, that’s {T * T} edges.",
            f"Now listen with “{asker}”. One edge comes in from each word, and attention says how "
            f"thick it is: {share:.0%} of the weight comes from “{most}”.",
            "The messages are the values. Each is multiplied by its weight, and their sum is what "
            f"arrives. From it the model says “{said}”, with {p:.0%}.",
            f"The same words, but each hears {talk.reach} neighbors on either side, and itself. "
            f"Only {few} of {T * T} edges are left, "
            + (f"“{most}” to “{asker}” among them." if heard else "and the thickest one is gone."),
        ],
        title=title,
        caption=caption,
        alt=alt,
        header=[
            "word",
            f"weight for “{asker}”",
            *(f"value {i + 1}" for i in range(len(talk.mixed))),
        ],
        rows=[
            [word, f"{talk.weights[t]:.2f}", *(f"{x:.2f}" for x in talk.values[t])]
            for t, word in enumerate(talk.words)
        ]
        + [["what arrives", f"{np.sum(talk.weights):.2f}", *(f"{x:.2f}" for x in talk.mixed)]],
    )


def check(talk: Talk) -> None:
    """Raise ValueError as `everybody_talks` says."""
    T, D = len(talk.words), np.shape(talk.mixed)[-1]
    given = np.shape(talk.weights), np.shape(talk.values), np.shape(talk.mixed)
    if given != ((T,), (T, D), (D,)) or not 0 <= talk.asks < T:
        raise ValueError(
            f"{T} words need weights ({T},), values ({T}, D), a mixed row (D,), and a word that "
            f"asks; got {given}, and word {talk.asks} asks"
        )
    if not np.isclose(np.sum(talk.weights), 1, atol=1e-3):
        raise ValueError(f"weights must sum to one, got {np.sum(talk.weights):.3f}")
    if not np.allclose(np.asarray(talk.weights) @ talk.values, talk.mixed, atol=1e-3):
        raise ValueError("what arrives must be the weighted mean of the values")
    if not LISTED <= T <= MOST_WORDS or D > MOST_NUMBERS or not 1 <= talk.reach < T:
        raise ValueError(
            f"one can read {LISTED} to {MOST_WORDS} words, up to {MOST_NUMBERS} numbers each, and "
            f"a reach from 1 to {T - 1}; got {T}, {D} and {talk.reach}"
        )


def draw(talk: Talk, alt: str) -> str:
    """The drawing as SVG."""
    T = len(talk.words)
    canvas = Canvas(WIDTH, ROWS + (LISTED + 1) * ROW + 34, alt)
    pairs = [(s, t) for t in range(T) for s in range(t)]
    asker = talk.words[talk.asks]

    def place(center: float, t: int, away: float = 0) -> tuple[float, float]:
        """Where word t is; the first is at the lower left, and the others follow clockwise."""
        angle = math.pi / 2 + GAP / 2 + t * (2 * math.pi - GAP) / (T - 1)
        r = ROUND + away
        return center + r * math.cos(angle), MIDDLE + r * math.sin(angle)

    def loop(center: float, t: int, tone: str, width: float, flows: bool = False) -> None:
        """The edge from a word to itself."""
        (x, y), (a, b) = place(center, t), place(center, t, 20)
        dx, dy = 0.55 * (b - y), -0.55 * (a - x)
        curve = [(x, y), (a + dx, b + dy), (a - dx, b - dy), (x, y)]
        canvas.line(curve, tone, width, flows=flows)

    def name(center: float, t: int) -> tuple[float, float, list[str]]:
        """Where a word is written, and to which side of it."""
        x, y = place(center, t, 24)
        side = x - center
        return x, y, ["start"] if side > 20 else ["end"] if side < -20 else []

    def nodes(center: float) -> None:
        for t, word in enumerate(talk.words):
            canvas.circle(*place(center, t), 5)
            x, y, side = name(center, t)
            canvas.write(x, y, word, "big", *side, tone="query" if t == talk.asks else "")

    with canvas.step(1):
        nodes(LEFT)
    with canvas.step(2):
        for s, t in pairs:
            canvas.line([place(LEFT, s), place(LEFT, t)], "ink", 0.6)
        for t in range(T):
            loop(LEFT, t, "ink", 0.6)
        canvas.write(LEFT, MIDDLE + ROUND + 42, f"{T} × {T} = {T * T} edges", "big")
    with canvas.step(3):
        for s, weight in enumerate(talk.weights):
            thick = max(0.8, 14 * float(weight))
            if s == talk.asks:
                loop(LEFT, s, "value", min(thick, 5), flows=True)
            else:
                canvas.line([place(LEFT, s), place(LEFT, talk.asks)], "value", thick, flows=True)
            if weight >= TOLD:
                x, y, side = name(LEFT, s)
                below = 16 if side else -17  # above the word at the top of the circle
                canvas.write(x, y + below, f"{weight:.0%}", "note", *side, tone="value")
    with canvas.step(4):
        listed = np.argsort(-np.asarray(talk.weights), kind="stable")[:LISTED]
        largest = float(np.abs(talk.values).max())
        D = len(talk.mixed)
        middle = 196 + D * CELL / 2
        for row, s in enumerate(listed):
            y = ROWS + row * ROW
            canvas.write(100, y, f"{talk.words[s]}", "big", "end")
            canvas.write(186, y, f"{talk.weights[s]:.2f} ×", "end")
            canvas.cells(middle, y, talk.values[s], "value", largest, width=CELL)
        y = ROWS + LISTED * ROW + 12
        rest = 1 - float(np.sum(np.asarray(talk.weights)[listed]))
        canvas.write(middle + D * CELL / 2 + 14, ROWS + (LISTED - 1) * ROW,
                     f"+ the other {T - LISTED} words, {rest:.2f} together", "start")  # fmt: skip
        canvas.write(186, y, f"what “{asker}” hears =", "end")
        canvas.cells(middle, y, talk.mixed, "value", largest, width=CELL)
        edge = middle + D * CELL / 2
        canvas.line([(edge + 8, y), (edge + 44, y)], "residual", 2.5, arrow=True)
        said, p = talk.answer
        canvas.write(edge + 54, y, f"“{asker} {said}”, {p:.0%}", "word", "start", tone="residual")
    with canvas.step(5):
        nodes(RIGHT)
        for s, t in talk.window:
            tone, width = ("value", 2) if t == talk.asks else ("ink", 0.8)
            if s == t:
                loop(RIGHT, t, tone, width)
            elif s < t or t == talk.asks:
                canvas.line([place(RIGHT, s), place(RIGHT, t)], tone, width)
        canvas.write(RIGHT, MIDDLE + ROUND + 42, f"{len(talk.window)} edges", "big")
        canvas.write(RIGHT, MIDDLE, f"{talk.reach} neighbors on", "note")
        canvas.write(RIGHT, MIDDLE + 16, "either side", "note")
    return canvas.svg()
