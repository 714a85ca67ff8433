"""Stretch: query, key and speeds by hand, so that every word looks some places back."""

import math

import numpy as np

from headway.tasks.engine.compare import Difference
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task

ENOUGH = 0.9
FORM = "three lists of numbers are asked for: a query and a key of an even width D, and D/2 speeds."
LONG = "a long text"
INFINITE = "some scores are infinite or NaN."
WIDEST = 4_096  # numbers of a query; two will do
TOO_WIDE = f"the query has more than {WIDEST:,} numbers. Two will do."


def look_back(back, length):
    """A query, a key (2,) and one speed (1,): the score is firm · cos((p − s − back) · speed)."""
    speed = math.pi / length
    firm = 6 / (1 - math.cos(speed))
    query = np.array([firm * math.cos(back * speed), -firm * math.sin(back * speed)])
    return query, np.array([1.0, 0.0]), np.array([speed])


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
        query, key, speeds = (np.array(part, dtype=float) for part in got)
    except (TypeError, ValueError):
        return FORM
    if query.ndim != 1 or query.shape != key.shape or speeds.shape != (len(query) / 2,):
        return FORM
    if len(query) > WIDEST:
        return TOO_WIDE
    angles = np.arange(length)[:, None] * speeds
    with np.errstate(all="ignore"):
        scores = _turned(query, angles) @ _turned(key, angles).T
    if not np.isfinite(scores).all():
        return INFINITE
    parts = np.exp(scores - scores.max(1, keepdims=True))
    return parts / parts.sum(1, keepdims=True)


def _turned(x: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """One vector (D,) at all places, (T, D)."""
    first, second = np.split(x, 2)
    cos, sin = np.cos(angles), np.sin(angles)
    return np.concatenate([first * cos - second * sin, first * sin + second * cos], 1)


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


TURN = "firm * math.cos(back * speed), -firm * math.sin(back * speed)"

PAPER = 10_000.0 ** (-np.arange(32) / 32)


def at_speeds(back, speeds, firm, turn=-1):
    """Vectors of several pairs, each of which wants the same distance."""
    angles = turn * back * np.array(speeds)
    query = firm * np.concatenate([np.cos(angles), np.sin(angles)])
    return query, np.repeat([1.0, 0.0], len(angles)), np.array(speeds)


def side_by_side(parts):
    """The same vectors with the two numbers of a pair side by side."""
    query, key, speeds = parts
    return query.reshape(2, -1).T.ravel(), key.reshape(2, -1).T.ravel(), speeds


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
        Misconception(
            "looks-ahead",
            any_of(
                changed(
                    look_back, TURN, "firm * math.cos(back * speed), firm * math.sin(back * speed)"
                ),
                lambda back, length: at_speeds(back, PAPER, 1_000.0, turn=1),
                lambda back, length: at_speeds(back, PAPER, 100.0, turn=1),
                lambda back, length: at_speeds(back, PAPER, 30.0, turn=1),
            ),
            "Your words look ahead: the weights are largest as many places behind a word as they "
            "should be before it. Which of query and key stands at the larger angle when a word "
            "looks back, and by how much must that be made up for?",
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
            "In short texts your words look at the right place. In long ones they also look at "
            "places much further off, where the score is as high, or nearly: a pair that turns "
            "comes round again. After how many places does your slowest pair do so, and how long "
            "is the text?",
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
            ),
            "The right place gets the largest weight, and its neighbors get nearly as much, in "
            "long texts at least. How much lower is the score of a neighbor, and how much lower "
            "does a softmax want it to be?",
        ),
        Misconception(
            "everywhere-alike",
            any_of(
                lambda back, length: at_speeds(back, [0.0], 10.0),
                lambda back, length: (np.zeros(2), np.array([1.0, 0.0]), np.array([0.5])),
            ),
            "All places get the same weight: nothing turns, or a query or key is all zeros. What "
            "tells one place from another here?",
        ),
        Misconception(
            "another-distance",
            any_of(
                changed(look_back, TURN, "firm, 0.0"),
                changed(look_back, TURN, TURN.replace("back", "(back + 1)")),
                changed(look_back, TURN, TURN.replace("back", "(back - 1)")),
                changed(look_back, TURN, TURN.replace("back", "2 * back")),
                changed(look_back, TURN, TURN.replace("back * speed", "back")),
                lambda back, length: at_speeds(back, PAPER, 100.0, turn=0),
                lambda back, length: at_speeds(back + 1, PAPER, 100.0),
                lambda back, length: at_speeds(back - 1, PAPER, 100.0),
            ),
            "Your words all look equally far, but not as far as asked. By which angle is your "
            "query ahead of your key, and how many places does that make at the speed of the pair?",
        ),
        Misconception(
            "looks-elsewhere",
            any_of(
                changed(
                    look_back, TURN, "-firm * math.cos(back * speed), firm * math.sin(back * speed)"
                ),
                lambda back, length: side_by_side(at_speeds(back, PAPER, 1_000.0)),
                lambda back, length: side_by_side(at_speeds(back, PAPER, 100.0)),
            ),
            "Your words look at places that hang together with the right ones in no simple way: "
            "where the score should be highest it may be lowest, or the angles belong to other "
            "pairs of columns than in the text. What is the score of one pair, as a cosine, and "
            "which two columns are that pair?",
        ),
        Misconception(
            "infinite-scores",
            any_of(
                changed(
                    look_back,
                    "6 / (1 - math.cos(speed))",
                    "math.inf",
                    "1e300 * 1e10",
                ),
            ),
            "Some of your scores are infinite or NaN. What is infinity times 0, and how large does "
            "a score have to be?",
        ),
        Misconception(
            "parts-of-another-form",
            any_of(
                lambda back, length: look_back(back, length)[:2],
                lambda back, length: (*look_back(back, length)[:2], np.repeat(math.pi / length, 2)),
                lambda back, length: (*look_back(back, length)[:2], math.pi / length),
                lambda back, length: tuple(
                    np.tile(part, (length, 1)) for part in look_back(back, length)
                ),
            ),
            "The three parts that are asked for are not there in their shapes: one query, one key "
            "of the same width, and a speed for each pair. For whom are they?",
        ),
    ),
    compare=behaves,
    alike=alike,
)
