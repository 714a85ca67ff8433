"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import SharedMisconception

# Small numbers and their scales

BLOCKS_MISCUT = SharedMisconception(
    "blocks-miscut",
    "Some weights get a scale that isn't their block's. Which weights share one, and in which "
    "order do they lie?",
)
RANGE_MISJUDGED = SharedMisconception(
    "range-misjudged",
    "Your largest weight becomes another number than the text says. How many numbers do so many "
    "bits have, and how many of them on each side of zero?",
)
ROUNDED_OTHERWISE = SharedMisconception(
    "rounded-otherwise",
    "Your numbers aren't the nearest ones. What does a conversion to whole numbers do with 2.9 "
    "and with -2.9?",
)
SIGN_OF_THE_LARGEST = SharedMisconception(
    "sign-of-the-largest",
    "Your scale goes by another weight of the block. Which one is the largest in size, and what "
    "does its sign do to the scale?",
)
ZEROS_BREAK = SharedMisconception(
    "zeros-break-it",
    "A block of zeros goes wrong and the rest doesn't. What is its scale, and what do you divide "
    "by it?",
)
SCALE_UPSIDE_DOWN = SharedMisconception(
    "scale-upside-down",
    "Your scale leads from weights to numbers, and is kept for the way back. With what does a "
    "reader multiply a number?",
)
SCALE_MISCOUNTED = SharedMisconception(
    "scale-miscounted",
    "You count the scales too often, too seldom or not at all. How many weights share one?",
)
BITS_AND_BYTES_MIXED_UP = SharedMisconception(
    "bits-and-bytes-mixed-up",
    "Your count is right but for its unit. How many bits has a byte, and which of the two is "
    "asked for?",
)

# The running softmax and its parts

NOTHING_SEEN = SharedMisconception(
    "nothing-seen-is-nan",
    "Where a query has seen no key, your numbers are NaN or worse. What is its largest score, and "
    "what becomes of that minus itself?",
)
NO_LARGEST = SharedMisconception(
    "exponentials-too-large",
    "Large scores make your exponentials infinite or zero. What can be taken off before, without "
    "changing any share?",
)
RESULTS_IN_ANOTHER_ORDER = SharedMisconception(
    "results-in-another-order",
    "Your numbers are right, but they come in another order. In which order are they asked for?",
)

# Drafts

KEPT_BY_ANOTHER_RULE = SharedMisconception(
    "kept-by-another-rule",
    "You keep other words than the rule does. How likely is a word kept that the model likes half "
    "as much as the draft did, and one that it likes more?",
)
REDRAWN_FROM_ANOTHER_REST = SharedMisconception(
    "redrawn-from-another-rest",
    "After a rejection you draw from other chances than what is left. How much of p has been "
    "served by the words that are kept, and what remains of it?",
)
MODELS_OWN_WORD = SharedMisconception(
    "models-own-word-miscounted",
    "The word that the model adds itself is missing, or is counted where there is none. What does "
    "a round give if nothing is kept, and if everything is?",
)
WORDS_BEHIND_A_REJECTION = SharedMisconception(
    "words-behind-a-rejection",
    "Words behind a rejected one count, or words in front of it don't. Behind which text did the "
    "draft guess each of them, and which of these texts is still there?",
)
