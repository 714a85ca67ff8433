"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import Mistake

# Which columns make a pair

ANOTHER_LAYOUT = Mistake(
    "another-layout",
    "You keep the sines in one half of the columns and the cosines in the other, in all your steps "
    "or in one. In the formula, which column is the partner of column 0?",
)
SINE_AND_COSINE_SWAPPED = Mistake(
    "sine-and-cosine-swapped",
    "Your sines and cosines have changed places, in all pairs or in one. What does the clock show "
    "at position 0, and what would yours show?",
)
SINES_ONLY = Mistake(
    "sines-only",
    "One half of your columns has no cosines, or no sines: both columns of a pair are equal, or "
    "one is empty or left out. From the sine alone, can you tell a position from the one half a "
    "wave later?",
)

# How fast a pair turns

A_SPEED_FOR_EACH_COLUMN = Mistake(
    "a-speed-for-each-column",
    "The sine and the cosine of your pairs turn at different speeds, so they aren't the two "
    "numbers of one hand. How many speeds are there for C columns?",
)
SPEEDS_AT_ANOTHER_RATE = Mistake(
    "speeds-at-another-rate",
    "From pair to pair your speeds fall too fast or too slowly, or they rise. What is the exponent "
    "of the last pair, with its sign, and how close to −1 does it come?",
)
SPEEDS_MIXED_UP = Mistake(
    "speeds-mixed-up",
    "Several of your pairs turn at one speed, or a pair turns at the speed of another. Which speed "
    "belongs to which pair?",
)
COUNTED_FROM_ONE = Mistake(
    "counted-from-one",
    "You count positions or pairs from 1. What should come out at position 0, and how fast should "
    "the first pair turn?",
)
ANOTHER_UNIT = Mistake(
    "another-unit-of-angle",
    "All your pairs turn too far or not far enough, by one and the same factor, such as 180/π or "
    "2π. In which unit are angles and speeds given here?",
)

# Which way

TURNED_BACKWARDS = Mistake(
    "turned-backwards",
    "Your pairs turn the wrong way. Take a hand at angle 0, and let it turn by a quarter: what "
    "should its sine be then, and what is it in your answer?",
)
SIGN_LOST = Mistake(
    "sign-lost",
    "The sizes of your numbers are right, but a sign is wrong. Draw the hand of each pair after "
    "its turn: on which side of each axis does it end?",
)
OTHER_POSITIONS = Mistake(
    "other-positions",
    "You use other positions than those asked for: counted anew, rounded, or from the wrong end. "
    "Which position does the first word have, and which the last?",
)

# How precise

PRECISION_LOST = Mistake(
    "precision-lost",
    "Near the beginning of a text your numbers are right, but far into it they drift away. How "
    "many digits does an angle of many thousands have before the point, and how many are left "
    "behind it?",
)
