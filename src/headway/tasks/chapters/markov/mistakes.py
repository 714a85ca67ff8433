"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import Mistake

# Boundaries

END_MISSING = Mistake(
    "end-missing",
    "The end of a sentence is missing in yours, or is there less often than a sentence ends. "
    "What comes after a last word?",
)
START_MISSING = Mistake(
    "start-missing",
    "The start of a sentence is missing in yours, if not everywhere, or something else stands in "
    "its place. What stands before the first words, and what can be known about them then?",
)
BOUNDARIES_LEFT_OUT = Mistake(
    "boundaries-left-out",
    "You have words only, and no boundaries. What comes before the first word of a sentence, "
    "and what follows the last?",
)
BOUNDARY_TWICE = Mistake(
    "boundary-counted-twice",
    "You count more boundaries than are predicted. How often is a boundary predicted in a "
    "sentence: before its first word, after its last, or both?",
)
END_NOT_IN_THE_TOTAL = Mistake(
    "end-not-in-the-total",
    "The ends are in what you divide, and not all in the number that you divide by. How many "
    "predictions does a sentence of three words make?",
)
EMPTY_SENTENCE_DROPPED = Mistake(
    "empty-sentence-dropped",
    "A sentence of no words has left no trace. What does its start come right before, and what was "
    "predicted there?",
)
ACROSS_BOUNDARIES = Mistake(
    "counts-across-boundaries",
    "One sentence runs into the next in yours: first words follow words of the sentence "
    "before. What stands before the first word of a sentence?",
)

# Shares

COLUMNS_FOR_ROWS = Mistake(
    "columns-for-rows",
    "You have exchanged rows and columns: what comes before, and what comes next. Which of the "
    "two is a row of the table about, and what are its numbers?",
)
ANOTHER_TOTAL = Mistake(
    "divided-by-another-total",
    "You divide by a number that is not the total of the counts in question. Which counts are "
    "these, and what should their shares sum to?",
)
COUNTS_FOR_PROBABILITIES = Mistake(
    "counts-for-probabilities",
    "You use counts where probabilities are asked for. What must the numbers of a "
    "distribution sum to?",
)
CONTEXT_IGNORED = Mistake(
    "context-ignored",
    "In yours it makes no difference which word has just been said. What do you know about "
    "the next word, once you know it?",
)
COUNTS_IGNORED = Mistake(
    "counts-ignored",
    "In your result it hardly matters how often something was seen, or not at all. What tells "
    "something that was seen nine times from something that was seen once?",
)
WINNER_TAKES_ALL = Mistake(
    "winner-takes-all",
    "The most frequent symbol is the only one that can come next in yours. What about the "
    "others that were counted there?",
)
SMOOTHING_MISCOUNTED = Mistake(
    "smoothing-miscounted",
    "What you add to each count, and what you add to the sum below, do not fit each other or the "
    "text. How much is added to each count, how many counts are there, and by how much does their "
    "sum grow?",
)
ONLY_ZEROS_SMOOTHED = Mistake(
    "only-zeros-smoothed",
    "Only the zeros were raised. To which of the counts is something added in the text?",
)
PROBABILITIES_SMOOTHED = Mistake(
    "probabilities-smoothed",
    "You add to probabilities, which summed to one before, and not to counts. What do they sum to "
    "now, and does a word seen a thousand times need as much smoothing as a word seen once?",
)
ROWS_WITHOUT_COUNTS = Mistake(
    "rows-without-counts",
    "A context without counts has no distribution in yours. What do you say about one that nothing "
    "was ever seen to follow, and what do these numbers sum to?",
)
NOT_SMOOTHED = Mistake(
    "not-smoothed",
    "What was never counted has probability 0 in yours: nothing was smoothed. What would the "
    "perplexity of a sentence be that holds it?",
)
ONE_FOR_ANY_SMOOTHING = Mistake(
    "one-for-any-smoothing",
    "You add one to every count. Which amount is asked for, or would fit? Think of a row in "
    "which little was counted: how much of it do the ones take?",
)

# Contexts

FIRST_WORDS_FOR_LAST = Mistake(
    "first-words-for-last",
    "You look at the first words of what you are given, or at the boundaries before them. Which of "
    "its words come right before the next one?",
)
WHOLE_PREFIX = Mistake(
    "whole-prefix-as-context",
    "All words that were said so far count in yours. How many words back does a chain look, "
    "and which word says most about the next one?",
)

# Means and logarithms

BASES_MIXED = Mistake(
    "bases-mixed",
    "Your logarithms are not to the base that is asked for, or you undo them by powers of another. "
    "What is e to the power of ln 3, and what is 2 to the power of ln 3?",
)
EXPONENTIAL_MISPLACED = Mistake(
    "exponential-misplaced",
    "One of your numbers is a logarithm where none is asked for, or a probability where its "
    "logarithm is. Which number is a power, of e if the logarithms are natural, of 2 in bits?",
)
MEAN_FORGOTTEN = Mistake(
    "mean-forgotten",
    "This is made of the probability of all the text, and grows or shrinks with each word. "
    "How many predictions is it, and would a text of twice the length have the same perplexity?",
)
MEAN_OF_PROBABILITIES = Mistake(
    "mean-of-probabilities",
    "You average the probabilities, or one over each of them. A perplexity takes the mean of "
    "something else: what is added up when probabilities are multiplied?",
)
WRONG_SIGN = Mistake(
    "wrong-sign",
    "A sign is lost, or stands in the wrong place. What sign does the logarithm of a probability "
    "have, and can a perplexity lie below 1?",
)
RESULTS_IN_ANOTHER_ORDER = Mistake(
    "results-in-another-order",
    "Both numbers are right, in the other order. Which one is asked for first?",
)
