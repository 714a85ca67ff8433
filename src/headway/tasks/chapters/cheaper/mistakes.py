"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import SharedMisconception

RESULTS_IN_ANOTHER_ORDER = SharedMisconception(
    "results-in-another-order",
    "Your numbers are right, but they come in another order. In which order are they asked for?",
)

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
    "Your scale isn't that of the weight that is largest in size. Which one is it, and what does "
    "its sign do to the scale?",
)
ZEROS_BREAK = SharedMisconception(
    "zeros-break-it",
    "A block of zeros goes wrong and the rest doesn't. What is its scale, and what do you divide "
    "by it?",
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

# Drafts

KEPT_BY_ANOTHER_RULE = SharedMisconception(
    "kept-by-another-rule",
    "You keep other words than the rule does, or count them otherwise. How often does the draft "
    "draw a word, and how likely is it kept if the model likes it half as much?",
)
REDRAWN_FROM_ANOTHER_REST = SharedMisconception(
    "redrawn-from-another-rest",
    "After a rejection you draw from other chances than what is left. How much of p has been "
    "served by the words that are kept, what remains of it, and what does that add up to?",
)
MODELS_OWN_WORD = SharedMisconception(
    "models-own-word-miscounted",
    "The word that the model adds itself is missing, or is counted where there is none. What does "
    "a round give if nothing is kept, and if everything is?",
)
WORDS_BEHIND_A_REJECTION = SharedMisconception(
    "words-behind-a-rejection",
    "A rejected word counts, or one behind it, or one in front of it doesn't. Behind which text "
    "did the draft guess each of them, and which of these texts is still there?",
)
