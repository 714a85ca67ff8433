"""Part of a drawing: a map on which the rows of words move, first by one step, then by all."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from headway.figures.gallery.embeddings.guess import Guess
from headway.figures.gallery.shared.drawn import Canvas

AROUND, NAME, LINE = 32, 84, 22  # room around, at the right for names, from name to name
FORCE = 0.3  # length of the longest arrow that pulls or pushes, as a share of the map's
POINTS = 40  # of a road that are drawn
Place = tuple[float, float]


class WordRoads:
    """A plane of two numbers a word.

    Args:
        canvas: on which it is drawn.
        x, y, width, height: of its frame.
        guess: the step that is drawn alone.
        words, tracks: N words, and their rows (S, N, 2) after each step.
    """

    def __init__(
        self,
        canvas: Canvas,
        x: float,
        y: float,
        width: float,
        height: float,
        guess: Guess,
        words: Sequence[str],
        tracks: np.ndarray,
    ):
        self.canvas, self.guess, self.words = canvas, guess, words
        self.x, self.y, self.width, self.height = x, y, width, height
        self.tracks = np.asarray(tracks, dtype=float)
        points = self.tracks.reshape(-1, 2)
        self.pushes = guess.forces[:, None] * guess.guessed
        longest = max(float(np.linalg.norm(self.pushes, axis=1).max()), 1e-6)
        self.pushes = FORCE * float(np.ptp(points, axis=0).max()) / longest * self.pushes
        points = np.concatenate([points, guess.given[None], guess.given + self.pushes])
        low, high = points.min(axis=0), points.max(axis=0)
        self.room = np.array([width - 2 * AROUND - NAME, height - 2 * AROUND - 24])
        self.scale = float((self.room / np.maximum(high - low, 1e-6)).min())
        self.middle = (low + high) / 2

    def at(self, row: np.ndarray) -> Place:
        """Where a row is; the second number goes up."""
        right, up = self.scale * (np.asarray(row) - self.middle)
        across = self.x + AROUND + self.room[0] / 2 + float(right)
        return float(across), float(self.y + self.height / 2 + 12 - up)

    def frame(self) -> None:
        """The plane, still empty."""
        self.canvas.box(self.x, self.y, self.width, self.height)
        said = "a place for each row of E"
        self.canvas.write(self.x + 12, self.y + 18, said, "note", "start")

    def dot(self, place: Place, size: float = 13) -> None:
        self.canvas.line([place, place], "residual", size)

    def one_step(self) -> None:
        """Where the center's row is, what pulls and pushes it, and where it goes."""
        canvas, guess = self.canvas, self.guess
        (x, y), (x1, y1) = self.at(guess.given), self.at(guess.given_after)
        longest = self.scale * float(np.linalg.norm(self.pushes, axis=1).max())
        for word, force, push in zip(guess.asked, guess.forces, self.pushes, strict=True):
            right, up = self.scale * push
            long = float(np.hypot(right, up))
            if long > 8:
                with canvas.moving("draws"):
                    canvas.line([(x, y), (x + right, y - up)], "ink", 3, arrow=True)
            if long > 0.6 * longest:
                name = f"{word} {'pulls' if force > 0 else 'pushes'}"
                if abs(right) > abs(up):
                    canvas.write(x + right / 2, y - up / 2 - 18, name)
                else:
                    canvas.write(x + right / 2 - 10, y - up / 2, name, "end")
        canvas.circle(x, y, 4.5)
        with canvas.moving("arrives", dx=x - x1, dy=y - y1, after=0.9):
            self.dot((x1, y1))
        canvas.write(x1 - 8, y1 + 17, guess.words[guess.center], "end")

    def all_steps(self) -> None:
        """The road of each word, from a ring to a dot with its name."""
        canvas, S = self.canvas, len(self.tracks)
        picked = np.unique(np.linspace(0, S - 1, min(S, POINTS)).round().astype(int))
        for i in range(len(self.words)):
            road = [self.at(row) for row in self.tracks[picked, i]]
            with canvas.moving("draws"):
                canvas.line(road, "residual", 2.5)
            with canvas.rolling([*road[:-1:4], road[-1]]):
                self.dot(road[-1])
        for row in self.tracks[0]:
            canvas.circle(*self.at(row), 4.5)
        ends = [self.at(row) for row in self.tracks[-1]]
        heights = np.array(apart([y for _, y in ends]))
        heights -= max(0.0, heights.max() - (self.y + self.height - LINE))
        with canvas.moving("appears", after=1):
            for height, word in zip(heights, self.words, strict=True):
                clear = max(x for x, y in ends if abs(y - height) < 2 * LINE)  # of all dots there
                canvas.write(clear + 13, height, word, "word", "start", "clear")


def apart(heights: Sequence[float]) -> list[float]:
    """The same heights, moved until names at them keep clear of each other."""
    order, found = np.argsort(heights), np.array(heights, dtype=float)
    for _ in range(50):
        for above, below in pairwise(order):
            lack = LINE - (found[below] - found[above])
            if lack > 0:
                found[above] -= lack / 2
                found[below] += lack / 2
    return found.tolist()
