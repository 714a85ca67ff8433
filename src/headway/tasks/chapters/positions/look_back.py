"""Stretch: a clock and one matrix by hand, so that every word looks some places back."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from headway.tasks.chapters.positions.mistakes import ANOTHER_OFFSET, TURNED_THE_WRONG_WAY
from headway.tasks.engine.compare import Difference
from headway.tasks.engine.mistakes import Shows, seen
from headway.tasks.engine.task import Case, Task

ENOUGH = 0.9
FORM = "two arrays of numbers are asked for: C/2 speeds, and a matrix of shape (C, C)."
LONG = "a long text"
INFINITE = "some scores are infinite or NaN."
WIDEST = 400  # numbers of a clock; two will do
TOO_WIDE = f"the clock has more than {WIDEST} numbers. Two will do."


def look_back(back, length):
    """One speed (1,) and M (2, 2): the score of p with s is firm · cos((p − s − back) · speed)."""
    speed = math.pi / length
    firm = 6 / (1 - math.cos(speed))
    cos, sin = math.cos(back * speed), math.sin(back * speed)
    return np.array([speed]), firm * np.array([[cos, -sin], [sin, cos]])


def cases(rng: np.random.Generator) -> list[Case]:
    return [
        # A pair that comes round too late to be seen in short texts does so in longer ones.
        Case("some places back", int(rng.integers(2, 7)), int(rng.integers(20, 38)), core=True),
        Case("far back", int(rng.integers(7, 17)), int(rng.integers(46, 56)), core=True),
        Case("the previous word", 1, 24),
        Case("the word itself", 0, 16),
        Case(LONG, 7, 300),
        Case("from the last word to the first", 11, 12),
        Case("a single word", 0, 1),
    ]


def weights_of(got, length: int) -> np.ndarray | str:
    """Whom each place looks at, (T, T), and how firmly; or what is wrong with the answer's form."""
    try:
        speeds, matrix = (np.array(part, dtype=float) for part in got)
    except (TypeError, ValueError):
        return FORM
    if speeds.ndim != 1 or matrix.shape != (2 * len(speeds),) * 2:
        return FORM
    if len(matrix) > WIDEST:
        return TOO_WIDE
    angles = np.arange(length)[:, None] * speeds
    with np.errstate(all="ignore"):
        clocks = np.stack([np.sin(angles), np.cos(angles)], -1).reshape(length, -1)
        scores = clocks @ matrix.T @ clocks.T
    if not np.isfinite(scores).all():
        return INFINITE
    parts = np.exp(scores - scores.max(1, keepdims=True))
    return parts / parts.sum(1, keepdims=True)


def _right_places(weights: np.ndarray, back: int) -> np.ndarray:
    """The weight of the word `back` places earlier, for each word that has one."""
    return np.diagonal(weights, -back)


def behaves(got, expected, case) -> Difference | None:
    """Whether each word gives enough weight to the right one; vectors may differ that do."""
    back, length = case.inputs
    weights = weights_of(got, length)
    if isinstance(weights, str):
        return Difference(weights)
    right = _right_places(weights, back)
    if (right >= ENOUGH).all():
        return None
    at = int(right.argmin()) + back
    return Difference(
        f"the word at place {at} gives a weight of {right[at - back]:.2f} to place {at - back}, at "
        f"least {ENOUGH} is asked; it looks most at place {weights[at].argmax()}.",
    )


class Look(NamedTuple):
    """Whom the words look at that have a word `back` places earlier.

    Attributes:
        weights: (rows, T), what each of them gives.
        place: (rows,), where it is.
        back: how far it should look.
    """

    weights: np.ndarray
    place: np.ndarray
    back: int

    @property
    def best(self) -> np.ndarray:
        return self.weights.argmax(1)

    @property
    def rivals(self) -> np.ndarray:
        """The weights of all other places than the right ones."""
        rivals = self.weights.copy()
        rivals[np.arange(len(rivals)), self.place - self.back] = 0
        return rivals

    def at_best(self) -> bool:
        """Whether no place gets more than the right one."""
        right = self.weights[np.arange(len(self.place)), self.place - self.back]
        return bool((right > 0.99 * self.weights.max(1)).all())

    def rival_is_a_neighbor(self) -> bool:
        """Whether the place that gets most of what it shouldn't is beside a right one."""
        row, rival = np.unravel_index(self.rivals.argmax(), self.weights.shape)
        return abs(rival - self.place[row] + self.back) == 1


def told(shows: Callable[[Look], bool]) -> Shows:
    """A predicate of whom the words look at; what can't be weights shows nothing."""

    def shown(got, expected, case) -> bool:
        back, length = case.inputs
        return shows(Look(weights_of(got, length)[back:], np.arange(back, length), back))

    return shown


def _ahead(look: Look) -> bool:
    there = look.place + look.back < look.weights.shape[1]
    return there.any() and (look.best == look.place + look.back)[there].all()


def _another_distance(look: Look) -> bool:
    distances, rows = np.unique(look.place - look.best, return_counts=True)
    usual = distances[rows.argmax()]
    return (look.best == np.clip(look.place - usual, 0, look.weights.shape[1] - 1)).all()


look_back_task = Task(
    id="07-positions/look-back",
    title="Look back by hand",
    kind="stretch",
    points=4,
    minutes=20,
    answer="look_back",
    cases=cases,
    reference=look_back,
    misconceptions=(
        seen(
            "parts-of-another-form",
            "What you give isn't one speed for each hand and one square matrix. How many numbers "
            "does a clock of C/2 hands have?",
            lambda got, expected, case: weights_of(got, case.inputs[1]) is FORM,
        ),
        seen(
            "infinite-scores",
            "Some of your scores are infinite or NaN. What is infinity times 0, and how large does "
            "a score have to be?",
            lambda got, expected, case: weights_of(got, case.inputs[1]) is INFINITE,
        ),
        seen(
            "weights-too-even",
            "Neighbors of the right place get nearly the same weight, or all places do. How much "
            "lower is a neighbor's score, and how much lower does a softmax need it?",
            told(
                lambda look: (
                    np.ptp(look.weights) < 1e-6 or (look.at_best() and look.rival_is_a_neighbor())
                )
            ),
        ),
        seen(
            "comes-round-again",
            "In long texts your words also look where a hand has come round again. After how many "
            "places does your slowest hand do so?",
            told(lambda look: look.at_best() and not look.rival_is_a_neighbor()),
        ),
        TURNED_THE_WRONG_WAY.by(shows=told(_ahead)),
        ANOTHER_OFFSET.by(shows=told(_another_distance)),
        seen(
            "looks-elsewhere",
            "Your words look at places unrelated to the right ones. Which two columns make one "
            "hand, and which cosine is its score with another clock?",
            told(lambda look: not _another_distance(look) and not look.at_best()),
        ),
    ),
    compare=behaves,
)
