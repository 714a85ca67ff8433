"""Mistakes that several tasks of assignment 10 share."""

from headway.tasks.engine.mistakes import Mistake

UNBIASED_VARIANCE = Mistake(
    "unbiased-variance",
    "Before gain and shift, your results are a little too small, all by the same factor. A "
    "variance that is estimated from a sample is divided by one less than there are numbers. Is a "
    "token a sample of something here, or is it all there is?",
)
WRONG_NUMBERS_TOGETHER = Mistake(
    "wrong-numbers-together",
    "Your mean or your variance is taken over numbers of several tokens: over a column, over the "
    "tokens of a text, or over everything. Which numbers does one token have for itself?",
)
NOT_CENTERED = Mistake(
    "not-centered",
    "Where the numbers of a token lie far from zero, yours are too small or lie on one side: the "
    "mean was not taken off, or not before the squares. What is a variance the mean square of?",
)
BIASES_MISCOUNTED = Mistake(
    "biases-miscounted",
    "The matrices are counted right, and the biases are not: some are missing, are counted where "
    "there are none, or have another width than what they are added to. How wide is what comes "
    "out of each layer?",
)
OUTPUT_FORGOTTEN = Mistake(
    "output-forgotten",
    "Your attention has three projections. What mixes what the heads bring back?",
)
HEADS_MISCOUNTED = Mistake(
    "heads-miscounted",
    "Your number of heads comes in where it should not, or does not where it should: a head counts "
    "as wide as the model, or one head stands for all. How wide are all heads together?",
)
NORMS_MISCOUNTED = Mistake(
    "norms-miscounted",
    "Attention and feed-forward are right, and the norms are not. How many are there, and "
    "what does each of them learn for every number of a token?",
)
FEED_FORWARD_MISCOUNTED = Mistake(
    "feed-forward-miscounted",
    "Your feed-forward network has one matrix, or is four times as wide as the model whatever was "
    "asked. How wide is it here, and how do its numbers become as many as before again?",
)
CURVE_MISPLACED = Mistake(
    "curve-misplaced",
    "The ReLU is missing, stands in another place, stands in two, or is another curve. If nothing "
    "curved stands between two matrices, what are they together? And may what is added to a token "
    "never be negative?",
)
BIAS_FORGOTTEN = Mistake(
    "bias-forgotten",
    "For a token of zeros your result is not what it should be: a bias is missing, or it is added "
    "in another place. What is added before the curve, and what after the second matrix?",
)
SKIP_ADDED = Mistake(
    "skip-added",
    "Your result holds the token itself once more. Is what stands around the network asked for "
    "here, or the network alone?",
)
GAIN_AND_SHIFT_MISUSED = Mistake(
    "gain-and-shift-misused",
    "Gain or shift is missing, or the two come in another order, in each other's place, or before "
    "the norm, which takes part of them away again. Of what should they have the last word, and "
    "which of them comes last?",
)
ANOTHER_SPREAD = Mistake(
    "another-spread",
    "The numbers of a token are as far apart as before, or you divide by something else than the "
    "root of the variance: the variance itself, a sum, a range, a mean of distances. What is the "
    "mean of the squares of your result, before gain and shift?",
)
RESULTS_IN_ANOTHER_ORDER = Mistake(
    "results-in-another-order",
    "Both numbers are right, and each stands in the place of the other. Which one is asked for "
    "first?",
)
MASK_IGNORED = Mistake(
    "mask-ignored",
    "This is right without a mask. With one, your result does not depend on it, or not everywhere. "
    "Which argument is not used, and where is it needed?",
)
MASK_INVERTED = Mistake(
    "mask-inverted",
    "Your mask does the opposite: what should stay is gone, and the rest is there. What does True "
    "say in this mask?",
)
