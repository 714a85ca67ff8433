"""Mistakes that several tasks of assignment 10 share."""

from headway.tasks.engine.mistakes import SharedMisconception

# Norms

UNBIASED_VARIANCE = SharedMisconception(
    "unbiased-variance",
    "Before gain and shift, your results are all too small by the same factor. By how many numbers "
    "is the variance of a token divided?",
)
WRONG_NUMBERS_TOGETHER = SharedMisconception(
    "wrong-numbers-together",
    "Your mean or variance is taken over numbers of several tokens. Which axis holds the numbers "
    "of one token?",
)
NOT_CENTERED = SharedMisconception(
    "not-centered",
    "The mean was not subtracted, or not everywhere. What is a variance the mean square of, and "
    "what is divided by its root?",
)
ANOTHER_SPREAD = SharedMisconception(
    "another-spread",
    "You divide by something else than the root of the variance, or not at all. Before gain and "
    "shift, what is the mean square of your result?",
)
GAIN_AND_SHIFT_MISUSED = SharedMisconception(
    "gain-and-shift-misused",
    "Gain or shift is missing, or the two have another place or order. To what are they applied, "
    "and which of them comes last?",
)

# Sub-layers

CURVE_MISPLACED = SharedMisconception(
    "curve-misplaced",
    "The ReLU is missing, is in another place or in two, or is another curve. Which numbers go "
    "through it, and what would two layers be without it?",
)
SKIP_MISSING = SharedMisconception(
    "skip-missing",
    "Somewhere only the result of a layer goes on, and what came into it is lost. How does a skip "
    "connection treat the two?",
)
EXTRA_SKIP = SharedMisconception(
    "extra-skip",
    "Your result holds what a layer has read once more than asked. How often is it added here, if "
    "at all?",
)
MASK_IGNORED = SharedMisconception(
    "mask-ignored",
    "This is right without a mask, but your result does not follow one, or not everywhere. Where "
    "is the mask needed?",
)
MASK_INVERTED = SharedMisconception(
    "mask-inverted",
    "Your mask does the opposite: what should stay is gone, and the rest is there. What does True "
    "say in this mask?",
)
TRANSPOSED = SharedMisconception(
    "transposed",
    "One of your matrices has rows and columns swapped. What does each of its rows belong to, and "
    "what each column?",
)

# Counts

BIASES_MISCOUNTED = SharedMisconception(
    "biases-miscounted",
    "Your biases are not counted right. Which layers have one, and how wide is what comes out of "
    "each?",
)
OUTPUT_FORGOTTEN = SharedMisconception(
    "output-forgotten",
    "Your attention has three projections. What mixes what the heads bring back?",
)
HEADS_MISCOUNTED = SharedMisconception(
    "heads-miscounted",
    "Your number of heads comes in where it should not, as if each were as wide as the model or "
    "one did for all. How wide are all heads together?",
)
NORMS_MISCOUNTED = SharedMisconception(
    "norms-miscounted",
    "Your norms are not counted right. How many are there, and what does each of them learn for "
    "every number of a token?",
)
FEED_FORWARD_MISCOUNTED = SharedMisconception(
    "feed-forward-miscounted",
    "Your feed-forward network has one matrix only, or another width than asked. How wide is its "
    "hidden layer, and which matrices lead there and back?",
)
RESULTS_IN_ANOTHER_ORDER = SharedMisconception(
    "results-in-another-order",
    "Both numbers are right, but each is in the place of the other. Which one is asked for first?",
)
