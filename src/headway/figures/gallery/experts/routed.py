"""How the tokens of a line are sent to experts, as a drawing: the desk is in the middle."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.gallery.shared.drawn import Canvas

HEAD, FOOT = 52, 50  # heights: above the tokens, and below them
THICK = 11  # of a line for a weight of one


@dataclass(frozen=True)
class Routed:
    """A line of tokens before a mixture of experts.

    Attributes:
        words: T tokens.
        shares: (T, E) what a softmax makes of the router's scores.
        chosen: (T, k) the experts of each token.
        weights: (T, k) how much each of them counts.
        typical: for each expert, the tokens that it reads most often.
        asks: the place of the token that goes first.
    """

    words: Sequence[str]
    shares: np.ndarray
    chosen: np.ndarray
    weights: np.ndarray
    typical: Sequence[Sequence[str]]
    asks: int

    def readers(self, expert: int) -> list[str]:
        """The tokens of the line that have chosen an expert."""
        return [word for word, row in zip(self.words, self.chosen, strict=True) if expert in row]


@dataclass(frozen=True)
class Form:
    """The measures of a drawing.

    Attributes:
        width: of the drawing.
        words: of the column of tokens.
        cell: of a score.
        road: from the scores to the experts.
        row: from one token to the next.
        dot: the radius of a dot for a weight of one.
        typical: how many typical tokens an expert shows.
    """

    width: float
    words: float
    cell: float
    road: float
    row: float
    dot: float
    typical: int


WIDE = Form(width=740, words=92, cell=26, road=210, row=32, dot=10, typical=3)
NARROW = Form(width=380, words=68, cell=12, road=96, row=30, dot=6, typical=1)


def draw(routed: Routed, form: Form, alt: str) -> Canvas:
    """The drawing."""
    desk = Desk(routed, form, alt)
    steps = {3: [routed.asks], 4: [t for t in range(len(routed.words)) if t != routed.asks]}
    for step in (4, 3):  # the first token's lines run over the others
        with desk.canvas.step(step):
            for place in steps[step]:
                desk.sent(place)
    with desk.canvas.step(1):
        desk.tokens()
        desk.experts()
    with desk.canvas.step(2):
        desk.scores()
    for step, places in steps.items():
        with desk.canvas.step(step):
            for place in places:
                desk.marked(place)
    with desk.canvas.step(5):
        desk.counted()
    return desk.canvas


class Desk:
    """The parts of the drawing, step by step."""

    def __init__(self, routed: Routed, form: Form, alt: str):
        self.routed, self.form = routed, form
        T, E = routed.shares.shape
        self.left = form.words + 8  # of the scores
        self.right = self.left + E * form.cell  # of the scores, where the lines begin
        self.end = self.right + form.road  # where the lines end
        self.bottom = HEAD + max(T, E) * form.row
        self.canvas = Canvas(form.width, self.bottom + FOOT, alt)

    def middle(self, place: int, of: int) -> float:
        """The height of one of so many rows, which fill the height evenly."""
        return HEAD + (place + 0.5) * (self.bottom - HEAD) / of

    def token(self, place: int) -> float:
        """The height of a token."""
        return self.middle(place, len(self.routed.words))

    def expert(self, e: int) -> float:
        """The height of an expert."""
        return self.middle(e, len(self.routed.typical))

    def tokens(self) -> None:
        """The tokens, one below the other."""
        self.canvas.write(self.form.words, HEAD - 20, "tokens", "end", tone="residual")
        for place, word in enumerate(self.routed.words):
            self.canvas.write(self.form.words, self.token(place), word, "big", "end")

    def experts(self) -> None:
        """The experts, with a number each, and what they are asked about."""
        self.canvas.write(self.end, HEAD - 20, "experts", "start", tone="value")
        for e, typical in enumerate(self.routed.typical):
            y = self.expert(e)
            self.canvas.box(self.end, y - 12, 26, 24, tone="value")
            self.canvas.write(self.end + 13, y, str(e + 1), "big", tone="value")
            said = "\u2002".join(typical[: self.form.typical])
            self.canvas.write(self.end + 34, y, said, "start")

    def scores(self) -> None:
        """A cell for each token and expert; the chosen ones carry their weight."""
        routed, form = self.routed, self.form
        E = routed.shares.shape[1]
        middle = (self.left + self.right) / 2
        self.canvas.write(middle, HEAD - 38, "the router’s scores", tone="query")
        for e in range(E):
            x = self.left + (e + 0.5) * form.cell
            self.canvas.write(x, HEAD - 14, str(e + 1))
        for place, row in enumerate(routed.shares):
            with self.canvas.moving("appears", after=0.08 * place):
                self.canvas.cells(
                    middle, self.token(place), row, "query", 1.0, digits=-1, width=form.cell
                )

    def sent(self, place: int) -> None:
        """The lines from a token to its experts, as thick as their weights."""
        routed, y = self.routed, self.token(place)
        for e, weight in zip(routed.chosen[place], routed.weights[place], strict=True):
            to, bend = self.expert(int(e)), (self.right + self.end) / 2
            way = [(self.right + 3, y), (bend, y), (bend, to), (self.end - 3, to)]
            tone = "query" if place == routed.asks else "residual"
            with self.canvas.moving("pours"):
                self.canvas.line(way, tone, max(0.8, THICK * float(weight)))

    def marked(self, place: int) -> None:
        """A dot on each score that wins, as large as its expert's weight."""
        routed, y = self.routed, self.token(place)
        for e, weight in zip(routed.chosen[place], routed.weights[place], strict=True):
            x = self.left + (int(e) + 0.5) * self.form.cell
            with self.canvas.moving("appears"):
                self.canvas.dot(x, y, self.form.dot * (0.3 + 0.7 * float(weight)), "query")

    def counted(self) -> None:
        """How many tokens each expert got, and what one token has met."""
        E, k = len(self.routed.typical), self.routed.chosen.shape[1]
        for e in range(E):
            count, y = len(self.routed.readers(e)), self.expert(e)
            self.canvas.write(self.form.width - 6, y, f"{count}×", "big", "end", tone="value")
        self.canvas.write(
            self.form.width / 2, self.bottom + 26, f"each token: {k} of {E} experts", "word"
        )
