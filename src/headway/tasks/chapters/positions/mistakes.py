"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import SharedMisconception

# Which columns make a pair

ANOTHER_LAYOUT = SharedMisconception(
    "another-layout",
    "In at least one step, you keep the sines in one half of the columns and the cosines in the "
    "other. In the formula, which column is the partner of column 0?",
)
SINE_AND_COSINE_SWAPPED = SharedMisconception(
    "sine-and-cosine-swapped",
    "Your sines and cosines have changed places, in all pairs or in one. What does the clock show "
    "at position 0, and what would yours show?",
)
SINES_ONLY = SharedMisconception(
    "sines-only",
    "Your pairs lack the sine or the cosine. Can one of the two alone tell you where a hand "
    "points?",
)

# How fast a pair turns

A_SPEED_FOR_EACH_COLUMN = SharedMisconception(
    "a-speed-for-each-column",
    "The sine and the cosine of your pairs turn at different speeds, so they aren't the two "
    "numbers of one hand. How many speeds are there for C columns?",
)
OTHER_SPEEDS = SharedMisconception(
    "other-speeds",
    "At least one of your pairs turns at another speed than asked for. How fast should the first "
    "pair turn, and how fast the last?",
)
ANOTHER_UNIT = SharedMisconception(
    "another-unit-of-angle",
    "All your pairs turn too far, or not far enough, by the same factor. In which unit are angles "
    "and speeds given here?",
)

# Which way, and how far

TURNED_THE_WRONG_WAY = SharedMisconception(
    "turned-the-wrong-way",
    "Your hands turn the wrong way. Take one at angle 0: where should it point after its turn, and "
    "where does yours?",
)
SIGN_LOST = SharedMisconception(
    "sign-lost",
    "The sizes of your numbers are right, but a sign is wrong. Draw the hand of each pair after "
    "its turn: on which side of each axis does it end?",
)
ANOTHER_OFFSET = SharedMisconception(
    "another-offset",
    "A hand of yours is missing, or turns for another number of places than asked. By which angle "
    "should each hand turn, and by which do yours?",
)
ENCODING_OF_THE_OFFSET = SharedMisconception(
    "encoding-of-the-offset",
    "You use the clock of the offset itself. What does a step of that many places do to a hand "
    "that already points somewhere?",
)
OTHER_POSITIONS = SharedMisconception(
    "other-positions",
    "You use other positions than those asked for: shifted, counted anew, rounded, or from the "
    "wrong end. Which position should the first word have, and which the last?",
)

# How precise

PRECISION_LOST = SharedMisconception(
    "precision-lost",
    "Your numbers are right near the beginning of a text and drift away far into it. How many "
    "digits are left behind the point of a large angle?",
)
