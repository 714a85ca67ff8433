"""Values to work out by hand: wave, distance, parameters."""

import math

from headway.tasks.chapters.positions.mistakes import (
    A_SPEED_FOR_EACH_COLUMN,
    ANOTHER_LAYOUT,
    ANOTHER_UNIT,
    COUNTED_FROM_ONE,
    DIRECTION_LOST,
    LAYOUTS_MIXED,
    NOT_TURNED,
    ONE_HEAD_FOR_ALL,
    ONE_SIDE_TURNED,
    ONE_SPEED_FOR_ALL,
    SIGN_LOST,
    SINE_AND_COSINE_SWAPPED,
    SINES_ONLY,
    SPEEDS_FALL_AT_ANOTHER_RATE,
    SPEEDS_RISE,
    SPEEDS_SWAPPED,
    TURNED_APART,
    TURNED_BACKWARDS,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception, any_of


def waves(*angles: float) -> list[float]:
    """Sine and cosine of each angle, side by side."""
    return [wave(angle) for angle in angles for wave in (math.sin, math.cos)]


def in_columns(*angles: float) -> list[float]:
    """An angle for each column: the sine in even ones, the cosine in odd ones."""
    return [(math.sin, math.cos)[place % 2](angle) for place, angle in enumerate(angles)]


PI = math.pi

wave = by_hand(
    "07-positions/wave",
    "Six numbers for one place",
    waves(PI, PI / 2, PI / 4),
    SINE_AND_COSINE_SWAPPED.by(
        waves(PI, PI / 2, PI / 4)[::-1],
        [-1, 0, 0, 1, 0.7071, 0.7071],
        [-1, 0, 1, 0, 0.7071, 0.7071],
        [0, -1, 0, 1, 0.7071, 0.7071],
    ),
    SINES_ONLY.by(
        [0, 0, 1, 1, 0.7071, 0.7071],
        [-1, -1, 0, 0, 0.7071, 0.7071],
        [0, 1, 0.7071],
        [-1, 0, 0.7071],
    ),
    SIGN_LOST.by(
        [0, 1, 1, 0, 0.7071, 0.7071],
        [0, -1, -1, 0, 0.7071, 0.7071],
        [0, -1, 1, 0, 0.7071, -0.7071],
        [0, -1, 1, 0, -0.7071, 0.7071],
    ),
    ANOTHER_LAYOUT.by([0, 1, 0.7071, -1, 0, 0.7071], [-1, 0, 0.7071, 0, 1, 0.7071]),
    COUNTED_FROM_ONE.by(waves(PI / 2, PI / 4, PI / 8)),
    SPEEDS_RISE.by(waves(PI, 2 * PI, 4 * PI)),
    SPEEDS_FALL_AT_ANOTHER_RATE.by(
        waves(PI, PI / 2**0.5, PI / 2),  # i/C in place of 2i/C
        waves(PI, PI / 4, PI / 16),  # twice 2i/C, or base²
        waves(PI, PI / 8, PI / 64),  # no division by C
        waves(PI, PI * 8 ** (-1 / 3) / 2, PI / 8),
    ),
    A_SPEED_FOR_EACH_COLUMN.by(
        in_columns(*(PI * 8 ** (-column / 3) for column in range(6))),
        in_columns(*(PI * 8 ** (-column / 6) for column in range(6))),
    ),
    ONE_SPEED_FOR_ALL.by(waves(PI, PI, PI)),
    SPEEDS_SWAPPED.by(waves(PI / 4, PI / 2, PI)),
    ANOTHER_UNIT.by(
        waves(*(math.radians(PI / 2**i) for i in range(3))),
        waves(*(2 * PI * PI / 2**i for i in range(3))),
    ),
    Misconception(
        "angles-for-waves",
        any_of([PI, PI / 2, PI / 4], [PI, PI, PI / 2, PI / 2, PI / 4, PI / 4], [1, 1 / 2, 1 / 4]),
        "These are the angles, or the speeds. What is made of an angle, and how many numbers does "
        "that give?",
    ),
    minutes=5,
    answer="wave",
)

distance = by_hand(
    "07-positions/distance",
    "A score two places apart",
    -5.0,
    NOT_TURNED.by(11.0),
    TURNED_BACKWARDS.by(-13.0),
    SIGN_LOST.by(5.0, 13.0),
    ANOTHER_LAYOUT.by(10.0, -14.0),
    LAYOUTS_MIXED.by(-1.0858, 10.2426),
    ONE_SIDE_TURNED.by(6 - math.sqrt(2), 6 + math.sqrt(2)),
    TURNED_APART.by(7.0),
    ONE_SPEED_FOR_ALL.by(-11.0, -2.0),
    SPEEDS_SWAPPED.by(-8.0),
    Misconception(
        "one-pair-only",
        any_of(4.0, -9.0),
        "This is what one of the two pairs adds to the score. What about the other?",
    ),
    minutes=6,
    answer="distance",
)

RIGHT = (9600, 0, 246, 0)


def with_wrong(place: int, *counts: int) -> list[list[int]]:
    """The right list with something else in one place."""
    return [[*RIGHT[:place], count, *RIGHT[place + 1 :]] for count in counts]


parameters = by_hand(
    "07-positions/parameters",
    "What each scheme adds to be learned",
    list(RIGHT),
    Misconception(
        "table-miscounted",
        any_of(*with_wrong(0, 200, 48, 248, 57_600, 1_600)),
        "The table of learned positions has a row for each place. How long is a row, and does a "
        "place have several of them?",
    ),
    Misconception(
        "fixed-counted-as-learned",
        any_of(
            *with_wrong(1, 9600, 48, 24),
            *with_wrong(3, 9600, 4, 8, 24, 48, 1_600, 800, 200),
            *([9600, fixed, 246, turning] for fixed in (9600, 48, 24) for turning in (4, 8, 24)),
            [9600, 9600, 246, 9600],
        ),
        "You count numbers that come from a formula. Which of the four schemes can gradient "
        "descent change?",
    ),
    Misconception(
        "distance-zero-forgotten",
        any_of(*with_wrong(2, 240)),
        "You count the distances to the left and to the right. Does a word look at itself, too?",
    ),
    DIRECTION_LOST.by(*with_wrong(2, 126, 120)),
    ONE_HEAD_FOR_ALL.by(*with_wrong(2, 41, 40, 21, 20)),
    Misconception(
        "a-number-for-each-pair-of-places",
        any_of(*with_wrong(2, 240_000, 40_000, 2_394, 399, 2_400, 1_200)),
        "You count a number for each pair of places, or for each distance that there is in the "
        "longest text. Which distances share one number here?",
    ),
    Misconception(
        "a-vector-for-each-distance",
        any_of(*with_wrong(2, 246 * 8, 246 * 48, 41 * 8, 41 * 48)),
        "You count a vector for each distance. What is it that is added to a score?",
    ),
    minutes=4,
    answer="parameters",
    compare=equal(),
)
