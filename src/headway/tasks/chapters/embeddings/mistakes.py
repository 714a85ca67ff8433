"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import SharedMisconception

# TF-IDF

NO_LOGARITHM = SharedMisconception(
    "no-logarithm",
    "In yours, a word that is twice as rare weighs twice as much. What comes between the quotient "
    "and the product?",
)
ANOTHER_LOGARITHM = SharedMisconception(
    "another-logarithm",
    "You take a logarithm to another base, which multiplies it by a constant. Which base is asked "
    "for?",
)
QUOTIENT_INVERTED = SharedMisconception(
    "quotient-inverted",
    "Your weights are below zero, or larger for common words than for rare ones. Which number is "
    "above the line, and which is larger?",
)
ANOTHER_RECIPE = SharedMisconception(
    "another-recipe",
    "You add something to the numbers, dampen the count or scale a document, as some libraries do. "
    "Which step of yours is not in the formula of the text?",
)
ONE_FACTOR_ALONE = SharedMisconception(
    "one-factor-alone",
    "Your weight lacks how often the word occurs in its document, or how rare it is elsewhere. Of "
    "which two factors is it made?",
)

# Windows

WINDOW_OFF_BY_ONE = SharedMisconception(
    "window-off-by-one",
    "The far edge of your window is off, on one side or on both. How many words away may a "
    "neighbor be, and does a range include its end?",
)
ONE_SIDE_ONLY = SharedMisconception(
    "one-side-only",
    "Your words know the neighbors on one side only. What could the other side tell about a word?",
)
WEIGHED_BY_DISTANCE = SharedMisconception(
    "weighed-by-distance",
    "Near and far neighbors do not count the same in your window. Does the text weigh them, and "
    "who is near a word if the window reaches two words?",
)
CENTER_MISTAKEN = SharedMisconception(
    "center-mistaken",
    "A word is its own neighbor in yours, or has no neighbor with the same id. What is left out of "
    "a window, a place or a word?",
)
EDGES_OF_THE_SENTENCE = SharedMisconception(
    "edges-of-the-sentence",
    "Where your window reaches past an end of the sentence, pairs are missing, or it takes words "
    "from somewhere else. What is left of a window there?",
)

# Tables and products

GIVEN_AND_GUESSED = SharedMisconception(
    "given-and-guessed-mixed-up",
    "What is given and what is guessed have changed places, or share one table. Who is asked about "
    "whom, and which table belongs to each?",
)
ANOTHER_WHOLE = SharedMisconception(
    "another-whole-shared-out",
    "Your words share out another whole than is asked, or one where none is asked, or none at all. "
    "Which words compete here, if any do?",
)
TRANSPOSED = SharedMisconception(
    "transposed",
    "One of your matrices is transposed, or isn't where it should be. What does a row stand for, "
    "and what a column?",
)
STRENGTHS_MISCOUNTED = SharedMisconception(
    "strengths-miscounted",
    "Your directions are right, but the singular values are missing, or come in as squares or "
    "roots. How often do they occur in what is asked for?",
)
WEAKEST_KEPT = SharedMisconception(
    "weakest-kept",
    "You keep other directions than the strongest. In which order do they come, and what makes one "
    "strong?",
)

# Losses

SUM_AND_MEAN = SharedMisconception(
    "sum-and-mean",
    "The terms are right, but you take a sum for a mean, a mean for a sum, or a mean of means. "
    "What is added up, and what is it divided by?",
)
WRONG_SIGN = SharedMisconception(
    "wrong-sign",
    "A sign is turned around, so the better the vectors, the larger the loss. Which way should one "
    "step go?",
)
PROBABILITY_FOR_LOGARITHM = SharedMisconception(
    "probability-for-logarithm",
    "There is no logarithm in your loss, or it comes after the mean. What is a loss in nats made "
    "of?",
)
SOFTMAX_TWICE = SharedMisconception(
    "softmax-before-the-loss",
    "Your scores go through a softmax, or are divided by lengths, before the loss gets them. What "
    "does cross-entropy do with logits?",
)
OUT_OF_RANGE = SharedMisconception(
    "out-of-range",
    "With large scores, something becomes 0 or infinite before you take its logarithm, or you cut "
    "it off there. Which function does both in one step?",
)

# Sizes

TABLE_FOR_VECTORS = SharedMisconception(
    "table-for-vectors",
    "Your vectors are a table as it is, columns cut from it, or too many of its directions. How "
    "many numbers may a word have, and which directions are worth them?",
)
