"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import Mistake

REPEATS_COUNTED = Mistake(
    "repeats-counted",
    "An earlier word that comes twice gives its pair twice. Is a pair that is present twice in a "
    "prefix two features?",
)
SELF_PAIR = Mistake(
    "self-pair",
    "There is one pair too many: the latest word is paired with itself, in its very own place. "
    "Does it come before itself?",
)
EARLIER_OCCURRENCE_DROPPED = Mistake(
    "earlier-occurrence-dropped",
    "The pair of a word with itself is missing. The latest word may have come before as well. What "
    "tells the two apart, the word or its place?",
)
NEIGHBORS_ONLY = Mistake(
    "neighbors-only",
    "Only the nearest word or two make a pair with the latest one, as in a chain. What about the "
    "words further back, which may differ where the near ones don't?",
)
WITHOUT_THE_LATEST = Mistake(
    "pairs-without-the-latest-word",
    "Not everything you count or list is a pair with the latest word. Which word do all features "
    "of a prefix share, and how far back may the other one be?",
)
WORD_CUT_OFF = Mistake(
    "earlier-word-cut-off",
    "An earlier word, the first one or the neighbor of the latest, has no pair. How many words "
    "should your slice leave out, and at which end?",
)
TURNED_ROUND = Mistake(
    "pair-turned-round",
    "Your pairs are turned around: the latest word is where the earlier one should be. Which of "
    "the two comes first?",
)
UNORDERED = Mistake(
    "pairs-unordered",
    "Your pairs no longer tell which word came earlier. Is (battery, ran) the same feature as "
    "(ran, battery)?",
)
FUTURE_VISIBLE = Mistake(
    "future-visible",
    "Words that come after the latest one are paired with it, or vote. What do you know at the "
    "moment when the latest word has just been read?",
)
RESULTS_IN_ANOTHER_ORDER = Mistake(
    "results-in-another-order",
    "You give the right things in another order. In which one are they asked for?",
)
READ_AS_PROBABILITIES = Mistake(
    "votes-read-as-probabilities",
    "You divided the sum of the rows, by its total or by the number of voters. Must votes sum to "
    "one? And should a word with five voters have no more votes than a word with one?",
)
PRODUCT = Mistake(
    "probability-product",
    "You multiplied the rows, so that a single zero forbids a word for which all others vote. What "
    "do voters do with their votes?",
)
COUNTS_FOR_VOTES = Mistake(
    "counts-for-votes",
    "These are counts: a pair that was seen more often has more to say. What does each row of the "
    "vote table sum to?",
)
ANOTHER_COUNT = Mistake(
    "divided-by-another-count",
    "You don't divide a row by its own total, but by some other number: how many different words "
    "it has, its largest count, how many sentences there are. What should the shares of a pair sum "
    "to?",
)
ONE_VOTER_HEARD = Mistake(
    "one-voter-heard",
    "If several pairs vote for a word, it gets the vote of only one of them, the last or the "
    "loudest. What happens to the other votes?",
)
WINNER_TAKES_ALL = Mistake(
    "winner-takes-all",
    "A single word gets everything, in each row or in the end: the most frequent one, or the one "
    "that was seen last. What is left for the others?",
)
MASK_IGNORED = Mistake(
    "mask-ignored",
    "All pairs that are present vote, or they do where the mask lets none through. Which pairs "
    "know anything, and which ones does a mask let through?",
)
MASK_INVERTED = Mistake(
    "mask-inverted",
    "The pairs that should vote are silent, and the others vote. What does True in a mask mean in "
    "this course?",
)
MASK_BY_EARLIER = Mistake(
    "mask-by-earlier",
    "Each pair asks the mask of its earlier word. Which word picks its row of the masks, the "
    "latest or the earlier?",
)
NAN = Mistake(
    "nan-for-zero-counts",
    "You get NaN where counts are zero. What does NumPy make of 0 divided by 0, and of 0 times the "
    "logarithm of 0? What should it be there?",
)
TYPED_IN = Mistake(
    "words-typed-in",
    "With made-up words your function looks for words that don't exist: you typed in a word of one "
    "corpus. What do all prefixes have in common, and what can you count?",
)
ACROSS_SENTENCES = Mistake(
    "across-sentences",
    "Words of one sentence are paired with words of the next. Where does a prefix begin?",
)
WRONG_AXIS = Mistake(
    "normalized-over-the-wrong-axis",
    "Your shares sum to one over the earlier words, over all pairs together, or over those with "
    "the same latest or the same earlier word. Over what should the votes of one pair sum to one?",
)
