"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import Mistake

# From scores to weights

TEMPERATURE_IGNORED = Mistake(
    "temperature-ignored",
    "These are the numbers at temperature 1, whatever the temperature is, or nothing but a factor "
    "tells them from those. What does the temperature do to a score, and at how many of your steps "
    "should it be felt?",
)
TEMPERATURE_MULTIPLIED = Mistake(
    "temperature-multiplied",
    "You multiply by the temperature, which makes no difference at 1 and is the wrong way round "
    "elsewhere. Does a low temperature sharpen the weights or level them?",
)
SCORES_FOR_WEIGHTS = Mistake(
    "scores-for-weights",
    "You weigh by the scores themselves, or by their shares of a sum: a score of 0 gets nothing, "
    "and a negative one is worse. What does a softmax make of such scores?",
)
NOT_NORMALIZED = Mistake(
    "not-normalized",
    "You use the exponentials as they are. They are in the right proportion. What should weights "
    "add up to?",
)
WINNER_TAKES_ALL = Mistake(
    "winner-takes-all",
    "Only the best score counts, as in the limit at temperature 0. How much should the others "
    "still weigh, and do your weights move if a score moves a little?",
)
EQUAL_WEIGHTS = Mistake(
    "equal-weights",
    "All features that are there weigh the same. Where do the scores come in?",
)
DOUBLE_SOFTMAX = Mistake(
    "double-softmax",
    "A softmax is taken of a softmax: numbers between 0 and 1, which are weights already, are "
    "used or handed on as scores. How far apart can the weights be that come of them?",
)
EXPONENTIALS_OUT_OF_RANGE = Mistake(
    "exponentials-out-of-range",
    "This is right for small scores. What is e to the power 1,000 on a computer, and e to the "
    "power −1,000? Which number may you subtract from all scores of a row without changing the "
    "weights?",
)
OVERFLOW_HALF_AVERTED = Mistake(
    "overflow-half-averted",
    "You guard against overflow, and not at all scores or temperatures: exponents are still too "
    "large, or all those of a row are far too low, or they have become equal. What is the largest "
    "exponent of a row with your guard, and how far below it are the others?",
)
ONE_LARGEST_FOR_ALL = Mistake(
    "one-largest-for-all",
    "Rows that lie far below the largest score of all have only zeros in them, and NaN or infinity "
    "after that. What is the largest exponent of each row with your guard?",
)
SOFTMAX_OVER_THE_WRONG_AXIS = Mistake(
    "softmax-over-the-wrong-axis",
    "Your weights add up to one along another axis, or over more than one row. Which scores share "
    "one prediction, and along which axis do they lie, however many axes there are?",
)
PADDING_TAKES_WEIGHT = Mistake(
    "padding-takes-weight",
    "This is right where all prefixes are equally long. In a shorter one the empty places have "
    "weight, and feature 0 is counted though it is not there. What tells the places apart, and "
    "which score has an exponential of 0?",
)

# Slopes

SIGN_FLIPPED = Mistake(
    "sign-flipped",
    "Every slope has the other sign. If one score rises by a little, does the number whose slopes "
    "these are rise with it, or fall?",
)
TARGET_FORGOTTEN = Mistake(
    "target-forgotten",
    "Your slopes are what comes out of the softmax, whatever the right words are, and a step "
    "against them lowers every score. Where do the right words come in?",
)
RIGHT_WORD_ONLY = Mistake(
    "right-word-only",
    "Only the right word has a slope. If the logit of a wrong word rises, what happens to the "
    "probability of the right one?",
)
ANOTHER_WORD_AS_TARGET = Mistake(
    "another-word-as-target",
    "This would be right if another word were the right one. Which word is asked for, and if "
    "words go by numbers, which number belongs to the first?",
)
STOPPED_AT_THE_SOFTMAX = Mistake(
    "stopped-at-the-softmax",
    "This is the gradient with respect to what comes out of the softmax. The scores go into it, "
    "one step earlier. Which matrix leads from the one to the other, and what do the slopes of the "
    "scores add up to?",
)
P_MINUS_Y = Mistake(
    "p-minus-y",
    "You used p − y, with votes or a one-hot vector in the place of y. That formula is for a "
    "softmax whose own outputs are the predictions. What stands between weights and prediction "
    "here?",
)
LOGARITHM_FORGOTTEN = Mistake(
    "logarithm-forgotten",
    "This is the gradient of the probability, or of minus the probability, or a part of it is not "
    "divided by the probability. How steep is the logarithm where the probability is small?",
)
DIAGONAL_ONLY = Mistake(
    "diagonal-only",
    "You use the diagonal of the Jacobian alone: how each weight depends on its own score. If one "
    "score rises, do the other weights stay as they are?",
)
FIXED_SUM = Mistake(
    "sum-below-the-bar-taken-as-fixed",
    "This would be right if the sum below the fraction bar were fixed. Adding the same number to "
    "all scores changes no weight: what must the slopes of one softmax add up to?",
)
TEMPERATURE_FORGOTTEN_IN_SLOPES = Mistake(
    "temperature-forgotten-in-the-slopes",
    "The weights are right, and at temperature 1 so are the slopes. Elsewhere some or all of them "
    "lack a division by the temperature, or have it twice. If a score rises by a little, how much "
    "does the score divided by the temperature rise?",
)

# Batches and steps

MEAN_FORGOTTEN = Mistake(
    "mean-forgotten",
    "The mean over the batch is missing, in the loss or in its gradient. How much should one "
    "prediction count, and if the same batch came twice, should a step be twice as long?",
)
DIVIDED_ONCE_MORE = Mistake(
    "divided-once-more",
    "Your slopes or your loss are too small, as many times as there are words, pairs or places: "
    "you divide by one number too many. Over what does the loss take its mean, and where is that "
    "done already?",
)
REPEATS_COUNT_ONCE = Mistake(
    "repeats-count-once",
    "This is right where nothing repeats. Where the same word or feature occurs several times, "
    "only its last occurrence counts. What does NumPy do when an index names the same place "
    "twice?",
)
UPHILL = Mistake(
    "uphill",
    "Step by step, the right words become less likely. Which way does a gradient point, and does "
    "your loss fall or rise when a right word gains?",
)
