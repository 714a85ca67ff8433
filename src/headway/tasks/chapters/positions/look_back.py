"""Stretch: a clock and one matrix by hand, so that every word looks some places back."""

import math

import numpy as np

from headway.tasks.chapters.positions.mistakes import ANOTHER_OFFSET, TURNED_THE_WRONG_WAY
from headway.tasks.chapters.positions.rotation import by_halves, rotation
from headway.tasks.engine.compare import Difference
from headway.tasks.engine.mistakes import Misconception, any_of, changed
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


def diagnosis(got, case: Case) -> str:
    """What an answer shows: "right", or a kind of failure."""
    back, length = case.inputs
    weights = weights_of(got, length)
    if isinstance(weights, str):
        return weights
    if (_right_places(weights, back) >= ENOUGH).all():
        return "right"
    if np.ptp(weights) < 1e-6:
        return "everywhere alike"
    rows, place = weights[back:], np.arange(back, length)
    best, right = rows.argmax(1), place - back
    each = np.arange(len(rows))
    if (rows[each, right] > 0.99 * rows.max(1)).all():
        rivals = rows.copy()
        rivals[each, right] = 0
        row, rival = np.unravel_index(rivals.argmax(), rivals.shape)
        return "too even" if abs(rival - right[row]) == 1 else "comes round again"
    seen = place + back < length
    if seen.any() and (best == place + back)[seen].all():
        return "ahead"
    distances, rows_of_each = np.unique(place - best, return_counts=True)
    usual = distances[rows_of_each.argmax()]
    if (best == np.clip(place - usual, 0, length - 1)).all():
        return "another distance"
    return "elsewhere"


def alike(got, expected, case) -> Difference | None:
    """Whether two answers fail in the same way where it shows; elsewhere, whether both fail."""
    one, other = diagnosis(got, case), diagnosis(expected, case)
    shows = case.core or case.label == LONG
    same = one == other if shows else (one == "right") == (other == "right")
    return None if same else Difference("they fail in different ways.")


BLOCK = "[[cos, -sin], [sin, cos]]"
ANGLE = "math.cos(back * speed), math.sin(back * speed)"

PAPER = 10_000.0 ** (-np.arange(32) / 32)


def at_speeds(back, speeds, firm, turn=-1):
    """A clock of several hands, each of which is turned back by the same distance."""
    speeds = np.array(speeds)
    return speeds, firm * rotation(turn * back, speeds)


def in_halves(back, firm):
    """The matrix for a clock whose sines come first, and then its cosines."""
    return PAPER, firm * by_halves(-back, PAPER)


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
        TURNED_THE_WRONG_WAY.by(
            changed(look_back, BLOCK, "[[cos, sin], [-sin, cos]]"),
            lambda back, length: at_speeds(back, PAPER, 1_000.0, turn=1),
            lambda back, length: at_speeds(back, PAPER, 100.0, turn=1),
            lambda back, length: at_speeds(back, PAPER, 30.0, turn=1),
        ),
        Misconception(
            "comes-round-again",
            any_of(
                *(
                    lambda back, length, firm=firm, speed=speed: at_speeds(back, [speed], firm)
                    for firm in (10.0, 30.0, 100.0, 200.0, 400.0, 1_000.0)
                    for speed in (1.0, math.pi / 2, math.pi / 4)
                ),
                lambda back, length: at_speeds(back, [1.0], 5_000.0),
                lambda back, length: at_speeds(back, [0.1], 1_000.0),
                lambda back, length: at_speeds(back, [0.2], 1_000.0),
                lambda back, length: at_speeds(back, [0.05], 5_000.0),
                lambda back, length: at_speeds(back, [1.0, 0.01], 30.0),
                lambda back, length: at_speeds(back, [1.0, 0.01], 100.0),
            ),
            "In long texts your words also look where a hand has come round again. After how many "
            "places does your slowest hand do so?",
        ),
        Misconception(
            "weights-too-even",
            any_of(
                *(
                    changed(look_back, "6 / (1 - math.cos(speed))", firm)
                    for firm in ("1.0", "10.0", "30.0", "100.0", "300.0", "1_000.0", "10_000.0")
                ),
                *(
                    lambda back, length, firm=firm: at_speeds(back, PAPER, firm)
                    for firm in (0.2, 1.0)
                ),
                changed(look_back, "6 /", "2 /", "1 /"),
                lambda back, length: at_speeds(back, [0.0], 10.0),
                lambda back, length: (np.array([0.5]), np.zeros((2, 2))),
            ),
            "Neighbors of the right place get nearly the same weight, or all places do. How much "
            "lower is a neighbor's score, and how much lower does a softmax need it?",
        ),
        ANOTHER_OFFSET.by(
            changed(look_back, BLOCK, "np.eye(2)"),
            changed(look_back, ANGLE, ANGLE.replace("back", "(back + 1)")),
            changed(look_back, ANGLE, ANGLE.replace("back", "(back - 1)")),
            changed(look_back, ANGLE, ANGLE.replace("back", "2 * back")),
            changed(look_back, ANGLE, ANGLE.replace("back * speed", "back")),
            lambda back, length: at_speeds(back, PAPER, 100.0, turn=0),
            lambda back, length: at_speeds(back + 1, PAPER, 100.0),
            lambda back, length: at_speeds(back - 1, PAPER, 100.0),
        ),
        Misconception(
            "looks-elsewhere",
            any_of(
                changed(look_back, BLOCK, "[[-cos, sin], [-sin, -cos]]"),
                lambda back, length: in_halves(back, 1_000.0),
                lambda back, length: in_halves(back, 100.0),
            ),
            "Your words look at places unrelated to the right ones. Which two columns make one "
            "hand, and which cosine is its score with another clock?",
        ),
        Misconception(
            "infinite-scores",
            changed(look_back, "6 / (1 - math.cos(speed))", "math.inf", "1e300 * 1e10"),
            "Some of your scores are infinite or NaN. What is infinity times 0, and how large does "
            "a score have to be?",
        ),
        Misconception(
            "parts-of-another-form",
            any_of(
                lambda back, length: look_back(back, length)[1],
                lambda back, length: look_back(back, length)[::-1],
                lambda back, length: (np.repeat(math.pi / length, 2), look_back(back, length)[1]),
                lambda back, length: (math.pi / length, look_back(back, length)[1]),
                lambda back, length: tuple(
                    np.tile(part, (length, 1)) for part in look_back(back, length)
                ),
            ),
            "What you give isn't one speed for each hand and one square matrix. How many numbers "
            "does a clock of C/2 hands have?",
        ),
    ),
    compare=behaves,
    alike=alike,
)
