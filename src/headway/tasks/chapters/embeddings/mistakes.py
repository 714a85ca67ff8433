"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import Mistake

# TF-IDF

NO_LOGARITHM = Mistake(
    "no-logarithm",
    "You multiply by how many times rarer than every document the word is, and a word that is "
    "twice as rare counts twice as much. What stands between this quotient and the product?",
)
OCCURRENCES_FOR_DOCUMENTS = Mistake(
    "occurrences-for-documents",
    "A document that says a word five times counts five times in your quotient. What does the "
    "document frequency count?",
)
ANOTHER_LOGARITHM = Mistake(
    "another-logarithm",
    "Your result is the right one times a constant: that of a logarithm to another base. Which "
    "base is asked for?",
)
QUOTIENT_INVERTED = Mistake(
    "quotient-inverted",
    "Your weights are below zero, or larger for common words than for rare ones. Which of the two "
    "numbers stands above the line, and which is the larger?",
)
DIVIDED_BY_THE_LENGTH = Mistake(
    "divided-by-the-length",
    "You take a share of the document, or scale each document, where the text counts. Does the "
    "length of a document enter the weight that is asked for?",
)
ANOTHER_RECIPE = Mistake(
    "another-recipe",
    "You add something to the numbers or dampen the count, as some libraries do. Work the example "
    "of the text out by hand: which step of yours is not in its formula?",
)
ONE_FACTOR_ALONE = Mistake(
    "one-factor-alone",
    "Your weight is the same however often the word stands in the document, or however common it "
    "is elsewhere. Of which two factors is it made?",
)
# Windows

WINDOW_OFF_BY_ONE = Mistake(
    "window-off-by-one",
    "The far edge of your window is one word off, on one side or on both. How many words away may "
    "a neighbor stand, and does a range include its end?",
)
ONE_SIDE_ONLY = Mistake(
    "one-side-only",
    "Your words know the neighbors on one side only. What stands on the other side of a word, and "
    "for which words is that the side that tells?",
)
FARTHEST_ONLY = Mistake(
    "farthest-only",
    "Only the words at the very edge of your window are neighbors, w places away, and those in "
    "between are skipped. Who is near a word, if w is 2?",
)
OWN_NEIGHBOR = Mistake(
    "own-neighbor",
    "Every word counts as a neighbor of itself. Which place in the window belongs to the center?",
)
SAME_WORD_LEFT_OUT = Mistake(
    "same-word-left-out",
    "Where a word stands twice close together, your pair of the two is missing. Is it the place "
    "that makes a center, or the word?",
)
FADING_WITH_DISTANCE = Mistake(
    "fading-with-distance",
    "Near neighbors count more than far ones in your window. Does the text weigh them?",
)
EDGES_OF_THE_SENTENCE = Mistake(
    "edges-of-the-sentence",
    "Where a window reaches past an end of the sentence, pairs are missing, or there are pairs of "
    "words from both of its ends. What is left of a window there, and what does Python make of an "
    "index or of the start of a slice below zero?",
)

# Tables and products

TABLES_SWAPPED = Mistake(
    "tables-swapped",
    "The two tables, or the two words of a pair, have changed places: the context is taken as "
    "given, and the center is guessed. Who is asked about whom?",
)
ONE_TABLE_FOR_TWO = Mistake(
    "one-table-for-two",
    "One of the two tables does all the work, and the other is never read. Which vector does a "
    "word have when it is given, and which when it is guessed?",
)
SHARED_OUT_AMONG_OTHERS = Mistake(
    "shared-out-among-others",
    "Your probabilities are shares of another whole than that of all words after one given word: "
    "of all pairs, or of the words of one sentence. Which words might have stood there?",
)
TRANSPOSED = Mistake(
    "transposed",
    "The numbers stand in a matrix that is turned, or is not turned where it should be; where it "
    "is square, nothing complains. What does a row stand for, and what a column?",
)
STRENGTHS_MISCOUNTED = Mistake(
    "strengths-miscounted",
    "The directions of your vectors are right, and their lengths are not: the singular values are "
    "missing, or enter as squares or as roots. How often do they stand in what is asked for?",
)
WEAKEST_KEPT = Mistake(
    "weakest-kept",
    "You keep other directions than the strongest. In which order do they come, and is a large "
    "negative eigenvalue strong or weak?",
)
LOGARITHM_OF_ZERO = Mistake(
    "logarithm-of-zero",
    "Most words never meet, so your logarithm meets a zero, and what comes out is infinite, no "
    "number, or far below 0. What is added to a count before its logarithm is taken?",
)

# Losses

SUM_AND_MEAN = Mistake(
    "sum-and-mean",
    "The terms are right, and they are not put together as asked: there is a sum for a mean, a "
    "mean for a sum, or a mean of other means. What is added up, and what is the number divided "
    "by?",
)
WRONG_SIGN = Mistake(
    "wrong-sign",
    "Your sign is turned: what should fall would rise, and the better the vectors, the larger the "
    "loss. Which way should one step go?",
)
PROBABILITY_FOR_LOGARITHM = Mistake(
    "probability-for-logarithm",
    "There is no logarithm in your loss, or it comes after a sum or a mean that it should come "
    "before. What is a loss in nats made of?",
)
SOFTMAX_TWICE = Mistake(
    "softmax-before-the-loss",
    "Your scores go through a softmax, or are divided by lengths, before the loss gets them. What "
    "are logits, and what does cross-entropy do with them?",
)
OUT_OF_RANGE = Mistake(
    "out-of-range",
    "This is right for small scores. For large ones something becomes 0 or infinite before the "
    "logarithm is taken, or you cut it off there. Which function gives the logarithm in one step?",
)
SOFTMAX_AND_SIGMOID = Mistake(
    "softmax-and-sigmoid",
    "A softmax stands where sigmoids are asked for, or sigmoids where a softmax is. Do the words "
    "share out a whole here, or is each asked by itself?",
)

# Sizes

WIDER_THAN_ALLOWED = Mistake(
    "wider-than-allowed",
    "Your vectors have more numbers than they may have here. Tables are easily as wide as the "
    "vocabulary: which directions of a table are needed, and which are not?",
)
