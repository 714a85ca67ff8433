"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import Mistake

# The scale

NO_SCALE = Mistake(
    "no-scale",
    "Your weights are too sharp, and the more so the wider the queries. Which step between dot "
    "products and softmax is missing?",
)
SCALED_BY_WIDTH = Mistake(
    "scaled-by-width",
    "Your scores are divided by the width of a query, in one step or in two. By what does the "
    "spread of a dot product grow when the width grows four times?",
)
TWO_FOR_THE_ROOT = Mistake(
    "two-in-place-of-the-root",
    "Your scale holds the width, doubled or halved, and no root. In what order does Python "
    "compute a power and a division?",
)
SCALED_BY_ANOTHER_SIZE = Mistake(
    "scaled-by-another-size",
    "You divide by the root of another size than the one that is asked for. How many numbers are "
    "added up in one dot product?",
)
SCALE_MISPLACED = Mistake(
    "scale-misplaced",
    "The root of the width stands in your formula, but not where it belongs. Does it act on the "
    "scores or on the weights, and should wide queries give sharper weights than narrow ones?",
)

COSINE_FOR_DOT_PRODUCT = Mistake(
    "cosine-for-dot-product",
    "You divide by the length of the query, of the keys, or of both, so that long vectors count no "
    "more than short ones. Does the formula divide by these?",
)

# From scores to weights

SCORES_FOR_WEIGHTS = Mistake(
    "scores-for-weights",
    "You mix the values by the scores, as they are or divided by their sum. Which function stands "
    "between scores and weights, and can a weight be negative?",
)
NOT_NORMALIZED = Mistake(
    "not-normalized",
    "Your weights are in the right proportion. What should those of one query add up to?",
)
SOFTMAX_OVER_THE_WRONG_AXIS = Mistake(
    "softmax-over-the-wrong-axis",
    "Your rows of weights do not sum to one: you share out the whole along another axis, or along "
    "several. Who shares out a whole here, and among whom?",
)
ZERO_SCORES_IGNORED = Mistake(
    "zero-scores-ignored",
    "A key whose score is 0 gets no weight. What is e to the power 0, and is e to any power zero?",
)
WINNER_TAKES_ALL = Mistake(
    "winner-takes-all",
    "Only the best key counts. That is how a dictionary looks up; how much should the second best "
    "weigh here?",
)
DIVIDED_BY_THE_NUMBER_OF_KEYS = Mistake(
    "divided-by-the-number-of-keys",
    "You divide by a number of keys, as a plain mean does. Do all keys count alike, and what do "
    "their weights add up to?",
)
EXPONENTIALS_OUT_OF_RANGE = Mistake(
    "exponentials-out-of-range",
    "This is right for small scores. Where they are very large, or all far below zero, "
    "exponentials become infinite, or all of a row become 0. What may be subtracted from all "
    "scores of a query without changing its weights, and how large is the largest of them then?",
)

# The mixture, and what is returned

KEYS_FOR_VALUES = Mistake(
    "keys-for-values",
    "All is right up to the mixture, and there it is something else than the values that you mix: "
    "the keys, whole tokens, or another of their numbers. What is handed out?",
)
RESULTS_IN_ANOTHER_ORDER = Mistake(
    "results-in-another-order",
    "Both results are right, but in the other order. Which one is asked for first?",
)
WEIGHTS_MISSING_OR_EXTRA = Mistake(
    "weights-missing-or-extra",
    "What you give is right, but for the weights: they are left out where they are asked for, or "
    "given where they are not. What exactly is asked for?",
)
INTERMEDIATE_RESULT = Mistake(
    "intermediate-result",
    "What you computed is right so far, and one step is missing: the scores are not weights yet, "
    "or the weights have not mixed anything yet. What exactly is asked for?",
)
NOT_PROJECTED = Mistake(
    "not-projected",
    "You use words as they come in, all of them or those that you mix. What is made of them first?",
)

# Who asks, and who is asked

