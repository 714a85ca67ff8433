"""How several heads ask at once, as a drawing: questions on one side of the words, answers on the
other.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.gallery.shared.drawn import Canvas

THICK, LEAST = 10, 0.02  # of a line for a weight of one, and the weight that has a line
APART = 11  # between what two heads ask of one word
CELL, SMALL = 30, 15  # a number's width, and where there is less room

Point = tuple[float, float]


@dataclass(frozen=True)
class Heads:
    """One word's attention with several heads.

    Attributes:
        words: T words.
        asks: the place of the word that asks.
        questions: H questions, as a reader would put them.
        weights: (H, T) how much each head gives to each word.
        found: (H, D) what each head brings home.
        output: (C,) the rows side by side, times W_O.
        answers: for each question, the likeliest answer and its probability.
    """

    words: Sequence[str]
    asks: int
    questions: Sequence[str]
    weights: np.ndarray
    found: np.ndarray
    output: np.ndarray
    answers: Sequence[tuple[str, float]]


@dataclass(frozen=True)
class Form:
    """The measures of a drawing.

    Attributes:
        across: whether the words run to the right; if not, they run down.
        width: of the drawing.
        pitch: from word to word, if they run down.
        edge: from a word's middle to where lines begin.
        reach: how far the line of the nearest question reaches out, and how much more the next.
        home: from the words' middle to the middles of what is brought home.
    """

    across: bool
    width: float
    pitch: float
    edge: float
    reach: tuple[float, float]
    home: float


WIDE = Form(across=True, width=740, pitch=0, edge=17, reach=(48, 44), home=150)
NARROW = Form(across=False, width=380, pitch=40, edge=52, reach=(26, 32), home=160)


def draw(heads: Heads, form: Form, alt: str) -> Canvas:
    """The drawing."""
    asking = Asking(heads, form, alt)
    with asking.canvas.step(2):
        for head in range(len(heads.questions)):
            asking.asked(head)
        with asking.canvas.moving("appears", after=0.7):
            asking.named()
    with asking.canvas.step(3):
        for head in range(len(heads.questions)):
            asking.found(head)
    with asking.canvas.step(1):
        asking.words()
    with asking.canvas.step(4):
        asking.joined()
    return asking.canvas


class Asking:
    """The parts of the drawing, step by step."""

    def __init__(self, heads: Heads, form: Form, alt: str):
        self.heads, self.form = heads, form
        H, T = np.shape(heads.weights)
        far = [abs(int(row.argmax()) - heads.asks) for row in heads.weights]
        order = sorted(range(H), key=lambda h: far[h])
        self.ranks = [order.index(h) for h in range(H)]  # how far out each head's lines run
        out = form.edge + 0.75 * self.reach(H - 1)
        if form.across:
            self.start, self.pitch, self.middle = 0.0, form.width / T, out + 24
            self.end = self.middle + form.home + 46
        else:
            self.start, self.pitch, self.middle = 14.0, form.pitch, 174.0
            self.end = self.start + T * form.pitch + 36
        self.canvas = Canvas(form.width, self.end + (118 if form.across else 84 + 24 * H), alt)

    def reach(self, rank: int) -> float:
        """How far out the lines are pulled."""
        first, more = self.form.reach
        return first + more * rank

    def along(self, place: float) -> float:
        """Where a word is along the line of words."""
        return self.start + (place + 0.5) * self.pitch

    def at(self, along: float, depth: float) -> Point:
        """Where something is; what is asked has a negative depth, and what is answered none."""
        depth += self.middle
        return (along, depth) if self.form.across else (depth, along)

    def home(self, head: int) -> Point:
        """The middle of what a head brings home."""
        H, D = np.shape(self.heads.found)
        if self.form.across:
            apart = D * CELL + 16
            along = self.form.width / 2 + (head - (H - 1) / 2) * apart
        else:
            along = self.start + (head + 0.5) * len(self.heads.words) * self.pitch / H
        return self.at(along, self.form.home)

    def words(self) -> None:
        """The words, and a box around the one that asks."""
        asks = self.heads.asks
        x, y = self.at(self.along(asks), 0)
        half = 5 * len(self.heads.words[asks]) + 13 if self.form.across else 48
        self.canvas.box(x - half, y - 16, 2 * half, 32, tone="query")
        for place, word in enumerate(self.heads.words):
            self.canvas.write(*self.at(self.along(place), 0), word, "big")

    def asked(self, head: int) -> None:
        """A head's lines from the word that asks to the others, as thick as their weights."""
        heads, edge, rank = self.heads, self.form.edge, self.ranks[head]
        depth = -edge - self.reach(rank)
        row = heads.weights[head]
        for place in np.flatnonzero(row >= LEAST):
            side = APART * (rank - (len(heads.questions) - 1) / 2)
            side = side if place <= heads.asks else -side
            begins, ends = self.along(heads.asks) + side, self.along(place) - side
            way = [(begins, -edge), (begins, depth), (ends, depth), (ends, -edge)]
            with self.canvas.moving("draws"):
                points = [self.at(*point) for point in way]
                thick = max(0.8, THICK * float(row[place]))
                self.canvas.line(points, "query", thick)

    def named(self) -> None:
        """The questions, where they have gone."""
        best = self.heads.weights.argmax(axis=1)
        for place in sorted({int(place) for place in best}):
            said = " ".join(
                q for q, to in zip(self.heads.questions, best, strict=True) if to == place
            )
            x, y = self.at(self.along(place), 0)
            if self.form.across:
                aside = 14 + APART * (len(self.heads.questions) - 1) / 2
                self.canvas.write(x - aside, y - 36, said, "big", "end", tone="query")
            else:
                self.canvas.write(x, y + 17, said, tone="query")

    def found(self, head: int) -> None:
        """A head's values on their way home, and the row that they make."""
        edge, heads = self.form.edge, self.heads
        x, y = self.home(head)
        D = np.shape(heads.found)[1]
        ends = (x, y - 13) if self.form.across else (x - D * self.cell / 2 - 2, y)
        for place in np.flatnonzero(heads.weights[head] >= LEAST):
            begins = self.at(self.along(place), edge)
            bends = [self.half(begins, ends, one) for one in (begins, ends)]
            with self.canvas.moving("pours"):
                thick = max(0.8, THICK * float(heads.weights[head, place]))
                self.canvas.line([begins, *bends, ends], "value", thick)
        with self.canvas.moving("appears", after=0.9):
            self.cells(x, y, heads.found[head], "value", self.cell)

    def half(self, begins: Point, ends: Point, one: Point) -> Point:
        """What a curve leaves and arrives straight to."""
        if self.form.across:
            return one[0], (begins[1] + ends[1]) / 2
        return (begins[0] + ends[0]) / 2, one[1]

    @property
    def cell(self) -> float:
        """How wide a number is that is brought home."""
        return CELL if self.form.across else SMALL

    def cells(self, x: float, y: float, row: np.ndarray, tone: str, width: float) -> None:
        """A row of numbers without digits."""
        largest = float(np.abs(self.heads.found).max()) if tone == "value" else None
        self.canvas.cells(x, y, row, tone, largest, digits=-1, width=width)

    def joined(self) -> None:
        """All rows side by side, the row that a matrix makes of them, and what is read off it."""
        heads, canvas, x, y = self.heads, self.canvas, self.form.width / 2, self.end
        H, D = np.shape(heads.found)
        wide = min(H * D * CELL, self.form.width - 40)
        if not self.form.across:
            self.cells(x, y - 14, heads.found.ravel(), "value", wide / (H * D))
        with canvas.moving("draws"):
            canvas.line([(x, y + 6), (x, y + 32)], "residual", 3, arrow=True)
        canvas.write(x - 14, y + 18, "side by side", "end")
        canvas.write(x + 14, y + 18, "mixed by one matrix", "start")
        with canvas.moving("appears", after=0.6):
            self.cells(x, y + 50, heads.output, "residual", wide / len(heads.output))
        for h, (question, (name, _)) in enumerate(zip(heads.questions, heads.answers, strict=True)):
            said = f"{question} {name}"
            if self.form.across:
                to = ((h + 0.5) * self.form.width / H, y + 90)
                canvas.line([(x, y + 63), (x, y + 78), (to[0], y + 63), to], "residual", 2)
                canvas.write(to[0], y + 104, said, "word")
            else:
                canvas.write(x, y + 86 + 24 * h, said, "word")
