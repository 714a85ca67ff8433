"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import SharedMisconception

# The scale

NO_SCALE = SharedMisconception(
    "no-scale",
    "Your weights are too sharp, and the more so the wider the queries. Which step between dot "
    "products and softmax is missing?",
)
ANOTHER_SCALE = SharedMisconception(
    "another-scale",
    "You divide your scores by another number than asked. How many products does one score add up, "
    "and how does the spread of the sum grow with them?",
)
SCALE_MISPLACED = SharedMisconception(
    "scale-misplaced",
    "The root of the width is in your formula, but not where it belongs. Does it act on the scores "
    "or on the weights, and which way?",
)

COSINE_FOR_DOT_PRODUCT = SharedMisconception(
    "cosine-for-dot-product",
    "You divide by the length of the query, of the keys, or of both. Should a long vector count no "
    "more than a short one here?",
)

# From scores to weights

NO_SOFTMAX = SharedMisconception(
    "no-softmax",
    "You weigh by something else than a softmax of the scores: by the scores, by the best key "
    "alone, or by all alike. Which function makes weights of scores?",
)
NOT_NORMALIZED = SharedMisconception(
    "not-normalized",
    "Your weights are in the right proportion. What should those of one query add up to?",
)
SOFTMAX_OVER_THE_WRONG_AXIS = SharedMisconception(
    "softmax-over-the-wrong-axis",
    "Your rows of weights do not sum to one: you share out the whole along another axis, or along "
    "several. Who shares out a whole here, and among whom?",
)
ZERO_SCORES_IGNORED = SharedMisconception(
    "zero-scores-ignored",
    "A key whose score is 0 gets no weight. What is e to the power 0, and is e to any power zero?",
)
EXPONENTIALS_OUT_OF_RANGE = SharedMisconception(
    "exponentials-out-of-range",
    "Where scores are very large, or all far below zero, your exponentials become infinite or 0. "
    "What may be subtracted from all scores of a query without changing its weights?",
)

# The mixture, and what is returned

KEYS_FOR_VALUES = SharedMisconception(
    "keys-for-values",
    "You mix something else than the values: the keys, whole tokens, or another of their numbers. "
    "What is handed out?",
)
OTHER_RESULTS_GIVEN = SharedMisconception(
    "other-results-given",
    "You give something else than asked for, although your numbers are right: too little, too "
    "much, or in another order. What exactly is asked for?",
)
NOT_PROJECTED = SharedMisconception(
    "not-projected",
    "You use words as they come in, all of them or those that you mix. What is made of them first?",
)

# Who asks, and who is asked

QUERIES_AND_KEYS_SWAPPED = SharedMisconception(
    "queries-and-keys-swapped",
    "A row of your scores, weights or mask belongs to a key, and a column to a query. Who asks "
    "here, and who is asked?",
)
WRONG_SIDE = SharedMisconception(
    "query-and-memory-mixed-up",
    "Where one sentence asks another, you take something from the wrong side. Who asks here, and "
    "who is asked and hands out the values?",
)
MATRICES_MIXED_UP = SharedMisconception(
    "matrices-mixed-up",
    "One of your matrices does the work of another. What is each of them there to make?",
)
WRONGLY_TRANSPOSED = SharedMisconception(
    "wrongly-transposed",
    "At least one of your matrices is transposed where it should not be, or in another way than "
    "asked. Which of its axes meets what it is multiplied with?",
)
ONE_SHAPE_ONLY = SharedMisconception(
    "one-shape-only",
    "Your code is right for some shapes only. How do you name an axis, however many come before "
    "it, and when do two shapes fit?",
)

# Masks

MASK_IGNORED = SharedMisconception(
    "mask-ignored",
    "This is right where nothing is hidden. Elsewhere what is hidden counts like everything else: "
    "in which step does your mask take part?",
)
MASK_INVERTED = SharedMisconception(
    "mask-inverted",
    "Your mask works the wrong way round, in one step at least. Which keys should the first query "
    "see, and which does yours?",
)
MASK_AFTER_SOFTMAX = SharedMisconception(
    "mask-after-softmax",
    "Your mask comes too late: hidden keys have taken their share of the softmax already, or set "
    "its scale. When must they disappear?",
)
HIDDEN_SCORE_TOO_HIGH = SharedMisconception(
    "hidden-score-too-high",
    "Hidden keys still take a share of your softmax, because their scores are not low enough. What "
    "is e to the power of such a score, next to the others?",
)
TIMES_INFINITY = SharedMisconception(
    "multiplied-by-infinity",
    "Something is multiplied by minus infinity, and rows become NaN. What is minus infinity times "
    "a negative number, and times 0?",
)
NOTHING_VISIBLE = SharedMisconception(
    "nothing-visible",
    "Only a query that may see nothing goes wrong: it gets NaN, or a little of everything. What "
    "does a softmax make of a row without a visible score?",
)
FUTURE_VISIBLE = SharedMisconception(
    "future-visible",
    "What comes later can be seen, from one position at least. What may a word see of the words "
    "after it?",
)
HIDDEN_WITHOUT_NEED = SharedMisconception(
    "hidden-without-need",
    "Your first queries do not see all that they may, as if the rest came later. Is there a before "
    "and after between those who ask and those who are asked, and who says what is hidden?",
)
EDGE_OFF_BY_ONE = SharedMisconception(
    "edge-off-by-one",
    "An edge of your mask is one off. Does a word see itself, and how many words does it see in "
    "all?",
)
PREFIX_LEFT_OUT_OF_THE_MASK = SharedMisconception(
    "prefix-left-out-of-the-mask",
    "After a prefix that was seen before, your mask is not in its place. At which position does "
    "the first query stand, and how many keys come before it?",
)
MASK_OF_NUMBERS = SharedMisconception(
    "mask-of-numbers",
    "The right places are marked, with numbers. Which type lets a mask combine with others by "
    "logic?",
)