QUERIES_AND_KEYS_SWAPPED = Mistake(
    "queries-and-keys-swapped",
    "In your scores, weights or mask, a row stands for a key and a column for a query. Who asks, "
    "who is asked, and along what does one query share out a whole?",
)
WRONG_SIDE = Mistake(
    "query-and-memory-mixed-up",
    "This is right where a sentence asks itself. Where one asks another, yours takes something "
    "from the wrong side, or has as many rows as the wrong side has words. Who asks here, and who "
    "is asked and names the values?",
)
MATRICES_MIXED_UP = Mistake(
    "matrices-mixed-up",
    "Where the shapes fit you get numbers: one of the matrices does the work of another. Which one "
    "makes the questions, which the keys, and which what is handed out?",
)
MATRIX_TRANSPOSED = Mistake(
    "matrix-transposed",
    "At least one of your matrices has rows and columns exchanged: where there are as many of one "
    "as of the other you get numbers, elsewhere an error or another shape. Which of its axes "
    "meets what it is multiplied with?",
)
ONE_SHAPE_ONLY = Mistake(
    "one-shape-only",
    "This is right for one number of axes, or for masks that have all of them. With no batch, with "
    "batch and heads, or with one mask for many, it raises. How do you name an axis, however many "
    "stand before it, and when do two shapes fit?",
)

# Masks

MASK_IGNORED = Mistake(
    "mask-ignored",
    "This is right where nothing is hidden. Elsewhere what is hidden counts like everything else: "
    "in which step does your mask take part?",
)
MASK_INVERTED = Mistake(
    "mask-inverted",
    "The mask is taken the wrong way round, in one step at least: what should be seen is hidden. "
    "What does True mean in it?",
)
MASK_AFTER_SOFTMAX = Mistake(
    "mask-after-softmax",
    "Your mask acts on the weights, when the hidden keys have taken their share already: the rows "
    "do not sum to one. When must the hidden disappear?",
)
HIDDEN_SCORE_TOO_HIGH = Mistake(
    "hidden-score-too-high",
    "Hidden keys still take a share inside your softmax, because their scores are not low enough. "
    "What is e to the power of the score that they have there, beside the other scores of the row?",
)
RENORMALIZED_TOO_LATE = Mistake(
    "renormalized-too-late",
    "This is right while hidden scores are ordinary. Where a hidden key has a very high score, its "
    "query gets nothing, NaN, or what you put in place of that: what was left of the other weights "
    "when you made them sum to one again?",
)
TIMES_INFINITY = Mistake(
    "multiplied-by-infinity",
    "Something is multiplied by minus infinity, and rows become NaN. What is minus infinity times "
    "a negative number, and times 0?",
)
NOTHING_VISIBLE = Mistake(
    "nothing-visible",
    "All is right but for a query that may see nothing: it gets NaN or a little of everything, in "
    "its weights or in its mixture. What does a softmax make of a row without a visible score, and "
    "what is asked for there?",
)
FUTURE_VISIBLE = Mistake(
    "future-visible",
    "What comes later can be seen, from one position at least. What may a word see of the words "
    "after it?",
)
FUTURE_FOR_PAST = Mistake(
    "future-for-past",
    "Each position sees itself and what comes after it. Which way does time run along a row?",
)
DIAGONAL_OFF_BY_ONE = Mistake(
    "diagonal-off-by-one",
    "Your diagonal is one off: no word sees itself, or every word sees the one after it. What "
    "may a word know when the next one is to be predicted?",
)
PREFIX_LEFT_OUT_OF_THE_MASK = Mistake(
    "prefix-left-out-of-the-mask",
    "This is right for a whole sentence. After a prefix that was seen before, your mask or an "
    "edge of it is not in its place. At which position does the first query stand, and how many "
    "keys come before it?",
)
MASK_OF_NUMBERS = Mistake(
    "mask-of-numbers",
    "The right places are marked, with numbers. Which type lets a mask combine with others by "
    "logic?",
)
