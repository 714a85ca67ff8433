"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import Mistake

# Which columns make a pair

ANOTHER_LAYOUT = Mistake(
    "another-layout",
    "You pair other columns than the text does: those side by side where it takes one from each "
    "half, or the other way round. With which column does column 0 make a pair here?",
)
LAYOUTS_MIXED = Mistake(
    "layouts-mixed",
    "Two layouts meet in your code: one step takes pairs side by side, another one from each half. "
    "With a single pair nobody would notice. Which numbers does one and the same angle belong to?",
)
SINE_AND_COSINE_SWAPPED = Mistake(
    "sine-and-cosine-swapped",
    "Your sines stand where cosines are asked for, in all of your pairs or in one. At position 0 "
    "the encoding is 0, 1, 0, 1, and so on: what would yours be there?",
)
SINES_ONLY = Mistake(
    "sines-only",
    "One half of your columns holds no cosines, or no sines: both columns of a pair are alike, or "
    "one is empty or left out. From a sine alone, can you tell a position from another one half a "
    "wave on?",
)

# How fast a pair turns

A_SPEED_FOR_EACH_COLUMN = Mistake(
    "a-speed-for-each-column",
    "In your pairs the sine and the cosine turn at different speeds, so that they are no point of "
    "a circle. How many speeds are there for C columns?",
)
SPEEDS_FALL_AT_ANOTHER_RATE = Mistake(
    "speeds-fall-at-another-rate",
    "Your first pair turns as it should, and the later ones turn too fast or too slowly. What is "
    "the exponent of the last pair, and how close to 1 does it come?",
)
SPEEDS_RISE = Mistake(
    "speeds-rise",
    "Your pairs turn faster and faster from one to the next. Which pair is the fastest in the "
    "formula, and what sign has the exponent?",
)
ONE_SPEED_FOR_ALL = Mistake(
    "one-speed-for-all",
    "All of your pairs turn at the same speed, or those of one half or one column do. Which speed "
    "belongs to which pair?",
)
SPEEDS_SWAPPED = Mistake(
    "speeds-swapped",
    "The speeds are the right ones, and each stands at another pair than in the text. Which pair "
    "is the first one?",
)
COUNTED_FROM_ONE = Mistake(
    "counted-from-one",
    "You count positions or pairs from 1. What should come out at position 0, and how fast does "
    "the first pair turn?",
)

ANOTHER_UNIT = Mistake(
    "another-unit-of-angle",
    "Your pairs turn too far or too little, all by one and the same factor, such as 180/π or 2π. "
    "In which unit are angles measured here, and speeds given?",
)

# Which way, and who

TURNED_BACKWARDS = Mistake(
    "turned-backwards",
    "Your pairs turn the wrong way round. Take one pair and a quarter turn, and work out from the "
    "task's own words what must come of it: which of its two numbers changes its sign?",
)
NOT_A_ROTATION = Mistake(
    "not-a-rotation",
    "What you do to a pair stretches, flattens or mirrors it, so it is no turn: a sign or a factor "
    "is off, a column is left out, or a number is used that has changed already. How long is the "
    "pair (3, 4) before, and after? And what comes out for an angle of 0?",
)
SIGN_LOST = Mistake(
    "sign-lost",
    "Your number has the right size, or is made of parts that have, and a sign is another one. "
    "Draw the arrow of each pair after its turn: on which side of each axis does it end?",
)
NOT_TURNED = Mistake(
    "not-turned",
    "Nothing has turned in what you give: it is what it would be without any positions. Where do "
    "the positions come in?",
)
ONE_SIDE_TURNED = Mistake(
    "one-side-turned",
    "Only one of query and key is turned by its own position. When both move on by three places, "
    "does your score stay what it was?",
)
TURNED_APART = Mistake(
    "turned-apart",
    "Query and key are turned in opposite directions, so that your score goes by the sum of their "
    "positions. What should be left of the two when they move on together?",
)
OTHER_POSITIONS = Mistake(
    "other-positions",
    "Your queries and keys do not stand at the positions that were given: they are counted anew, "
    "or one side stands where the other should. Whose positions are whose?",
)

# Distances

DIRECTION_LOST = Mistake(
    "direction-lost",
    "Words before and behind share a number, or those on one side are counted as one. Is a word "
    "three places before another the same as one three places behind it, and for how many "
    "distances is there a number?",
)
ONE_HEAD_FOR_ALL = Mistake(
    "one-head-for-all",
    "You count or use the numbers of a single head, or what is left of all heads. Do heads share "
    "theirs, and which axis of the table tells them apart?",
)
FURTHER_THAN_ASKED = Mistake(
    "further-than-asked",
    "You go further than what is asked for: your numbers are divided, or made into weights or "
    "exponentials. What is asked for, and what comes only afterwards?",
)

# Which axis

ROWS_AND_COLUMNS_SWAPPED = Mistake(
    "rows-and-columns-swapped",
    "In what you give, a row stands for a key and a column for a query, or the axes have changed "
    "places in another way. In which order are they asked for?",
)
ONE_SHAPE_ONLY = Mistake(
    "one-shape-only",
    "This is right for one number of axes. With fewer or more of them in front it raises, or mixes "
    "up what it should keep apart. How do you name an axis, however many stand before it?",
)

# What is refused

ODD_WIDTH_ACCEPTED = Mistake(
    "odd-width-accepted",
    "An odd width is taken as if it were even. With what does the last column make a pair there, "
    "and what does the text ask for?",
)
PRECISION_LOST = Mistake(
    "precision-lost",
    "Far into a text your numbers drift away, while those near its beginning are right. How many "
    "digits does an angle of many thousands have before the point, and how many does your kind of "
    "number keep behind it?",
)
