"""Values to work out by hand: wave, distance, parameters."""

import math

from headway.tasks.chapters.positions.mistakes import (
    A_SPEED_FOR_EACH_COLUMN,
    ANOTHER_LAYOUT,
    ANOTHER_OFFSET,
    ANOTHER_UNIT,
    ENCODING_OF_THE_OFFSET,
    OTHER_SPEEDS,
    SIGN_LOST,
    SINE_AND_COSINE_SWAPPED,
    SINES_ONLY,
    TURNED_THE_WRONG_WAY,
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
    OTHER_SPEEDS.by(
        waves(PI / 2, PI / 4, PI / 8),  # pairs counted from 1
        waves(PI, 2 * PI, 4 * PI),  # rising
        waves(PI, PI / 2**0.5, PI / 2),  # i/C in place of 2i/C
        waves(PI, PI / 4, PI / 16),  # twice 2i/C, or base²
        waves(PI, PI / 8, PI / 64),  # no division by C
        waves(PI, PI * 8 ** (-1 / 3) / 2, PI / 8),
        waves(PI, PI, PI),
        waves(PI / 4, PI / 2, PI),
    ),
    A_SPEED_FOR_EACH_COLUMN.by(
        in_columns(*(PI * 8 ** (-column / 3) for column in range(6))),
        in_columns(*(PI * 8 ** (-column / 6) for column in range(6))),
    ),
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

# The sines and cosines of the two hands, before and after.
SHOWN = [0.96, 0.28, 0.6, 0.8]
LATER = [-0.96, -0.28, 0.8, -0.6]

distance = by_hand(
    "07-positions/distance",
    "Two places on",
    LATER,
    TURNED_THE_WRONG_WAY.by([-0.96, -0.28, -0.8, 0.6]),
    SIGN_LOST.by(
        [-0.96, -0.28, 0.8, 0.6],
        [-0.96, 0.28, 0.8, -0.6],
        [0.96, -0.28, 0.8, -0.6],
        [0.96, 0.28, 0.8, 0.6],
        [-0.96, 0.28, 0.8, 0.6],
    ),
    SINE_AND_COSINE_SWAPPED.by([-0.28, -0.96, -0.6, 0.8], [0.28, 0.96, 0.8, 0.6]),
    ENCODING_OF_THE_OFFSET.by([0.96, -0.72, 1.6, 0.8], [0, -1, 1, 0]),
    OTHER_SPEEDS.by(
        [-0.96, -0.28, -0.6, -0.8],
        [0.28, -0.96, 0.8, -0.6],
        [0.28, -0.96, -0.6, -0.8],
    ),
    ANOTHER_OFFSET.by(
        [0.28, -0.96, 0.9899, 0.1414],
        [0.96, 0.28, -0.6, -0.8],
        SHOWN,
        [-0.96, -0.28, 0.6, 0.8],
        [0.96, 0.28, 0.8, -0.6],
        [0.8, -0.6],
        [-0.96, -0.28],
    ),
    minutes=6,
    answer="distance",
)

PLACES, REACHED = 2 * 48 + 1, 20 * 48


def wrong(places: tuple[int, ...], reached: tuple[int, ...]) -> list[list[int]]:
    """Two numbers: each wrong one beside the right other one, and both wrong."""
    return [
        *([place, REACHED] for place in places),
        *([PLACES, count] for count in reached),
        *([place, count] for place in places for count in reached),
    ]


parameters = by_hand(
    "07-positions/parameters",
    "What the order costs",
    [PLACES, REACHED],
    Misconception(
        "network-miscounted",
        any_of(*wrong((48, 49, 50, 96, 98), ())),
        "The network has more numbers to learn than you count, or fewer. Go through its formula: "
        "which letters are learned, and which shape does each of them have?",
    ),
    Misconception(
        "rows-and-numbers-confused",
        any_of(
            *wrong((4_656, 4_608, 4_704, 2_304, 2_352), ()),
            *wrong((), (20, 19, 21, 77)),
        ),
        "You give numbers where places are asked for, or rows where numbers are. How many numbers "
        "does the table have for one place?",
    ),
    Misconception(
        "other-rows-counted",
        any_of(
            # All, all but one, one too few, one too many, those that are never read.
            *wrong((), (97 * 48, 96 * 48, 19 * 48, 21 * 48, 77 * 48)),
            *([place, 48 * place] for place in (96, 98)),
        ),
        "You count other rows of the table than those that training reads. If the first word gets "
        "row 0, which row does the last of 20 words get?",
    ),
    minutes=5,
    answer="parameters",
    compare=equal(),
)
