"""Part of a drawing: the loss as a hill, down which a ball rolls while a model learns."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from headway.figures.gallery.shared.drawn import Canvas, shown

SAMPLES = 30  # of the hill between two balls
BEFORE = 0.7  # how much of the first step the hill goes on upward
BALL, LABEL = 17, 18  # a ball's width, and at least from one label to the next


class LossHill:
    """The loss on the way from scores to scores, against how far one word is ahead of the others.

    Args:
        canvas: on which it is drawn.
        x, y, width, height: where.
        votes: (N,) what each word gives to the word that came.
        scores: some arrays (N,), one for each ball.
        leader: the word that is ahead.
    """

    def __init__(
        self,
        canvas: Canvas,
        x: float,
        y: float,
        width: float,
        height: float,
        votes: np.ndarray,
        scores: Sequence[np.ndarray],
        leader: int,
    ):
        self.canvas, self.votes, self.leader = canvas, np.asarray(votes), leader
        self.floor, self.below = y + height - 24, y + height
        share = np.linspace(0, 1, SAMPLES)[:, None]
        first, second = scores[:2]
        uphill = first + (share - 1) * BEFORE * (second - first)
        roads = [
            uphill,
            *(a + share * (b - a) for a, b in pairwise(scores)),
        ]
        ahead, loss = map(np.stack, zip(*map(self.measured, roads), strict=True))
        low, high = float(ahead.min()), float(ahead.max())
        across = x + (ahead - low) / max(high - low, 1e-9) * (width - BALL)
        down = self.floor - loss / max(float(loss.max()), 1e-9) * (self.floor - y - BALL)
        self.roads = [
            list(zip(*road, strict=True)) for road in np.stack([across, down], axis=1).tolist()
        ]
        self.losses = [float(line[-1]) for line in loss]
        self.labels: list[float] = []

    def measured(self, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """How far the leader is ahead (S,), and the loss (S,), with scores (S, N)."""
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        weights = powers / powers.sum(axis=1, keepdims=True)
        share = weights[:, self.leader]
        return np.log(share / (1 - share)), -np.log(weights @ self.votes)

    def frame(self, louder: str) -> None:
        """The hill, and what its height and its length mean."""
        (x, y), right = self.roads[0][0], self.roads[-1][-1][0] + BALL
        self.canvas.line([(x, self.floor + 9), (right, self.floor + 9)], "faint", 1.5)
        for road in self.roads:
            self.canvas.line(road, "faint", 4)
        self.canvas.write(x, y - 14, "loss", "note", "start")
        self.canvas.write(right, self.below, f"“{louder}” louder", "note", "end")

    def ball(self, k: int) -> None:
        """Ball k, on its way down from the one before."""
        x, y = self.roads[k][-1]
        if k:
            with self.canvas.moving("draws"):
                self.canvas.line(self.roads[k], "ink", 4)
            with self.canvas.rolling([*self.roads[k][::3], (x, y)]):
                self.canvas.line([(x, y), (x, y)], "ink", BALL)
        else:
            self.canvas.line([(x, y), (x, y)], "ink", BALL)

    def label(self, k: int, name: str) -> None:
        """What ball k stands for, and its loss."""
        x, y = self.roads[k][-1]
        last = k == len(self.roads) - 1
        at = max([y - 20 if last else y - 9, *(before + LABEL for before in self.labels)])
        if not last:
            self.labels.append(at)
        said = f"{name}: {shown(self.losses[k], 2)}"
        self.canvas.write(x + (BALL / 2 if last else 14), at, said, "end" if last else "start")
