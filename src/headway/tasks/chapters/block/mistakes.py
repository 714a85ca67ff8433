"""Mistakes that several tasks of assignment 10 share."""

from headway.tasks.engine.mistakes import Mistake

# Norms

UNBIASED_VARIANCE = Mistake(
    "unbiased-variance",
    "Before gain and shift, your results are all too small by the same factor. By how many numbers "
    "is the variance of a token divided?",
)
WRONG_NUMBERS_TOGETHER = Mistake(
    "wrong-numbers-together",
    "Your mean or variance is taken over numbers of several tokens. Which axis holds the numbers "
    "of one token?",
)
NOT_CENTERED = Mistake(
    "not-centered",
    "The mean was not subtracted, or not everywhere. What is a variance the mean square of, and "
    "what is divided by its root?",
)
ANOTHER_SPREAD = Mistake(
    "another-spread",
    "You divide by something else than the root of the variance, or not at all. Before gain and "
    "shift, what is the mean square of your result?",
)
GAIN_AND_SHIFT_MISUSED = Mistake(
    "gain-and-shift-misused",
    "Gain or shift is missing, or the two have another place or order. To what are they applied, "
    "and which of them comes last?",
)

# Sub-layers

CURVE_MISPLACED = Mistake(
    "curve-misplaced",
    "The ReLU is missing, is in another place or in two, or is another curve. Which numbers go "
    "through it, and what would two layers be without it?",
)
SKIP_MISSING = Mistake(
    "skip-missing",
    "Somewhere only the result of a layer goes on, and what came into it is lost. How does a skip "
    "connection treat the two?",
)
EXTRA_SKIP = Mistake(
    "extra-skip",
    "Your result holds what a layer has read once more than asked. How often is it added here, if "
    "at all?",
)
MASK_IGNORED = Mistake(
    "mask-ignored",
    "This is right without a mask, but your result does not follow one, or not everywhere. Where "
    "is the mask needed?",
)
MASK_INVERTED = Mistake(
    "mask-inverted",
    "Your mask does the opposite: what should stay is gone, and the rest is there. What does True "
    "say in this mask?",
)
TRANSPOSED = Mistake(
    "transposed",
    "One of your matrices has rows and columns swapped. What does each of its rows belong to, and "
    "what each column?",
)

# Counts

BIASES_MISCOUNTED = Mistake(
    "biases-miscounted",
    "Your biases are not counted right. Which layers have one, and how wide is what comes out of "
    "each?",
)
OUTPUT_FORGOTTEN = Mistake(
    "output-forgotten",
    "Your attention has three projections. What mixes what the heads bring back?",
)
HEADS_MISCOUNTED = Mistake(
    "heads-miscounted",
    "Your number of heads comes in where it should not, as if each were as wide as the model or "
    "one did for all. How wide are all heads together?",
)
NORMS_MISCOUNTED = Mistake(
    "norms-miscounted",
    "Your norms are not counted right. How many are there, and what does each of them learn for "
    "every number of a token?",
)
FEED_FORWARD_MISCOUNTED = Mistake(
    "feed-forward-miscounted",
    "Your feed-forward network has one matrix only, or another width than asked. How wide is its "
    "hidden layer, and which matrices lead there and back?",
)
RESULTS_IN_ANOTHER_ORDER = Mistake(
    "results-in-another-order",
    "Both numbers are right, but each is in the place of the other. Which one is asked for first?",
)
