"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import SharedMisconception

# From scores to weights

TEMPERATURE_NOT_ON_THE_SCORES = SharedMisconception(
    "temperature-not-on-the-scores",
    "Your weights are those at temperature 1; at most, the temperature scales what comes out. What "
    "should it act on, and when?",
)
TEMPERATURE_MULTIPLIED = SharedMisconception(
    "temperature-multiplied",
    "You multiply by the temperature, which only makes no difference at 1. Does a low temperature "
    "sharpen the weights or level them?",
)
SCORES_FOR_WEIGHTS = SharedMisconception(
    "scores-for-weights",
    "You weigh by the scores themselves, or by their shares of a sum. What happens to a score of 0 "
    "that way, and what does a softmax make of it?",
)
NOT_NORMALIZED = SharedMisconception(
    "not-normalized",
    "You use the exponentials as they are, which gets the proportions right. What should weights "
    "add up to?",
)
WINNER_TAKES_ALL = SharedMisconception(
    "winner-takes-all",
    "Only the best score counts, as in the limit at temperature 0. What do the others contribute?",
)
EQUAL_WEIGHTS = SharedMisconception(
    "equal-weights",
    "Every feature that is there counts the same. Where do the scores come in?",
)
DOUBLE_SOFTMAX = SharedMisconception(
    "double-softmax",
    "Weights that come out of a softmax are used or returned as scores, for one more softmax. How "
    "far apart can weights be that come from numbers between 0 and 1?",
)
EXPONENTIALS_OUT_OF_RANGE = SharedMisconception(
    "exponentials-out-of-range",
    "This is right while scores are small, and e to the power 1,000 is too large for a computer. "
    "Which number may you subtract from all scores of a row without changing the weights?",
)
OVERFLOW_HALF_AVERTED = SharedMisconception(
    "overflow-half-averted",
    "You guard against overflow, but not in every case. What is the largest exponent of each row "
    "with your guard, and how far below it are the others?",
)
SOFTMAX_OVER_THE_WRONG_AXIS = SharedMisconception(
    "softmax-over-the-wrong-axis",
    "You divide by sums over other numbers than those of one row. Which scores share one "
    "prediction, and along which axis do they lie?",
)
PADDING_TAKES_WEIGHT = SharedMisconception(
    "padding-takes-weight",
    "The empty places of a shorter prefix take weight, always or where scores are extreme. Which "
    "score has an exponential of exactly 0, and when must it be put in?",
)

# Slopes

SIGN_FLIPPED = SharedMisconception(
    "sign-flipped",
    "A sign is turned around. If one score rises a little, does what depends on it rise or fall, "
    "and what do your numbers say?",
)
TARGET_FORGOTTEN = SharedMisconception(
    "target-forgotten",
    "Your slopes are what comes out of the softmax, whatever the right words are. Where do the "
    "right words come in?",
)
STOPPED_AT_THE_SOFTMAX = SharedMisconception(
    "stopped-at-the-softmax",
    "This is the gradient with respect to what comes out of the softmax. Which matrix leads from "
    "there back to the scores?",
)
P_MINUS_Y = SharedMisconception(
    "p-minus-y",
    "You use p − y, which is for a softmax whose own outputs are the predictions. What is between "
    "the weights and the prediction here?",
)
LOGARITHM_FORGOTTEN = SharedMisconception(
    "logarithm-forgotten",
    "This is the gradient of the probability, or a part of it is not divided by the probability. "
    "How steep is the logarithm where the probability is small?",
)
OWN_WEIGHT_ALONE_MOVES = SharedMisconception(
    "own-weight-alone-moves",
    "In your slopes, a score moves its own weight and no other. If one score rises, what happens "
    "to the sum below the fraction bar, and so to the other weights?",
)
TEMPERATURE_FORGOTTEN_IN_SLOPES = SharedMisconception(
    "temperature-forgotten-in-the-slopes",
    "The weights are right, but slopes lack a division by the temperature or have it twice. If a "
    "score rises by a little, how much does the score divided by the temperature rise?",
)

# Batches and steps

MEAN_MISCOUNTED = SharedMisconception(
    "mean-miscounted",
    "Your loss or its slopes are not divided as asked: not at all, once too often, or by another "
    "number. Over what is the mean taken, and where is that done already?",
)
REPEATS_COUNT_ONCE = SharedMisconception(
    "repeats-count-once",
    "Where the same word or feature occurs several times, only its last occurrence counts. What "
    "does NumPy do when an index names the same place twice?",
)
ANOTHER_LAYOUT = SharedMisconception(
    "another-layout",
    "Rows, columns or results are in another place than in the text. What does one row of W belong "
    "to, and in which order do rows and results come?",
)
