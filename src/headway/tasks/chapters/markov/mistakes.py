"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import SharedMisconception

# Boundaries

BOUNDARY_MISSING = SharedMisconception(
    "boundary-missing",
    "A boundary is missing, at the start or the end of sentences, or is there too seldom. What "
    "comes before a first word, and what comes after a last one?",
)
BOUNDARY_TWICE = SharedMisconception(
    "boundary-counted-twice",
    "You count more boundaries than are predicted. How often is a boundary predicted in one "
    "sentence?",
)
PREDICTIONS_MISCOUNTED = SharedMisconception(
    "predictions-miscounted",
    "Your perplexity is not made of the mean over all predictions. How many predictions does a "
    "sentence of three words make, and how much should each of them count?",
)
EMPTY_SENTENCE_DROPPED = SharedMisconception(
    "empty-sentence-dropped",
    "A sentence of no words leaves no trace in yours. What comes right after its start?",
)
ACROSS_BOUNDARIES = SharedMisconception(
    "counts-across-boundaries",
    "One sentence runs into the next in yours. What comes before the first word of a sentence?",
)

# Shares

COLUMNS_FOR_ROWS = SharedMisconception(
    "columns-for-rows",
    "You exchange what comes before and what comes next. Which of the two does a row belong to, "
    "and which a column?",
)
NOT_NORMALIZED = SharedMisconception(
    "not-normalized",
    "You divide by the wrong total, or not at all. Which numbers belong to one distribution, and "
    "what should they add up to?",
)
CONTEXT_IGNORED = SharedMisconception(
    "context-ignored",
    "In yours, it makes no difference which word has just been said. What does that word tell you "
    "about the next one?",
)
COUNTS_IGNORED = SharedMisconception(
    "counts-ignored",
    "In yours it hardly matters how often something was seen. What sets something seen nine times "
    "apart from something seen once?",
)
WINNER_TAKES_ALL = SharedMisconception(
    "winner-takes-all",
    "In yours, only the most frequent symbol can come next. What about the others that were "
    "counted there?",
)
SMOOTHING_MISCOUNTED = SharedMisconception(
    "smoothing-miscounted",
    "What you add to the counts doesn't fit the formula, or doesn't fit what you divide by. How "
    "much does each count get, and how much does their sum grow?",
)
PROBABILITIES_SMOOTHED = SharedMisconception(
    "probabilities-smoothed",
    "You add to probabilities, not to counts. Should a word seen a thousand times need as much "
    "smoothing as a word seen once?",
)
ROWS_WITHOUT_COUNTS = SharedMisconception(
    "rows-without-counts",
    "A context without counts has no distribution in yours. What should you predict after it, and "
    "what must these numbers add up to?",
)
NOT_SMOOTHED = SharedMisconception(
    "not-smoothed",
    "What was never counted has probability 0 in yours. What is the perplexity of a sentence that "
    "contains it?",
)
ONE_FOR_ANY_SMOOTHING = SharedMisconception(
    "one-for-any-smoothing",
    "You add one to every count. Think of a row in which little was counted: how much of it do "
    "the ones take?",
)

# Contexts

ANOTHER_CONTEXT = SharedMisconception(
    "another-context",
    "Your context is not made of the latest words, or reaches another number of words back. How "
    "far back should it reach, and where does it end?",
)

# Means and logarithms

BASES_MIXED = SharedMisconception(
    "bases-mixed",
    "Your logarithms have another base than the one asked for, or you undo them with powers of "
    "another. What is e to the power of ln 3, and 2 to the power of ln 3?",
)
EXPONENTIAL_MISPLACED = SharedMisconception(
    "exponential-misplaced",
    "You give a logarithm where a power is asked for, or a power for a logarithm. Which of the "
    "two does each number have to be?",
)
MEAN_FORGOTTEN = SharedMisconception(
    "mean-forgotten",
    "Your number grows or shrinks with each word of the text. Should a text of twice the length "
    "have another perplexity?",
)
MEAN_OF_PROBABILITIES = SharedMisconception(
    "mean-of-probabilities",
    "You average the probabilities, or one over each of them. A perplexity takes the mean of "
    "something else: what do you add up when probabilities are multiplied?",
)
WRONG_SIGN = SharedMisconception(
    "wrong-sign",
    "A sign is lost or in the wrong place. Which sign does the logarithm of a probability have, "
    "and can a perplexity be below 1?",
)
RESULTS_IN_ANOTHER_ORDER = SharedMisconception(
    "results-in-another-order",
    "Both numbers are right, but in the other order. Which one does the task ask for first?",
)
