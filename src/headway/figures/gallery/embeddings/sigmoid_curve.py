"""Part of a drawing: the sigmoid's curve, along which a step of training moves the scores."""

import numpy as np

from headway.figures.gallery.embeddings.guess import Guess
from headway.figures.gallery.shared.drawn import Canvas, shown


class SigmoidCurve:
    """The sigmoid, and the scores that slide along it.

    Args:
        canvas: on which it is drawn.
        x, y: its upper left corner.
        width, height: how large it is.
        guess: whose scores are shown.
    """

    def __init__(
        self, canvas: Canvas, x: float, y: float, width: float, height: float, guess: Guess
    ):
        self.canvas, self.guess = canvas, guess
        self.x, self.y, self.width, self.height = x, y, width, height
        scores = [*guess.scores, *guess.scores_after]
        self.reach = max(3.0, 1.2 * float(np.abs(scores).max()))

    def at(self, score: float) -> tuple[float, float]:
        chance = 1 / (1 + np.exp(-score))
        across = (score + self.reach) / (2 * self.reach)
        return self.x + float(across) * self.width, self.y + float(1 - chance) * self.height

    def frame(self) -> None:
        """The curve between *no* and *yes*."""
        write, left, right = self.canvas.write, self.x, self.x + self.width
        for chance, name in ((1, "yes: 1"), (0.5, "½"), (0, "no: 0")):
            y = self.y + (1 - chance) * self.height
            self.canvas.line([(left, y), (right, y)], "ink", 0.4)
            if chance == 0:
                write(right, y - 10, name, "note", "end")
            else:
                write(left, y - 10, name, "note", "start")
        points = [self.at(score) for score in np.linspace(-self.reach, self.reach, 41)]
        self.canvas.line(points, "residual", 3)
        for score in (-2, 0, 2):
            write(self.at(score)[0], self.y + self.height + 14, shown(score, 0), "note")
        write(right, self.y + self.height + 32, "score", "note", "end")

    def dot(self, score: float) -> None:
        x, y = self.at(score)
        self.canvas.line([(x, y - 5), (x, y + 5)], "ink", 3)

    def slide(self, i: int) -> None:
        """From the score of word i to its new one, beside the curve, with its name at the end."""
        before, after = self.guess.scores[i], self.guess.scores_after[i]
        up = after > before
        lift = -10 if up else 9 + 9 * (i - 1)
        points = [
            (x, y + lift) for x, y in (self.at(score) for score in np.linspace(before, after, 9))
        ]
        self.canvas.line(points, "ink", 2.5, arrow=True, flows=True)
        word = self.guess.asked[i]
        if up:
            x, y = points[-1]
            self.canvas.write(x - 6, y - 10, word, "big", "end")
        else:
            x, _ = self.at(max(self.guess.scores))
            y = self.at(0)[1] + 12 + 20 * i
            self.canvas.write(x + 64, y, word, "big", "start")
            self.canvas.line([(x + 60, y), (points[0][0] + 3, points[0][1])], "ink", 0.6)
