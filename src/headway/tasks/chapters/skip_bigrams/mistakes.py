"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import Mistake

REPEATS_COUNTED = Mistake(
    "repeats-counted",
    "An earlier word that stands there twice gives its pair twice. Is a pair that is present twice "
    "in a prefix two features?",
)
SELF_PAIR = Mistake(
    "self-pair",
    "There is a pair too many: the latest word is paired with itself, from its very own place. "
    "Does it stand before itself?",
)
EARLIER_OCCURRENCE_DROPPED = Mistake(
    "earlier-occurrence-dropped",
    "The pair of a word with itself is missing. Can the latest word have stood there before as "
    "well: by what do you tell the two apart, by the word or by its place?",
)
NEIGHBORS_ONLY = Mistake(
    "neighbors-only",
    "Only the neighbor of the latest word makes a pair with it, or the nearest two do, as in a "
    "chain. What of the words further back, which may differ where the near ones do not?",
)
WITHOUT_THE_LATEST = Mistake(
    "pairs-without-the-latest-word",
    "Not all that you count or list is a pair with the latest word. Which word do all features of "
    "a prefix share, and how far back may the other one stand?",
)
WORD_CUT_OFF = Mistake(
    "earlier-word-cut-off",
    "An earlier word, the first one or the neighbor of the latest, has no pair. How many words "
    "should your slice leave out, and at which end?",
)
TURNED_ROUND = Mistake(
    "pair-turned-round",
    "Your pairs are turned round: the latest word stands where the earlier one is asked for. Which "
    "one comes first?",
)
UNORDERED = Mistake(
    "pairs-unordered",
    "Your pairs no longer tell which word came earlier. Is (battery, ran) the same feature as "
    "(ran, battery)?",
)
FUTURE_VISIBLE = Mistake(
    "future-visible",
    "Words that come after the latest one are paired with it, or they vote. What is known when "
    "the latest word has just been read?",
)
RESULTS_IN_ANOTHER_ORDER = Mistake(
    "results-in-another-order",
    "What you give would be right in the other order. Which one is asked for first?",
)
READ_AS_PROBABILITIES = Mistake(
    "votes-read-as-probabilities",
    "You have divided the sum of the rows, by its total or by the number of voters. Must votes sum "
    "to one, and has a word that five pairs vote for no more votes than one with a single pair?",
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
KINDS_COUNTED = Mistake(
    "kinds-for-counts",
    "How many different words a row has decides, which is right only where each was seen equally "
    "often: you divide by it, or share one vote alike among the words. What do all counts of the "
    "row sum to?",
)
ANOTHER_COUNT = Mistake(
    "divided-by-another-count",
    "You do not divide a row by its own total, but by how many sentences or latest words there "
    "are, or by its largest count. What should the shares of a pair sum to?",
)
ONE_VOTER_HEARD = Mistake(
    "one-voter-heard",
    "A word for which several pairs vote gets the vote of one of them, the last or the loudest. "
    "What becomes of the votes of the others?",
)
WINNER_TAKES_ALL = Mistake(
    "winner-takes-all",
    "A single word gets everything, in a row or in all: the one that has most, or the one that was "
    "seen last. What is the part of the others?",
)
MASK_IGNORED = Mistake(
    "mask-ignored",
    "All pairs that are present vote, at least where none should. Which pairs tell anything, and "
    "which ones does a mask let through?",
)
MASK_INVERTED = Mistake(
    "mask-inverted",
    "The pairs that tell most are silent, or those that the mask lets through, and the others "
    "vote. What does True in a mask stand for in this course?",
)
MASK_BY_EARLIER = Mistake(
    "mask-by-earlier",
    "Each pair asks the mask of its earlier word. Which word picks its row of the masks, the "
    "latest or the earlier?",
)
NAN = Mistake(
    "nan-for-zero-counts",
    "There is NaN where counts are zero. What does NumPy make of 0 divided by 0, and of 0 times "
    "the logarithm of 0? What should stand there?",
)
TYPED_IN = Mistake(
    "words-typed-in",
    "With made-up words your function looks for words that are not there: you typed in a word of "
    "one corpus. What do all prefixes have in common, and where can the rest be counted?",
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
